import { fromWire } from '@perfume/contract/wire-item';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, totalCount } from '../../api/client.ts';
import type { ListFilters, ListPage } from '../../live/item-cache.ts';

export const MAX_RESULTS = 8;
/** A search returns the newest items first, so more are read where the best match by name must not be missing. */
export const MAX_CANDIDATES = 100;
const GC_MS = 30_000;

/**
 * Queries the first items that match a search. The result is cached as a list of its own, which the change feed keeps
 * fresh.
 */
export function paletteItemsQuery(q: string, limit: number = MAX_RESULTS) {
  const filters: ListFilters = { scope: 'all', email: '', q, sort: 'newest', stock: null };
  return queryOptions({
    // `limit` keeps this key apart from the table's: with the same key, these rows would count as a page of the table.
    queryKey: ['list', { ...filters, limit }, 0],
    enabled: q !== '',
    gcTime: GC_MS,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ListPage> => {
      const { data, headers } = await call('GET /all-inventory-items', {
        query: { q, limit: String(limit) },
        signal,
      });
      return { items: data.map(fromWire), total: totalCount(headers) };
    },
  });
}
