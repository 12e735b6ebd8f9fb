import type { Item } from '@perfume/domain/items';
import { PencilLine, Tag, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useNavigate } from '../../ui/router.tsx';
import { prepareToasts } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { LazyItemHistory } from '../history/lazy-item-history.tsx';
import { labelsLink } from '../inventory/labels-link.ts';
import { manageInventoryLink } from '../inventory/manage-inventory-link.ts';
import { BackLink } from './back-link.tsx';
import { ItemCodes } from './item-codes.tsx';
import { ItemStockTable } from './item-stock-table.tsx';
import { ItemStockTablePhone } from './item-stock-table-phone.tsx';
import styles from './item-view.module.css';
import { ReorderPoint } from './reorder-point.tsx';
import { RestockForm } from './restock-form.tsx';
import { useItemLayout } from './use-item-layout.ts';

/** An item with its stock, its history and everything that can be done with it. */
export function ItemView({ item, onDelete }: { item: Item; onDelete: () => void }) {
  const { say } = useWords();
  const layout = useItemLayout();
  const navigate = useNavigate();
  const edit = paths.editItem(item.id);
  const may = useMay();
  const canChange = may('changeItems');
  useShortcut('e', say('stock.edit'), () => navigate(edit), { enabled: canChange });
  useEffect(() => void prepareToasts().catch(() => {}), []);
  return (
    <article className={styles.sheet}>
      <div className={styles.top}>
        <BackLink to={manageInventoryLink()}>{say('nav.manageInventory')}</BackLink>
        <div className={styles.actions}>
          {canChange && (
            <LinkButton to={edit} size="s">
              <Icon of={PencilLine} size={17} />
              {say('stock.edit')}
            </LinkButton>
          )}
          <LinkButton to={labelsLink([item.id]).to} size="s">
            <Icon of={Tag} size={17} />
            {say('stock.label')}
          </LinkButton>
          {canChange && (
            <Button look="danger" size="s" onClick={onDelete}>
              <Icon of={Trash2} size={17} />
              {say('delete.confirm')}
            </Button>
          )}
        </div>
      </div>
      {layout === 'desktop' ? <ItemStockTable item={item} /> : <ItemStockTablePhone item={item} />}
      <section className={styles.card} aria-labelledby="about-item">
        <div className={styles.about}>
          <h2 id="about-item">{say('stock.about')}</h2>
          <p className={styles.description} dir="auto">
            {item.description}
          </p>
          <ItemCodes item={item} />
          <ReorderPoint item={item} />
        </div>
        {may('moveStock') && <RestockForm item={item} />}
      </section>
      <LazyItemHistory item={item} />
    </article>
  );
}
