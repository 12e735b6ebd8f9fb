import type { Item } from '@perfume/domain/items';
import type { Count } from '../../live/change-stock.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { useMediaQuery } from '../../ui/media-query.ts';
import { AnchoredPopover } from '../../ui/popover.tsx';
import { useWords } from '../../words/words.tsx';
import { CountForm } from './count-form.tsx';
import { count, type ScreenSize } from './stock-actions.ts';
import styles from './stock-panel.module.css';
import { UnitsForm } from './units-form.tsx';

type StockPanelProps = {
  item: Item;
  /** The button that opened the panel. */
  anchor: HTMLElement;
  screen: ScreenSize;
  /** `all`: deliver, receive and count. `count`: count alone, with the focus in its field. */
  show: 'all' | 'count';
  onClose: () => void;
};

/** Delivers, receives and counts without leaving the page. Beside its button on wide screens, a dialog on phones. */
export function StockPanel({ item, anchor, screen, show, onClose }: StockPanelProps) {
  const words = useWords();
  const isPhone = useMediaQuery('(max-width: 639px)');
  // On touch screens, a focused field would open the keyboard, which the minus and plus buttons do not need.
  const isTouch = useMediaQuery('(pointer: coarse)');

  async function save(counted: Count): Promise<boolean> {
    const isSaved = await count(item, counted, words);
    if (isSaved) onClose();
    return isSaved;
  }

  const forms = (
    <div className={styles.forms}>
      {show === 'all' && (
        <div>
          <OnHand item={item} />
          <UnitsForm item={item} screen={screen} primary focused={!isTouch} onSent={onClose} />
        </div>
      )}
      <CountForm item={item} focused={show === 'count'} primary={show === 'count'} onCount={save} />
    </div>
  );
  if (isPhone) {
    return (
      <Dialog title={item.name} closeLabel={words.say('dialog.close')} onClose={onClose}>
        {forms}
      </Dialog>
    );
  }
  return (
    <AnchoredPopover
      anchor={anchor}
      dir={words.dir}
      label={words.say(show === 'all' ? 'stock.changeNamed' : 'count.named', { name: item.name })}
      onClose={onClose}
    >
      <div className={styles.popover}>
        <p className={styles.name}>
          <bdi>{item.name}</bdi>
        </p>
        {forms}
      </div>
    </AnchoredPopover>
  );
}

function OnHand({ item }: { item: Item }) {
  const { say } = useWords();
  return (
    <p className={styles.onHand}>
      <LiveNumber value={item.quantity} format={(count) => say('stock.onHand', { count })} />
    </p>
  );
}
