import { isSafeText } from './safe-text.ts';

export const sortOrders = ['newest', 'name', 'price', 'quantity', '-newest', '-name', '-price', '-quantity'] as const;
export type SortOrder = (typeof sortOrders)[number];
export const stockFilters = ['in', 'low', 'out'] as const;
export type StockFilter = (typeof stockFilters)[number];

/** Which items a list shows, and in which order. */
export type ItemFilters = { q: string; sort: SortOrder; stock: StockFilter | null };

const SEARCH_MAX = 200;

/**
 * Reads the filters of a list of items from the query string of its page. Unknown values are ignored. The list of a
 * person's own items (`mine`) has no search.
 */
export function readItemFilters(search: URLSearchParams, scope: 'all' | 'mine'): ItemFilters {
  const q = (search.get('q') ?? '').trim().slice(0, SEARCH_MAX);
  return {
    q: scope === 'all' && isSafeText(q) ? q : '',
    sort: sortOrders.find((sort) => sort === search.get('sort')) ?? 'newest',
    stock: stockFilters.find((stock) => stock === search.get('stock')) ?? null,
  };
}
