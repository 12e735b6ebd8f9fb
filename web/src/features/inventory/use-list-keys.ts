import type { Item } from '@perfume/domain/items';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { rowAtTop, type TableGeometry } from '../../ui/windowed-table/table-geometry.ts';
import { useWords } from '../../words/words.tsx';
import type { Rows } from './inventory-rows.ts';

type ListKeys = {
  rows: Rows;
  geometry: TableGeometry | null;
  /** The index of the row that has the focus, or null. */
  current: number | null;
  /** False while the list shows the past, or while the panel of a row is open. */
  active: boolean;
  /** Whether the person may deliver, receive and count. */
  canMove: boolean;
  /** Whether rows are selected: then D and R are keys of the bulk action bar. */
  hasSelection: boolean;
  goTo: (index: number, control: string) => void;
  onToggle: (index: number) => void;
  onDeliver: (item: Item, units: number) => void;
  onReceive: (item: Item, units: number) => void;
  onCount: (item: Item) => void;
};

/**
 * The keys of a list: J and K move, X selects, D delivers, R receives and C counts on the current row. Without a current
 * row, each of them only goes to the first row in view, so that nothing is changed that the person did not look at.
 */
export function useListKeys(keys: ListKeys): void {
  const { rows, geometry, current, active, goTo } = keys;
  const countable = { countable: true, enabled: keys.canMove && !keys.hasSelection };
  const { say } = useWords();

  const goToFirst = () => goTo(geometry ? Math.max(0, Math.ceil(rowAtTop(geometry))) : 0, 'open');
  function move(by: number): void {
    if (current === null) goToFirst();
    else goTo(current + by, 'open');
  }
  function onCurrent(change: (item: Item) => void): void {
    const item = current === null ? undefined : rows.at(current);
    if (current === null) goToFirst();
    else if (item && active) change(item);
  }

  useShortcut('j', say('keys.next'), () => move(1), { repeats: true });
  useShortcut('k', say('keys.previous'), () => move(-1), { repeats: true });
  useShortcut('x', say('keys.select'), () => onCurrent(() => keys.onToggle(current ?? 0)));
  useShortcut('d', say('keys.deliver'), (units) => onCurrent((item) => keys.onDeliver(item, units)), countable);
  useShortcut('r', say('keys.receive'), (units) => onCurrent((item) => keys.onReceive(item, units)), countable);
  useShortcut('c', say('keys.count'), () => onCurrent(keys.onCount), { enabled: keys.canMove });
}
