import { expect, test } from 'vitest';
import { repeatFinder } from './repeated-rows.ts';

test('a row that repeats a code says which row had it, and rows beyond the memory are refused', () => {
  const find = repeatFinder(4);
  expect(find({ sku: 'OUD-1', barcodes: ['4006381333931'] }, 2)).toBeNull();
  expect(find({ name: 'Without a code' }, 3)).toBeNull();
  const id = '0193d0b2-1111-7000-8000-000000000001';
  expect(find({ id, barcodes: ['4006381333931', '96385074'] }, 4)).toEqual({
    field: 'barcodes',
    error: { code: 'same_as_row', row: 2 },
  });
  expect(find({ sku: 'OUD-2', barcodes: ['96385074'] }, 5)).toBeNull();
  expect(find({ sku: 'OUD-3' }, 6)).toEqual({ field: 'sku', error: { code: 'table_too_large' } });
  expect(find({ sku: 'oud-2' }, 7)).toEqual({ field: 'sku', error: { code: 'same_as_row', row: 5 } });
  expect(find({ name: 'Without a code' }, 8)).toBeNull();
});
