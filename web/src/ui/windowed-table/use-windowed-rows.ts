import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

type Options = {
  /** From the top of the page to the first row, in pixels; null until it is known. */
  top: number | null;
  count: number;
  /** The height of a row. With `rowKey` it is an estimate, and each row is measured once it is drawn. */
  height: (index: number) => number;
  /** The key under which the measured height of a row is remembered. Pass the same function on every render. */
  rowKey?: (index: number) => string | number;
  /** All heights are forgotten when this changes. */
  heightsKey: string | number;
  savedHeights?: VirtualItem[];
  /** Rows enter and leave this many at a time: most frames of a scroll then change nothing on the page. */
  rowsPerBlock?: number;
  /** Blocks drawn beyond the window on either side. */
  overscan: number;
  /** Rows that stay drawn wherever the window is, such as the focused row. */
  keep: (firstVisible: number) => (number | null)[];
};

/** A row to draw, with its distance from the first row in pixels. */
export type WindowedRow = { index: number; start: number; end: number };

/** Which rows of a long table to draw: those in view, a few around them, and those to keep. */
export function useWindowedRows(options: Options) {
  const { top, count, height, rowKey, heightsKey, savedHeights = [], rowsPerBlock = 1, overscan, keep } = options;
  const blocks = top === null ? 0 : Math.ceil(count / rowsPerBlock);
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: blocks,
    estimateSize: (block) => height(block * rowsPerBlock) * rowsPerBlock,
    ...(rowKey && { getItemKey: rowKey }),
    overscan,
    scrollMargin: top ?? 0,
    initialMeasurementsCache: savedHeights,
    rangeExtractor: (range) => {
      const kept = keep(range.startIndex * rowsPerBlock).filter((row) => row !== null && row >= 0 && row < count);
      const keptBlocks = kept.map((row) => Math.floor((row ?? 0) / rowsPerBlock));
      return [...new Set([...defaultRangeExtractor(range), ...keptBlocks])].sort((a, b) => a - b);
    },
  });

  // Not on the first render: that would drop the saved heights.
  const measured = useRef(heightsKey);
  useEffect(() => {
    if (measured.current !== heightsKey) virtualizer.measure();
    measured.current = heightsKey;
  }, [heightsKey, virtualizer]);

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
