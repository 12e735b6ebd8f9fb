import { describe, expect, test } from 'vitest';
import { historyParams, isFiltered, noFilters, readHistoryFilters } from './history-filters.ts';

const read = (search: string) => readHistoryFilters(new URLSearchParams(search));
const item = '0190a000-0000-7000-8000-000000000001';

describe('the query string of the history', () => {
  test('is read into filters', () => {
    expect(read(`item=${item.toUpperCase()}&kind=restock&by=u1&from=2026-05-01&to=2026-05-31`)).toEqual({
      item,
      kind: 'restock',
      reason: null,
      by: 'u1',
      from: '2026-05-01',
      to: '2026-05-31',
    });
  });

  test('has a reason for corrections only', () => {
    const filters = { ...noFilters, kind: 'correction', reason: 'theft' } as const;
    expect(read('kind=correction&reason=theft')).toEqual(filters);
    expect(historyParams(filters)).toEqual({ kind: 'correction', reason: 'theft' });
    expect(read('kind=deliver&reason=theft').reason).toBeNull();
  });

  test.each([
    '',
    'reason=theft',
    'kind=sold',
    'kind=toString',
    'item=7',
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-13-01',
    'by=',
    `by=${'x'.repeat(201)}`,
  ])('filters nothing when it makes no sense: %s', (search) => {
    expect(read(search)).toEqual(noFilters);
    expect(isFiltered(read(search))).toBe(false);
  });

  test('means whole days in the local time zone', () => {
    const { from, to } = historyParams({ ...noFilters, from: '2026-03-29', to: '2026-03-29' });
    expect(from).toBe(new Date(2026, 2, 29).toISOString());
    expect(to).toBe(new Date(2026, 2, 30).toISOString());
  });
});
