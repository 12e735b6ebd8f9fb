import type { Item } from '@perfume/domain/items';
import { useWords } from '../../words/words.tsx';
import styles from './item-price.module.css';

/** The price in the spec's format: "$ 148.00 USD". */
export function ItemPrice({ item }: { item: Item }) {
  const { say, money } = useWords();
  const price = money(item.priceCents).replace('$', '').trim();
  return (
    <p className={styles.price}>
      <span className={styles.amount}>{say('stock.amount', { price })}</span> <small>{say('stock.usd')}</small>
    </p>
  );
}
