import type { SortOrder } from '@perfume/domain/list-filters';

const sortColumns = { newest: 'num', name: 'name_key', price: 'price_cents', quantity: 'quantity' } as const;

/** The column that a list is sorted by, and whether its highest value comes first. */
export function sortOf(sort: SortOrder) {
  const reversed = sort.startsWith('-');
  const key = sort.replace('-', '') as keyof typeof sortColumns;
  // "newest" is the descending order of the numbers.
  return { column: sortColumns[key], descending: key === 'newest' ? !reversed : reversed };
}
