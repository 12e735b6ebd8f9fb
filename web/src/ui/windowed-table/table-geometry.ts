import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Where the rows are on the page, in pixels. The window scrolls, not the table. */
export type TableGeometry = {
  /** From the top of the page to the first row. */
  top: number;
  /** The height at the top of the window that the sticky table head, and anything sticky above it, covers. */
  head: number;
  /** Row height, from the CSS variable `--row`; 0 where rows differ in height. */
  row: number;
};

/**
 * Measures the table, and measures it again when something above it may have moved it, but never while scrolling. Null
 * before the first measurement.
 */
export function useTableGeometry(body: RefObject<HTMLTableSectionElement | null>, narrow: boolean) {
  const [geometry, setGeometry] = useState<TableGeometry | null>(null);
  const measure = useCallback(() => {
    const headCell = body.current?.closest('table')?.tHead?.querySelector('th');
    if (!body.current || !headCell) return;
    const stickyTop = Number.parseFloat(getComputedStyle(headCell).insetBlockStart) || 0;
    const next = {
      top: Math.round(body.current.getBoundingClientRect().top + window.scrollY),
      head: Math.round(stickyTop + headCell.getBoundingClientRect().height),
      row: rowHeight(body.current),
    };
    setGeometry((now) => (now && isSame(now, next) ? now : next));
  }, [body]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the narrow table has another row height.
  useLayoutEffect(measure, [measure, narrow]);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    const containers = [document.body, body.current?.closest('main'), body.current?.closest('section')];
    for (const container of containers) if (container) observer.observe(container);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [measure, body]);
  return geometry;
}

/** Returns the row height in pixels. `--row` is in rem, so rows grow with the font size. */
function rowHeight(body: HTMLElement): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round(Number.parseFloat(getComputedStyle(body).getPropertyValue('--row')) * rem) || 0;
}

function isSame(a: TableGeometry, b: TableGeometry): boolean {
  return a.top === b.top && a.head === b.head && a.row === b.row;
}

/** Returns the first row below the table head, as a fraction; negative while the page above the table is visible. */
export function rowAtTop({ top, head, row }: TableGeometry): number {
  return (window.scrollY + head - top) / row;
}

export function scrollToRow({ top, head, row }: TableGeometry, to: number): void {
  // 'instant' overrides smooth scrolling, which would take forever across 100,000 rows.
  window.scrollTo({ top: Math.max(0, Math.round(top - head + to * row)), behavior: 'instant' });
}
