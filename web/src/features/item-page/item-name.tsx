import type { Item } from '@perfume/domain/items';
import { useWords } from '../../words/words.tsx';
import styles from './item-name.module.css';

const LONG = 32;

/** The item's name, id and quantity. */
export function ItemName({ item }: { item: Item }) {
  const { say } = useWords();
  return (
    <div className={styles.named}>
      <h1 className={styles.name} data-long={item.name.length > LONG || undefined}>
        <bdi>{item.name}</bdi>
      </h1>
      <p className={styles.id}>
        {say('stock.id')} <bdi dir="ltr">{item.id}</bdi>
      </p>
      <p className={styles.available}>{say('stock.availableCount', { count: item.quantity })}</p>
    </div>
  );
}
