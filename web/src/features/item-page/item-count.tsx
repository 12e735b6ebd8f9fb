import type { Item } from '@perfume/domain/items';
import { saleStatus } from '@perfume/domain/stock-level';
import { LiveNumber } from '../../ui/live-number.tsx';
import { useWords } from '../../words/words.tsx';
import { StockBadges } from '../items/stock-badges.tsx';
import styles from './item-count.module.css';
import { useRemoteChange } from './use-remote-change.ts';

/** The quantity on hand, updated live. */
export function ItemCount({ item }: { item: Item }) {
  const { say, number, locale } = useWords();
  const change = useRemoteChange(item.id);
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'always' }).format(change);
  return (
    <div className={styles.count}>
      <p className={styles.remoteChange} role="status">
        {change !== 0 && say('stock.elsewhere', { change: signed })}
      </p>
      <p className={styles.label}>{say('stock.available')}</p>
      <p className={styles.number} data-digits={digitCount(item.quantity)}>
        <LiveNumber value={item.quantity} format={number} />
      </p>
    </div>
  );
}

/** Classifies a quantity by its number of digits: longer numbers get a smaller font, so that they fit. */
function digitCount(quantity: number): 'few' | 'some' | 'many' {
  if (quantity < 10_000) return 'few';
  return quantity < 1_000_000 ? 'some' : 'many';
}

/** A badge that says 'Sold out' or 'Sold Available', and a second one when stock is low. */
export function SaleStatus({ item }: { item: Item }) {
  return (
    <p>
      <StockBadges item={item} word={saleStatus(item.quantity)} />
    </p>
  );
}
