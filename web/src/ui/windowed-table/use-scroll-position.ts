import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { type ScrollPosition, type StartPosition, saveScrollPosition } from './scroll-position.ts';
import { rowAtTop, scrollToRow, type TableGeometry } from './table-geometry.ts';

const SAVE_MS = 200;

type Rows = {
  /** Identifies the list on screen. While new filters load, this is the old list and `start` belongs to the new one. */
  list: string;
  total: number;
  /** This and `scrollToRow` replace the default functions, which expect rows of equal height. */
  rowAtTop?: typeof rowAtTop;
  scrollToRow?: typeof scrollToRow;
};

/** Restores the scroll position of a list, or starts at its first row, and saves the position as it changes. */
export function useScrollPosition(geometry: TableGeometry | null, rows: Rows, start: StartPosition): void {
  const { list } = rows;
  const latest = useRef({ geometry, start, rowAtTop, scrollToRow, ...rows });
  latest.current = { geometry, start, rowAtTop, scrollToRow, ...rows };
  const restored = useRef<string | null>(null);

  const restore = useCallback((list: string) => {
    const { geometry, start, rowAtTop, scrollToRow } = latest.current;
    if (!geometry) return;
    restored.current = list;
    if (start.total !== null) scrollToRow(geometry, start.row);
    else if (rowAtTop(geometry) > 0) scrollToRow(geometry, 0);
  }, []);

  const ready = geometry !== null;
  useLayoutEffect(() => {
    if (ready) restore(list);
  }, [ready, list, restore]);
  // Restores again, after the app has scrolled to the top because a link was followed.
  useEffect(() => {
    if (ready && latest.current.start.total !== null) restore(list);
  }, [ready, list, restore]);

  // When the row height changes, for example when a phone is turned, the same row stays at the top.
  const measured = useRef(geometry);
  useLayoutEffect(() => {
    const before = measured.current;
    measured.current = geometry;
    if (!before || !geometry || before.row === geometry.row || rowAtTop(before) <= 0) return;
    scrollToRow(geometry, rowAtTop(before));
  }, [geometry]);

  const names = start.names.join('\n');
  // A layout effect, because its cleanup must run before the rows leave the page and the browser scrolls.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let position: ScrollPosition | null = null;
    const save = () => position && saveScrollPosition(names.split('\n'), position);
    const measure = () => {
      const { geometry, total, rowAtTop } = latest.current;
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
      if (position === null) measure();
      save();
    };
  }, [names, list]);

  // Turns off the browser's own scroll restoration, which happens before the rows are there.
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}
