import type { SortOrder } from '@perfume/contract/items';
import { fromWire, type WireItem } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { type Query, type QueryKey, queryOptions } from '@tanstack/react-query';
import { withAccessToken } from '../api/access-token.ts';
import { call, nextCursor, type Reply, totalCount } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { retryUntilAnswered } from '../api/retry.ts';

/** What a list of items shows, and in which order. `mine` lists one person's items and needs the access token. */
export type ListFilters = {
  scope: 'all' | 'mine';
  email: string;
  q: string;
  sort: SortOrder;
  stock: 'in' | 'low' | 'out' | null;
  /** Shows the list as it was at this instant. */
  at?: string;
};

export type ListPage = { items: Item[]; total: number };

export const PAGE_ROWS = 100;
/** Rows scrolled past are forgotten soon, so a long list takes no more memory than a short one. */
const KEPT_MS = 15_000;
/** What is past stays as it is, and people leaf to and fro in it. */
const past = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 };

/** Rows `page * PAGE_ROWS` and following. */
export function listPageQuery(filters: ListFilters, page: number) {
  const isPast = filters.at !== undefined;
  return queryOptions({
    // The past has a name of its own: what happens to the lists of today passes it by.
    queryKey: [isPast ? 'list then' : 'list', filters, page],
    gcTime: KEPT_MS,
    ...(isPast && past),
    queryFn: async ({ signal }): Promise<ListPage> => {
      const { data, headers } = await fetchList(filters, { limit: PAGE_ROWS, skip: page * PAGE_ROWS }, signal);
      const items = data.map(fromWire);
      return { items: isPast ? items : items.map(latestOf), total: totalCount(headers) };
    },
  });
}

/** The item, or null when there is none by that id. */
export function itemQuery(id: string) {
  return queryOptions({
    queryKey: ['item', id],
    queryFn: ({ signal }) => readItem(id, signal),
  });
}

export async function readItem(id: string, signal: AbortSignal): Promise<Item | null> {
  const { data } = await call('GET /manage-inventory', { query: { _id: id }, signal });
  return data[0] ? latestOf(fromWire(data[0])) : null;
}

const MOST_AT_ONCE = 200;

/** Every item that matches, however many: for exports and for "select all". */
export async function* eachMatching(filters: ListFilters, signal: AbortSignal): AsyncGenerator<ListPage> {
  let cursor: string | null = null;
  do {
    const part: Part = { limit: MOST_AT_ONCE, cursor };
    const { data, headers }: Reply<WireItem[]> = await retryUntilAnswered(
      (trying) => fetchList(filters, part, trying),
      signal,
    );
    yield { items: data.map(fromWire), total: totalCount(headers) };
    cursor = nextCursor(headers);
  } while (cursor !== null);
}

/** The rows from one place of the list to another, both included, as they stand now. */
export async function* eachInRange(
  filters: ListFilters,
  first: number,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  for (let skip = first; skip <= last; skip += MOST_AT_ONCE) {
    const limit = Math.min(MOST_AT_ONCE, last - skip + 1);
    const { data } = await retryUntilAnswered((trying) => fetchList(filters, { limit, skip }, trying), signal);
    yield data.map(fromWire);
    if (data.length < limit) return;
  }
}

type Part = { limit: number; skip?: number; cursor?: string | null };

async function fetchList(filters: ListFilters, part: Part, signal: AbortSignal): Promise<Reply<WireItem[]>> {
  const query = {
    limit: String(part.limit),
    ...(part.skip && { skip: String(part.skip) }),
    ...(part.cursor && { cursor: part.cursor }),
    ...(filters.q && { q: filters.q }),
    ...(filters.sort !== 'newest' && { sort: filters.sort }),
    ...(filters.stock && { stock: filters.stock }),
  };
  if (filters.at !== undefined) {
    const { at } = filters;
    return call('GET /as-of', { query: { ...query, at }, signal });
  }
  if (filters.scope === 'all') {
    return call('GET /all-inventory-items', { query, signal });
  }
  return withAccessToken((token) =>
    call('GET /my-items', {
      query: { ...query, email: filters.email },
      headers: { authorization: `Bearer ${token}` },
      signal,
    }),
  );
}

