import type { WirePublishedHouse } from '@perfume/contract/items';
import type { Item } from '@perfume/domain/items';
import { homeBadge } from '@perfume/domain/stock-level';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './item-dialog.module.css';
import { StockBadges } from './stock-badges.tsx';

/** `house` as on the card. */
type ItemDialogProps = { item: Item; house: WirePublishedHouse | null | undefined; onClose: () => void };

/** All details of an item, in a dialog opened from its card. */
export function ItemDialog({ item, house, onClose }: ItemDialogProps) {
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
            {house && (
              <div>
                <dt>{say('card.house')}</dt>
                <dd>
                  <Link to={paths.house(house.slug)}>
                    <bdi>{house.name}</bdi>
                  </Link>
                </dd>
              </div>
            )}
          </dl>
          <p className={styles.description} dir="auto">
            {item.description}
          </p>
          {house === undefined && (
            <LinkButton to={paths.item(item.id)} look="primary">
              {say('card.update')}
            </LinkButton>
          )}
        </div>
      </div>
    </Dialog>
  );
}
