import type { VirtualItem } from '@tanstack/react-virtual';
import { expect, test, vi } from 'vitest';
import { measuredRowAtTop, scrollToMeasuredRow } from './use-windowed-rows.ts';

const geometry = { top: 300, head: 40, row: 0 };

function rowsOf(heights: number[]) {
  let end = geometry.top;
  const measurementsCache = heights.map((size, index): VirtualItem => {
    const start = end;
    end += size;
    return { index, key: index, start, size, end, lane: 0 };
  });
  const getVirtualItemForOffset = (offset: number) =>
    measurementsCache.findLast(({ start }) => start <= offset) ?? measurementsCache[0];
  return { measurementsCache, getVirtualItemForOffset };
}

const page = { scrollY: 0, scrollTo: ({ top }: { top: number }) => Object.assign(page, { scrollY: top }) };
vi.stubGlobal('window', page);

test.each([0, 120, 270, 333, 460])('scrolling to the row at the top of the window changes nothing, at %i px', (y) => {
  const rows = rowsOf([56, 112, 70, 56, 112]);
  page.scrollY = y;
  const row = measuredRowAtTop(rows, geometry);
  page.scrollY = 0;
  scrollToMeasuredRow(rows, geometry, row);
  expect(page.scrollY).toBeCloseTo(y);
});

test('the row at the top stays there when the rows above it have other heights', () => {
  page.scrollY = 300 + 56 + 112 + 35 - 40;
  expect(measuredRowAtTop(rowsOf([56, 112, 70, 56]), geometry)).toBe(2.5);
  scrollToMeasuredRow(rowsOf([56, 56, 70, 56]), geometry, 2.5);
  expect(page.scrollY).toBe(300 + 56 + 56 + 35 - 40);
});

test('a row beyond the last one scrolls to the end', () => {
  scrollToMeasuredRow(rowsOf([56, 56]), geometry, 90);
  expect(page.scrollY).toBeGreaterThan(300 + 56);
});
