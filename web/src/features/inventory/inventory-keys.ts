import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Geometry } from './inventory-geometry.ts';

/** Where the keyboard is in the table: a row, and what of the row. */
type Spot = { index: number; id: string; control: string };

type Where = {
  body: RefObject<HTMLTableSectionElement | null>;
  geometry: Geometry | null;
  total: number;
  /** Which row an item is now, as far as that is known. */
  indexOf: (id: string) => number | undefined;
  onToggle: (index: number) => void;
};

/**
 * Arrow keys go from row to row and stay with what they were on; Home, End and the page keys go further; Space on a
 * name ticks its row. The row with the focus stays on the page however far one scrolls away from it.
 */
export function useRowKeys({ body, geometry, total, indexOf, onToggle }: Where) {
  const [spot, setSpot] = useState<Spot | null>(null);
  const going = useRef<{ index: number; control: string } | null>(null);

  const reach = useCallback(
    (index: number, control: string) => {
      const row = body.current?.querySelector(`[data-row="${index}"]`);
      const target =
        row?.querySelector<HTMLElement>(`[data-control="${control}"]`) ?? row?.querySelector<HTMLElement>('a');
      target?.focus({ preventScroll: true });
      return target !== undefined && target !== null;
    },
    [body],
  );

  const goTo = useCallback(
    (wanted: number, control: string) => {
      if (!geometry || total === 0) return;
      const index = Math.min(Math.max(0, wanted), total - 1);
      bringIntoSight(geometry, index);
      going.current = reach(index, control) ? null : { index, control };
    },
    [geometry, total, reach],
  );

  useLayoutEffect(() => {
    if (going.current && reach(going.current.index, going.current.control)) going.current = null;
    // The row that had the focus is gone: the one in its place takes over.
    if (spot && document.activeElement === document.body && total > 0) {
      const place = indexOf(spot.id);
      if (place === undefined) reach(Math.min(spot.index, total - 1), spot.control);
    }
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const at = spotOf(event.target);
    if (!at || event.altKey || event.metaKey || event.ctrlKey) return;
    const from = going.current?.index ?? at.index;
    const page = geometry ? Math.max(1, Math.floor((window.innerHeight - geometry.head) / geometry.row) - 1) : 1;
    const steps: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: total - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      goTo(to, at.control);
    } else if (event.key === ' ' && at.control === 'open') {
      event.preventDefault();
      onToggle(at.index);
    }
  }

  function onFocus(event: FocusEvent<HTMLElement>): void {
    setSpot(spotOf(event.target));
  }

  function onBlur({ relatedTarget }: FocusEvent<HTMLElement>): void {
    // A dialog that the row has opened gives the focus back.
    const stays = relatedTarget === null || relatedTarget.closest('[role=dialog], [role=alertdialog]');
    if (!stays && !body.current?.contains(relatedTarget)) setSpot(null);
  }

  const kept = spot && (indexOf(spot.id) ?? spot.index);
  return { kept, goTo, onKeyDown, onFocus, onBlur };
}

function spotOf(target: EventTarget): Spot | null {
  if (!(target instanceof HTMLElement)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  const control = target.dataset.control;
  if (!row || control === undefined) return null;
  return { index: Number(row.dataset.row), id: row.dataset.id ?? '', control };
}

const BAR = 96;

/** As little as needed, with room for what covers the page above and below. */
function bringIntoSight({ top, head, row }: Geometry, index: number): void {
  const start = top + index * row;
  const above = start - head - window.scrollY;
  const below = start + row + BAR - window.innerHeight - window.scrollY;
  if (above < 0) window.scrollBy({ top: above, behavior: 'instant' });
  else if (below > 0) window.scrollBy({ top: below, behavior: 'instant' });
}
