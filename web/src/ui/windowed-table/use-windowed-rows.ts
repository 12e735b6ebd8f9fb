import { defaultRangeExtractor, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { TableGeometry } from './table-geometry.ts';

type Options = {
  /** From the top of the page to the first row, in pixels; null until it is known. */
  top: number | null;
  count: number;
  /** The height of a row. With `rowKey` it is an estimate, until the row is drawn and measured. */
  height: (index: number) => number;
  /**
   * The key under which the measured height of a row is remembered, also after the table has left the page. Pass the
   * same function on every render.
   */
  rowKey?: (index: number) => string;
  /** When this value changes, the rows may have other heights and are measured again. */
  heightsKey: string | number;
  /** Rows are added and removed this many at a time, so that most frames of a scroll change nothing on the page. */
  rowsPerBlock?: number;
  /** Blocks drawn beyond the window on either side. */
  overscan: number;
  /** Rows that stay drawn wherever the window is, such as the focused row. */
  keep: (firstVisible: number) => (number | null)[];
};

/** The heights of rows drawn earlier. With estimates instead, a restored scroll position would show other rows. */
const measuredHeights = new Map<string, number>();
const MAX_HEIGHTS = 5_000;

/** A row to draw, with its distance from the first row in pixels. */
export type WindowedRow = { index: number; start: number; end: number };

/** Decides which rows of a long table to draw: the visible rows, a few around them, and those that `keep` names. */
export function useWindowedRows(options: Options) {
  const { top, count, height, rowKey, heightsKey, rowsPerBlock = 1, overscan, keep } = options;
  const blocks = top === null ? 0 : Math.ceil(count / rowsPerBlock);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: blocks,
    estimateSize: (block) =>
      (rowKey && measuredHeights.get(`${heightsKey} ${rowKey(block)}`)) ?? height(block * rowsPerBlock) * rowsPerBlock,
    ...(rowKey && { getItemKey: rowKey }),
    overscan,
    scrollMargin: top ?? 0,
    rangeExtractor: (range) => {
      const kept = keep(range.startIndex * rowsPerBlock).filter((row) => row !== null && row >= 0 && row < count);
      const keptBlocks = kept.map((row) => Math.floor((row ?? 0) / rowsPerBlock));
      return [...new Set([...defaultRangeExtractor(range), ...keptBlocks])].sort((a, b) => a - b);
    },
  });

  // Measures again only when `heightsKey` changes, not on the first render.
  const measured = useRef(heightsKey);
  useEffect(() => {
    if (measured.current !== heightsKey) virtualizer.measure();
    measured.current = heightsKey;
  }, [heightsKey, virtualizer]);
  // Remembers the measured heights. A layout effect, because its cleanup must run before the rows change or leave the
  // page.
  useLayoutEffect(
    () => () => {
      for (const { key, size } of virtualizer.takeSnapshot()) measuredHeights.set(`${heightsKey} ${key}`, size);
      for (const oldest of [...measuredHeights.keys()].slice(0, -MAX_HEIGHTS)) measuredHeights.delete(oldest);
    },
    [heightsKey, virtualizer],
  );

  const rows = virtualizer.getVirtualItems().flatMap(({ index: block, start, size }) =>
    Array.from({ length: rowsPerBlock }, (_, offset): WindowedRow => {
      const rowHeight = size / rowsPerBlock;
      const rowStart = start - (top ?? 0) + offset * rowHeight;
      return { index: block * rowsPerBlock + offset, start: rowStart, end: rowStart + rowHeight };
    }),
  );
  const missing = blocks * rowsPerBlock - count;
  const { range } = virtualizer;
  return {
    virtualizer,
    rows: rows.filter(({ index }) => index < count),
    totalHeight: blocks === 0 ? 0 : virtualizer.getTotalSize() - missing * height(count - 1),
    first: range ? range.startIndex * rowsPerBlock : 0,
    last: range ? Math.min(count, (range.endIndex + 1) * rowsPerBlock) - 1 : -1,
  };
}

type Measured = Pick<Virtualizer<Window, HTMLTableRowElement>, 'getVirtualItemForOffset' | 'measurementsCache'>;

/** Does the same as `rowAtTop`, for rows that differ in height. */
export function measuredRowAtTop(virtualizer: Measured, { head }: TableGeometry): number {
  const row = virtualizer.getVirtualItemForOffset(window.scrollY + head);
  return row ? row.index + (window.scrollY + head - row.start) / row.size : 0;
}

/** Does the same as `scrollToRow`, for rows that differ in height. */
export function scrollToMeasuredRow({ measurementsCache: rows }: Measured, { head }: TableGeometry, to: number): void {
  const row = rows[Math.max(0, Math.min(Math.floor(to), rows.length - 1))];
  if (row) window.scrollTo({ top: Math.max(0, row.start + (to - row.index) * row.size - head), behavior: 'instant' });
}
