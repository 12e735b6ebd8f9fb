import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { TableGeometry } from './table-geometry.ts';

/** The control that has the focus: the index and id of its row, and its name in `data-control`. */
type FocusedControl = { index: number; id: string; control: string };

type Options = {
  body: RefObject<HTMLTableSectionElement | null>;
  geometry: TableGeometry | null;
  total: number;
  /** The current index of a row, if it is loaded. */
  indexOf: (id: string) => number | undefined;
  onToggle: (index: number) => void;
};

/**
 * Keyboard control of a table. Arrow keys move between rows and stay on the same control, Page Up and Page Down move by
 * a screen, Home and End go to the first and last row. Space on the `open` control selects its row. `kept` is the
 * focused row, which must stay drawn to keep the focus.
 */
export function useRowKeys({ body, geometry, total, indexOf, onToggle }: Options) {
  const [focused, setFocused] = useState<FocusedControl | null>(null);
  const pending = useRef<{ index: number; control: string } | null>(null);

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
      scrollIntoView(geometry, index);
      pending.current = reach(index, control) ? null : { index, control };
    },
    [geometry, total, reach],
  );

  useLayoutEffect(() => {
    if (pending.current && reach(pending.current.index, pending.current.control)) pending.current = null;
    // If the focused row was removed, the row that is now in its place gets the focus.
    if (focused && document.activeElement === document.body && total > 0) {
      if (indexOf(focused.id) === undefined) reach(Math.min(focused.index, total - 1), focused.control);
    }
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const at = controlOf(event.target);
    if (!at || event.altKey || event.metaKey || event.ctrlKey) return;
    const from = pending.current?.index ?? at.index;
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
    setFocused(controlOf(event.target));
  }

  function onBlur({ relatedTarget }: FocusEvent<HTMLElement>): void {
    // A dialog that was opened from the row gives the focus back to the row, so the row still counts as focused.
    const stays = relatedTarget === null || relatedTarget.closest('[role=dialog], [role=alertdialog]');
    if (!stays && !body.current?.contains(relatedTarget)) setFocused(null);
  }

  const kept = focused && (indexOf(focused.id) ?? focused.index);
  return { kept, goTo, onKeyDown, onFocus, onBlur };
}

function controlOf(target: EventTarget): FocusedControl | null {
  if (!(target instanceof HTMLElement)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  const control = target.dataset.control;
  if (!row || control === undefined) return null;
  return { index: Number(row.dataset.row), id: row.dataset.id ?? '', control };
}

/** Height in pixels that the bulk action bar may cover at the bottom of the window. */
const BAR = 96;

/** Scrolls as little as needed to show the row between the sticky head and the bottom bar. */
function scrollIntoView({ top, head, row }: TableGeometry, index: number): void {
  const start = top + index * row;
  const above = start - head - window.scrollY;
  const below = start + row + BAR - window.innerHeight - window.scrollY;
  if (above < 0) window.scrollBy({ top: above, behavior: 'instant' });
  else if (below > 0) window.scrollBy({ top: below, behavior: 'instant' });
}
