import type { Item } from '@perfume/domain/items';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useSearchParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { deliver, receive } from '../ledger/stock-actions.ts';
import { StockPanel } from '../ledger/stock-panel.tsx';
import { UnitsForm } from '../ledger/units-form.tsx';
import { DeliverButton } from './deliver-button.tsx';
import styles from './stock-controls.module.css';
import type { ItemLayout } from './use-item-layout.ts';

/** Everything that changes the stock of the item: one unit, several units, or a count. */
export function StockControls({ item, layout }: { item: Item; layout: ItemLayout }) {
  const words = useWords();
  const { say } = words;
  const [countButton, setCountButton] = useState<HTMLButtonElement | null>(null);
  const [isOpen, setOpen] = useState(false);
  // The palette opens the item with `?count`.
  const [query, setQuery] = useSearchParams();
  const counting = isOpen || query.has('count');
  function close(): void {
    setOpen(false);
    if (query.has('count')) setQuery(withoutCount, { replace: true });
  }
  useShortcut('d', say('keys.deliver'), (units) => void deliver(item, units, layout, words), { countable: true });
  useShortcut('r', say('keys.receive'), (units) => void receive(item, units, words), { countable: true });
  useShortcut('c', say('keys.count'), () => setOpen(true));
  return (
    <div className={styles.controls}>
      <div className={styles.first}>
        <DeliverButton item={item} layout={layout} />
        <Button
          ref={setCountButton}
          aria-haspopup="dialog"
          aria-expanded={counting}
          className={styles.count}
          onClick={() => (counting ? close() : setOpen(true))}
        >
          <Icon of={Scale} size={17} />
          {say('count.action')}
        </Button>
      </div>
      <UnitsForm item={item} screen={layout} compact={layout === 'desktop'} />
      {counting && countButton && (
        <StockPanel item={item} anchor={countButton} screen={layout} show="count" onClose={close} />
      )}
    </div>
  );
}

function withoutCount(query: URLSearchParams): URLSearchParams {
  query.delete('count');
  return query;
}
