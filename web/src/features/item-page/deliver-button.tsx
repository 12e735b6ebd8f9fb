import type { Item } from '@perfume/domain/items';
import { deliverLabel } from '@perfume/domain/stock-level';
import { Button } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import { pressOnce } from '../ledger/press-once.ts';
import { deliver } from '../ledger/stock-actions.ts';
import styles from './deliver-button.module.css';
import type { ItemLayout } from './use-item-layout.ts';

/**
 * A button that delivers one unit per click. When the item is sold out it stays enabled, and a click shows why nothing
 * happens.
 */
export function DeliverButton({ item, layout }: { item: Item; layout: ItemLayout }) {
  const words = useWords();
  const soldOut = item.quantity <= 0;
  return (
    <Button
      look={soldOut ? 'quiet' : 'primary'}
      className={soldOut ? `${styles.deliver} ${styles.soldOut}` : styles.deliver}
      onClick={() => void deliver(item, 1, layout, words)}
      onKeyDown={pressOnce}
    >
      {words.say(deliverLabel(item.quantity))}
    </Button>
  );
}
