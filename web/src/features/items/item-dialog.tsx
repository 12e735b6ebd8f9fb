import type { Item } from '@perfume/domain/items';
import { homeBadge } from '@perfume/domain/stock-level';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './item-dialog.module.css';
import { StockBadges } from './stock-badges.tsx';

/** All details of an item, in a dialog opened from its card. */
export function ItemDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const { say, money, number } = useWords();
  return (
    <Dialog title={item.name} closeLabel={say('dialog.close')} onClose={onClose} wide>
      <div className={styles.details}>
        <div className={styles.stage}>
          <Picture src={item.imageUrl} alt="" width={240} height={300} eager className={styles.picture} />
        </div>
        <div className={styles.text}>
          <StockBadges item={item} word={homeBadge(item.quantity)} />
          <dl className={styles.facts}>
            <div>
              <dt>{say('card.price')}</dt>
              <dd>{money(item.priceCents)}</dd>
            </div>
            <div>
              <dt>{say('card.quantity')}</dt>
              <dd>{number(item.quantity)}</dd>
            </div>
            <div>
              <dt>{say('card.supplier')}</dt>
              <dd>
                <bdi>{item.supplierName}</bdi>
              </dd>
            </div>
          </dl>
          <p className={styles.description} dir="auto">
            {item.description}
          </p>
          <LinkButton to={paths.item(item.id)} look="primary">
            {say('card.update')}
          </LinkButton>
        </div>
      </div>
    </Dialog>
  );
}
