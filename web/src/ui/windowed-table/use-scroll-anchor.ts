import { useLayoutEffect, useRef } from 'react';
import { rowAtTop, type TableGeometry } from './table-geometry.ts';

type SeenRow = { id: string; index: number };

/** The loaded rows of a list. The same `key` with other `pages` is new data for the same list, not another list. */
type AnchoredRows = {
  key: string;
  pages: readonly unknown[];
  at: (index: number) => { id: string } | undefined;
  indexOf: (id: string) => number | undefined;
};

/** Keeps the visible rows in place when rows above them are inserted or removed, by scrolling the window. */
export function useScrollAnchor(geometry: TableGeometry | null, rows: AnchoredRows, first: number, last: number): void {
  const before = useRef<{ rows: AnchoredRows; seen: SeenRow[] } | null>(null);
  useLayoutEffect(() => {
    if (!geometry) return;
    let shift = 0;
    if (before.current && isUpdate(before.current.rows, rows) && rowAtTop(geometry) > 0) {
      shift = shiftOf(before.current.seen, rows.indexOf);
      if (shift !== 0) window.scrollBy({ top: shift * geometry.row, behavior: 'instant' });
    }
    const seen: SeenRow[] = [];
    for (let index = Math.max(0, first + shift); index <= last + shift; index++) {
      const row = rows.at(index);
      if (row) seen.push({ id: row.id, index });
    }
    before.current = { rows, seen };
  });
}

function isUpdate(before: AnchoredRows, now: AnchoredRows): boolean {
  if (before.key !== now.key) return false;
  return before.pages.length !== now.pages.length || before.pages.some((page, at) => page !== now.pages[at]);
}

/** Returns by how many rows most of the seen rows have moved. A single row that moved on its own does not count. */
export function shiftOf(seen: readonly SeenRow[], indexOf: (id: string) => number | undefined): number {
  const votes = new Map<number, number>();
  let shift = 0;
  for (const { id, index } of seen) {
    const now = indexOf(id);
    if (now === undefined) continue;
    const count = (votes.get(now - index) ?? 0) + 1;
    votes.set(now - index, count);
    if (count > (votes.get(shift) ?? 0)) shift = now - index;
  }
  return shift;
}
