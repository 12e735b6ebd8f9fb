import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Where the rows are on the page, in pixels. The window scrolls, not the table. */
export type Geometry = {
  /** From the top of the page to the first row. */
  top: number;
  /** How much of the window the head covers once it sticks, and whatever of the dashboard is above it. */
  head: number;
  row: number;
};

type Parts = { body: RefObject<HTMLTableSectionElement | null>; head: RefObject<HTMLTableSectionElement | null> };

/** Measured again whenever something may have moved the table; never while scrolling. */
export function useGeometry({ body, head }: Parts, narrow: boolean): Geometry | null {
  const [geometry, setGeometry] = useState<Geometry | null>(null);
  const measure = useCallback(() => {
    const cell = head.current?.querySelector('th');
    if (!body.current || !cell) return;
    const sticks = Number.parseFloat(getComputedStyle(cell).insetBlockStart) || 0;
    const next = {
      top: Math.round(body.current.getBoundingClientRect().top + window.scrollY),
      head: Math.round(sticks + cell.getBoundingClientRect().height),
      row: rowHeight(body.current),
    };
    setGeometry((now) => (now && isSame(now, next) ? now : next));
  }, [body, head]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the narrow table has rows of another height.
  useLayoutEffect(measure, [measure, narrow]);
  useEffect(() => {
    const watcher = new ResizeObserver(measure);
    // Whatever stands above the table is in one of these.
    for (const part of [document.body, body.current?.closest('section')]) if (part) watcher.observe(part);
    addEventListener('resize', measure);
    return () => {
      watcher.disconnect();
      removeEventListener('resize', measure);
    };
  }, [measure, body]);
  return geometry;
}

/** `--row` is in rem, so that rows grow with the letters. */
function rowHeight(body: HTMLElement): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round(Number.parseFloat(getComputedStyle(body).getPropertyValue('--row')) * rem);
}

function isSame(a: Geometry, b: Geometry): boolean {
  return a.top === b.top && a.head === b.head && a.row === b.row;
}

/** The first row below the head, parts of a row included; negative while what stands above the table is in sight. */
export function rowAtTop({ top, head, row }: Geometry): number {
  return (window.scrollY + head - top) / row;
}

export function scrollToRow({ top, head, row }: Geometry, to: number): void {
  // The page may have been told to scroll smoothly; over 100,000 rows nobody would want to wait.
  window.scrollTo({ top: Math.max(0, Math.round(top - head + to * row)), behavior: 'instant' });
}
