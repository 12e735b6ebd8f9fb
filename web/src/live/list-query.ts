import type { SortOrder } from '@perfume/contract/items';
import { isSafeText } from '@perfume/domain/text';
import type { ListFilters } from './item-cache.ts';

const sorts: Record<SortOrder, true> = {
  newest: true,
  '-newest': true,
  name: true,
  '-name': true,
  price: true,
  '-price': true,
  quantity: true,
  '-quantity': true,
};
const stocks: Record<NonNullable<ListFilters['stock']>, true> = { in: true, low: true, out: true };
const MAX_LENGTH = 200;

/** Reads the filters of a list of today's items from a query string. Unknown values are ignored. */
export function filtersOf(search: URLSearchParams, scope: ListFilters['scope'], email: string): ListFilters {
  const sort = search.get('sort') ?? '';
  const stock = search.get('stock') ?? '';
  const q = (search.get('q') ?? '').trim().slice(0, MAX_LENGTH);
  return {
    scope,
    // The list of all items is the same for every user.
    email: scope === 'mine' ? email : '',
    q: scope === 'all' && isSafeText(q) ? q : '',
    sort: Object.hasOwn(sorts, sort) ? (sort as SortOrder) : 'newest',
    stock: Object.hasOwn(stocks, stock) ? (stock as ListFilters['stock']) : null,
  };
}
