import type { WirePublishedHouse } from '@perfume/contract/items';
import type { Item } from '@perfume/domain/items';
import { homeBadge } from '@perfume/domain/stock-level';
import { descriptionPreview } from '@perfume/domain/text';
import { ArrowRight } from 'lucide-react';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './item-card.module.css';
import { StockBadges } from './stock-badges.tsx';

type ItemCardProps = {
  item: Item;
  /**
   * On a server with several houses: the item's house, whose page replaces 'Update', because most visitors cannot open an
   * item of another house. Null shows neither.
   */
  house?: WirePublishedHouse | null | undefined;
  onOpen: () => void;
  onNear: () => void;
};

export function ItemCard({ item, house, onOpen, onNear }: ItemCardProps) {
  const { say, money } = useWords();
  return (
    <article className={styles.card}>
      <div className={styles.stage}>
        <Picture src={item.imageUrl} alt="" width={240} height={300} className={styles.picture} />
        <span className={styles.badge}>
          <StockBadges item={item} word={homeBadge(item.quantity)} />
        </span>
      </div>
      <div className={styles.body}>
        <div className={styles.row}>
          <h3 className={styles.name}>
            <button
              type="button"
              className={styles.open}
              aria-haspopup="dialog"
              onClick={onOpen}
              onPointerEnter={onNear}
              onFocus={onNear}
            >
              <bdi>{item.name}</bdi>
            </button>
          </h3>
          <p className={styles.price}>{money(item.priceCents)}</p>
        </div>
        <div className={styles.row}>
          <p className={styles.supplier}>
            <bdi>{item.supplierName}</bdi>
          </p>
          <p className={styles.quantity}>{say('card.units', { count: item.quantity })}</p>
        </div>
        <p className={styles.preview} dir="auto">
          {descriptionPreview(item.description)}
        </p>
        {house === undefined && (
          <Link
            to={paths.item(item.id)}
            className={styles.update}
            aria-label={say('card.updateNamed', { name: item.name })}
          >
            {say('card.update')}
            <Icon of={ArrowRight} size={16} flips />
          </Link>
        )}
        {house && (
          <Link to={paths.house(house.slug)} className={styles.update}>
            <bdi className={styles.house}>{house.name}</bdi>
            <Icon of={ArrowRight} size={16} flips />
          </Link>
        )}
      </div>
    </article>
  );
}
