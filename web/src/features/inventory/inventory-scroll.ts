import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { type Sighting, shiftOf } from './inventory-anchor.ts';
import { type Geometry, rowAtTop, scrollToRow } from './inventory-geometry.ts';
import { keepPlace, type Place } from './inventory-place.ts';
import type { Rows } from './inventory-rows.ts';
import { scrollKey } from './list-filters.ts';

const KEEP_MS = 200;

/** Goes to where one was with this filters, or to its first row; and remembers where one is. */
export function useKeptPlace(geometry: Geometry | null, rows: Rows, start: Place & { entry: string }): void {
  const filters = scrollKey(rows.filters);
  const latest = useRef({ geometry, start, total: rows.total });
  latest.current = { geometry, start, total: rows.total };
  const arrived = useRef<string | null>(null);

  const arrive = useCallback((at: string) => {
    const { geometry, start } = latest.current;
    if (!geometry) return;
    arrived.current = at;
    if (start.total !== null) scrollToRow(geometry, start.row);
    else if (rowAtTop(geometry) > 0) scrollToRow(geometry, 0);
  }, []);

  const ready = geometry !== null;
  useLayoutEffect(() => {
    if (ready) arrive(filters);
  }, [ready, filters, arrive]);
  // Once more after the page has had its say: a followed link starts every page at its top.
  useEffect(() => {
    if (ready && latest.current.start.total !== null) arrive(filters);
  }, [ready, filters, arrive]);

  // Rows of another height, as when a phone is turned: the same row stays at the top.
  const measured = useRef(geometry);
  useLayoutEffect(() => {
    const before = measured.current;
    measured.current = geometry;
    if (!before || !geometry || before.row === geometry.row || rowAtTop(before) <= 0) return;
    scrollToRow(geometry, rowAtTop(before));
  }, [geometry]);

  const entry = start.entry;
  // With the layout, not after it: once the rows are off the page, the window scrolls by itself.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let place: Place | null = null;
    const keep = () => place && keepPlace(entry, filters, place);
    const onRowsInView = () => {
      const { geometry, total } = latest.current;
      if (geometry && arrived.current === filters) place = { row: rowAtTop(geometry), total };
    };
    const scrolled = () => {
      onRowsInView();
      timer ??= setTimeout(() => {
        timer = undefined;
        keep();
      }, KEEP_MS);
    };
    const leaving = () => {
      onRowsInView();
      keep();
    };
    // Before the rows are drawn anew: to onRowsInView afterwards would make the browser lay out the page at once.
    const early = { capture: true, passive: true };
    addEventListener('scroll', scrolled, early);
    addEventListener('pagehide', leaving);
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', scrolled, early);
      removeEventListener('pagehide', leaving);
      keep();
    };
  }, [entry, filters]);

  // The browser's own way back does not know yet how high the page will be.
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}

/** Keeps what one looks at in its place when rows above it come or go. */
export function useAnchor(geometry: Geometry | null, rows: Rows, first: number, last: number): void {
  const before = useRef<{ rows: Rows; seen: Sighting[] } | null>(null);
  useLayoutEffect(() => {
    if (!geometry) return;
    let shift = 0;
    if (before.current && isNews(before.current.rows, rows) && rowAtTop(geometry) > 0) {
      shift = shiftOf(before.current.seen, rows.indexOf);
      if (shift !== 0) window.scrollBy({ top: shift * geometry.row, behavior: 'instant' });
    }
    const seen: Sighting[] = [];
    for (let index = Math.max(0, first + shift); index <= last + shift; index++) {
      const item = rows.at(index);
      if (item) seen.push({ id: item.id, index });
    }
    before.current = { rows, seen };
  });
}

/** Another answer to the same filters. */
function isNews(before: Rows, now: Rows): boolean {
  if (scrollKey(before.filters) !== scrollKey(now.filters)) return false;
  return before.pages.length !== now.pages.length || before.pages.some((page, at) => page !== now.pages[at]);
}
