import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import {
  rowAtTop,
  scrollToRow,
  type TableGeometry,
  useManualScrollRestoration,
} from '../../ui/windowed-table/table-geometry.ts';
import type { Rows } from './inventory-rows.ts';
import { scrollKey } from './list-filters.ts';
import { type ScrollPosition, saveScrollPosition } from './scroll-position.ts';

const SAVE_MS = 200;

/** Restores the scroll position of this list, or starts at its first row, and saves the position as it changes. */
export function useScrollPosition(
  geometry: TableGeometry | null,
  rows: Rows,
  start: ScrollPosition & { entry: string },
): void {
  const list = scrollKey(rows.filters);
  const latest = useRef({ geometry, start, total: rows.total });
  latest.current = { geometry, start, total: rows.total };
  const restored = useRef<string | null>(null);

  const restore = useCallback((list: string) => {
    const { geometry, start } = latest.current;
    if (!geometry) return;
    restored.current = list;
    if (start.total !== null) scrollToRow(geometry, start.row);
    else if (rowAtTop(geometry) > 0) scrollToRow(geometry, 0);
  }, []);

  const ready = geometry !== null;
  useLayoutEffect(() => {
    if (ready) restore(list);
  }, [ready, list, restore]);
  // Again after the router, which scrolls to the top when a link is followed.
  useEffect(() => {
    if (ready && latest.current.start.total !== null) restore(list);
  }, [ready, list, restore]);

  // When the row height changes, as on turning a phone, the same row stays at the top.
  const measured = useRef(geometry);
  useLayoutEffect(() => {
    const before = measured.current;
    measured.current = geometry;
    if (!before || !geometry || before.row === geometry.row || rowAtTop(before) <= 0) return;
    scrollToRow(geometry, rowAtTop(before));
  }, [geometry]);

  const entry = start.entry;
  // A layout effect, because its cleanup must run before the rows leave the page and the browser scrolls.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let position: ScrollPosition | null = null;
    const save = () => position && saveScrollPosition(entry, list, position);
    const measure = () => {
      const { geometry, total } = latest.current;
      if (geometry && restored.current === list) position = { row: rowAtTop(geometry), total };
    };
    const scrolled = () => {
      measure();
      timer ??= setTimeout(() => {
        timer = undefined;
        save();
      }, SAVE_MS);
    };
    const leaving = () => {
      measure();
      save();
    };
    // Capture phase: measuring before the rows re-render avoids a forced layout.
    const early = { capture: true, passive: true };
    addEventListener('scroll', scrolled, early);
    addEventListener('pagehide', leaving);
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', scrolled, early);
      removeEventListener('pagehide', leaving);
      save();
    };
  }, [entry, list]);

  useManualScrollRestoration();
}
