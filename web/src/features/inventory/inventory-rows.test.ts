import { expect, test } from 'vitest';
import { pagesFor } from './inventory-rows.ts';

test.each([
  ['at the top: the first page and the next', 0, 20, 100_000, null, [0, 1]],
  ['low on a page: the next one is nearer', 370, 390, 100_000, null, [3, 4]],
  ['high on a page: the one before is nearer', 310, 330, 100_000, null, [2, 3]],
  ['over an edge: both', 395, 415, 100_000, null, [3, 4, 5]],
  ['at the very end: none after it', 980, 999, 1_000, null, [9]],
  ['a short list: one page', 0, 23, 24, null, [0]],
  ['a row that is kept: its page as well', 370, 390, 100_000, 5, [0, 3, 4]],
])('%s', (_, first, last, total, kept, pages) => {
  expect(pagesFor(first, last, total, kept)).toEqual(pages);
});
