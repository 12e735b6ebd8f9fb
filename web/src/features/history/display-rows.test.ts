import type { WireEntry } from '@perfume/contract/history';
import { describe, expect, test } from 'vitest';
import { testEntry } from '../../testing.ts';
import { displayRows } from './display-rows.ts';

const entry = (id: string, day: number, batch: string | null = null) =>
  testEntry({ id, itemId: id, itemName: id, at: new Date(2026, 4, day, 12).toISOString(), batch });
const rowsOf = (entries: WireEntry[], expanded: string[] = []) =>
  displayRows(entries, new Set(expanded)).map((row) => {
    if (row.kind === 'day') return new Date(row.at).getDate();
    return row.kind === 'entry' ? row.entry.id : row.entries.map(({ id }) => id).join('+');
  });

describe('the rows of the history', () => {
  test('are grouped by day', () => {
    expect(rowsOf([entry('c', 3), entry('b', 2), entry('a', 2)])).toEqual([3, 'c', 2, 'b', 'a']);
  });

  test('a batch is one row, even with other entries in between', () => {
    expect(rowsOf([entry('d', 2, 'x'), entry('c', 2), entry('b', 2, 'x'), entry('a', 2)])).toEqual([
      2,
      'd+b',
      'c',
      'a',
    ]);
  });

  test('an expanded batch shows its entries', () => {
    const entries = [entry('b', 2, 'x'), entry('a', 2, 'x')];
    const batch = displayRows(entries, new Set()).find(({ kind }) => kind === 'batch');
    expect(rowsOf(entries, [batch?.key ?? ''])).toEqual([2, 'b+a', 'b', 'a']);
  });

  test('a single entry of a batch is an entry like any other', () => {
    expect(rowsOf([entry('a', 2, 'x')])).toEqual([2, 'a']);
  });

  test('a batch across midnight appears under both days', () => {
    expect(rowsOf([entry('d', 3, 'x'), entry('c', 3, 'x'), entry('b', 2, 'x'), entry('a', 2, 'x')])).toEqual([
      3,
      'd+c',
      2,
      'b+a',
    ]);
  });
});