/** The newest the cache knows of an item, wherever it stands. */
export function cachedItem(id: string): Item | null {
  let newest = queryClient.getQueryData<Item | null>(['item', id]) ?? null;
  for (const [, page] of queryClient.getQueriesData<ListPage>({ queryKey: ['list'] })) {
    const item = page?.items.find((one) => one.id === id);
    if (item && (!newest || item.version > newest.version)) newest = item;
  }
  return newest;
}

/** The last that was shown of each item that changed while this page was open. */
const shown = new Map<string, Item>();

/** More changes than any answer under way could be older than. */
const MOST_SHOWN = 2_000;

function remember(item: Item): void {
  shown.delete(item.id);
  shown.set(item.id, item);
  const [oldest] = shown.keys();
  if (shown.size > MOST_SHOWN && oldest !== undefined) shown.delete(oldest);
}

/** An answer may be older than a change that overtook it, or than a click that is not answered yet: then they stay. */
function latestOf(read: Item): Item {
  const known = shown.get(read.id);
  if (!known || known.version < read.version) return read;
  return known.version > read.version ? known : { ...read, quantity: known.quantity };
}

/** Puts an item in place of what is shown of it, wherever that is. Where it is not shown, nothing happens. */
export function updateCachedItem(item: Item): void {
  remember(item);
  queryClient.setQueryData<Item | null>(['item', item.id], (known) => (known === undefined ? undefined : item));
  for (const pages of listsInMemory()) {
    for (const page of pages.values()) {
      const { items, total } = page.state.data;
      const at = items.findIndex((one) => one.id === item.id);
      if (at >= 0) page.setState({ data: { items: items.with(at, item), total } });
    }
  }
}

/** Takes an item off every list at once: those below move up, as they will stand on the server. */
export function removeCachedItem(id: string): void {
  queryClient.setQueryData<Item | null>(['item', id], (known) => (known === undefined ? undefined : null));
  for (const pages of listsInMemory()) {
    const [from] = [...pages].find(([, { state }]) => state.data.items.some((one) => one.id === id)) ?? [];
    if (from === undefined) continue;
    const before = new Map([...pages].map(([number, page]) => [number, page.state.data.items]));
    for (const [number, page] of pages) {
      const items = before.get(number) ?? [];
      const kept = number === from ? items.filter((one) => one.id !== id) : items.slice(number > from ? 1 : 0);
      const movesUp = number >= from ? (before.get(number + 1)?.slice(0, 1) ?? []) : [];
      page.setState({ data: { items: [...kept, ...movesUp], total: page.state.data.total - 1 } });
    }
  }
}

type LoadedPage = Query<ListPage> & { state: { data: ListPage } };

/**
 * The pages in memory by their number, list by list. They are changed through `setState`: it leaves a page that has
 * to be read again marked so, which `setQueryData` would not.
 */
function listsInMemory(): Iterable<Map<number, LoadedPage>> {
  const lists = new Map<string, Map<number, LoadedPage>>();
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['list'] })) {
    if (query.state.data === undefined) continue;
    const [, filters, number] = query.queryKey as readonly ['list', ListFilters, number];
    const name = JSON.stringify(filters);
    const pages = lists.get(name) ?? new Map<number, LoadedPage>();
    lists.set(name, pages.set(number, query as unknown as LoadedPage));
  }
  return lists.values();
}

const TOGETHER_MS = 150;
let reading = false;
let wantedAgain = false;

/** Items have come, gone or changed places: the lists on screen are read again, once for many changes. */
export function refetchLists(): void {
  wantedAgain = true;
  if (!reading) void readWhileWanted();
}

/** One reading after the other: a new change never cuts off the reading under way, or a busy hour would show nothing. */
async function readWhileWanted(): Promise<void> {
  reading = true;
  while (wantedAgain) {
    await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    wantedAgain = false;
    await queryClient.invalidateQueries({ queryKey: ['list'] });
  }
  reading = false;
}

/** A change of stock moves a row only where rows are ordered or chosen by it. */
export function isOrderedByStock(key: QueryKey): boolean {
  const filters = key[1] as ListFilters | undefined;
  return key[0] === 'list' && (filters?.stock !== null || filters.sort.endsWith('quantity'));
}
