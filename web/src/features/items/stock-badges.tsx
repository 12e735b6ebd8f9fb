import type { Item } from '@perfume/domain/items';
import { type homeBadge, type listBadge, type saleStatus, stockState } from '@perfume/domain/stock-level';
import { Badge } from '../../ui/badge.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './stock-badges.module.css';

type Word = ReturnType<typeof homeBadge | typeof listBadge | typeof saleStatus>;

/** A badge with the spec's word for the stock, which differs by screen, and a 'Low stock' badge where it applies. */
export function StockBadges({ item, word }: { item: Item; word: Word }) {
  const { say } = useWords();
  const state = stockState(item.quantity, item.lowAt);
  return (
    <span className={styles.badges}>
      <Badge tone={state === 'out' ? 'bad' : 'good'}>{say(word)}</Badge>
      {state === 'low' && <Badge tone="warn">{say('badge.low')}</Badge>}
    </span>
  );
}
