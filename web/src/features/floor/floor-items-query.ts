import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, totalCount } from '../../api/client.ts';
import { type ListFilters, type ListPage, latestOf, orSeen, readItem } from '../../live/item-cache.ts';
import { searchOffline, seenItem } from '../../live/seen-data.ts';
import { rankByUse } from './rank-by-use.ts';

const MAX_RESULTS = 30;
/** The newest items are loaded with the page, so that most scans are found without a request. */
const MAX_LOADED = 200;
const MAX_ENTRIES = 200;
const GC_MS = 60_000;
const noFilters: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };

/** Queries the items that match a search; without a search, the newest ones. The change feed keeps them fresh. */
export function floorItemsQuery(q: string) {
  const limit = q === '' ? MAX_LOADED : MAX_RESULTS;
  return queryOptions({
    // `limit` keeps this list apart from the pages of the table with the same search.
    queryKey: ['list', { ...noFilters, q, limit }, 0],
    gcTime: GC_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, queryKey }) =>
      orSeen(queryKey, fetchItems(q, limit, signal), async () => pageOf(await searchOffline(q, limit))),
  });
}

async function fetchItems(q: string, limit: number, signal: AbortSignal): Promise<ListPage> {
  const query = { ...(q !== '' && { q }), limit: String(limit) };
  const { data, headers } = await call('GET /all-inventory-items', { query, signal });
  return { items: data.map(fromWire).map(latestOf), total: totalCount(headers) };
}

function pageOf(items: Item[]): ListPage {
  return { items, total: items.length };
}

/**
 * Queries the ids of the items that this person uses most and used last, best first. It is not refetched while the page
 * is open: rows must not move under the thumb.
 */
export function usedItemsQuery(userId: string) {
  return queryOptions({
    queryKey: ['floor used', userId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Without an answer, the rows are shown in the order of the list.
    retry: false,
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await call('GET /history', { query: { by: userId, limit: String(MAX_ENTRIES) }, signal });
      return rankByUse(data);
    },
  });
}

/** Queries the items with these ids. Those that were deleted are left out. */
export function itemsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['list', { ...noFilters, ids }, 0],
    enabled: ids.length > 0,
    gcTime: GC_MS,
    queryFn: ({ signal, queryKey }) =>
      orSeen(
        queryKey,
        Promise.all(ids.map((id) => readItem(id, signal))).then((items) =>
          pageOf(items.filter((item) => item !== null)),
        ),
        async () => pageOf((await Promise.all(ids.map(seenItem))).filter((item) => item !== undefined)),
      ),
  });
}
