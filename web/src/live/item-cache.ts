import { fromWire, toWireNames, type WireItem } from '@perfume/contract/wire-item';
import { codeKey, codeKeys } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import type { ItemFilters } from '@perfume/domain/list-filters';
import { type Query, type QueryKey, queryOptions } from '@tanstack/react-query';
import { withAccessToken } from '../api/access-token.ts';
import { ApiProblem, call, nextCursor, type Reply, totalCount } from '../api/client.ts';
import { callOrPrefetched } from '../api/prefetch.ts';
import { queryClient } from '../api/query-client.ts';
import { retryUntilAnswered } from '../api/retry.ts';
import { pendingNewItem, withoutPending, withPending } from './pending-stock.ts';
import { seenAnswer, seenItem } from './seen-data.ts';

/** Which items a list shows, and in which order. `mine` lists one person's items and needs the access token. */
export type ListFilters = ItemFilters & {
  scope: 'all' | 'mine';
  email: string;
  /** Shows the list as it was at this instant. */
  at?: string;
};

export type ListPage = { items: Item[]; total: number };

export const PAGE_ROWS = 100;
/** Pages of a list that scrolled out of view are dropped soon, so a long list takes no more memory than a short one. */
const PAGE_GC_MS = 15_000;
/**
 * Options for lists of the past, which are kept longer: the past does not change, and users move back and forth in it.
 */
const past = { staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 };

/** Queries one page of a list, which starts at row `page * PAGE_ROWS`. */
export function listPageQuery(filters: ListFilters, page: number) {
  const isPast = filters.at !== undefined;
  return queryOptions({
    // The past has its own key, so updates of today's lists leave it alone.
    queryKey: [isPast ? 'list then' : 'list', filters, page],
    gcTime: PAGE_GC_MS,
    ...(isPast && past),
    queryFn: ({ signal, queryKey }) =>
      orSeen(queryKey, fetchPage(filters, page, signal), () => seenAnswer<ListPage>(queryKey)),
  });
}

async function fetchPage(filters: ListFilters, page: number, signal: AbortSignal): Promise<ListPage> {
  const { data, headers } = await fetchList(filters, { limit: PAGE_ROWS, skip: page * PAGE_ROWS }, signal);
  const items = data.map(fromWire);
  return { items: filters.at === undefined ? items.map(latestOf) : items, total: totalCount(headers) };
}

const REPEAT_MS = 5_000;

/** Returns the answer of the server or, when it does not answer, what this person saw last on this device. */
export async function orSeen<T extends Item | ListPage | null>(
  queryKey: QueryKey,
  fetched: Promise<T>,
  readSeen: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await fetched;
  } catch (problem) {
    const seen = problem instanceof ApiProblem && problem.code === 'offline' ? await readSeen() : undefined;
    if (!seen) throw problem;
    // The connection is retried elsewhere. If only this request got lost, it is repeated here.
    if (navigator.onLine) setTimeout(() => void queryClient.invalidateQueries({ queryKey, exact: true }), REPEAT_MS);
    return 'items' in seen ? { ...seen, items: seen.items.map(latestOf) } : (latestOf(seen as Item) as T);
  }
}

/** Queries an item by its id; null when there is none. */
export function itemQuery(id: string) {
  return queryOptions({
    queryKey: ['item', id],
    queryFn: ({ signal, queryKey }) => orSeen(queryKey, readItem(id, signal), () => seenItem(id)),
  });
}

export async function readItem(id: string, signal: AbortSignal): Promise<Item | null> {
  const unsent = pendingNewItem(id);
  if (unsent) return withPending(unsent);
  const { data } = await call('GET /manage-inventory', { query: toWireNames({ id }), signal });
  return data[0] ? latestOf(fromWire(data[0])) : null;
}

const MAX_LIMIT = 200;

/** Reads every matching item, however many, page by page: for exports and for "select all". */
export async function* eachMatching(filters: ListFilters, signal: AbortSignal): AsyncGenerator<ListPage> {
  let cursor: string | null = null;
  do {
    const part: Part = { limit: MAX_LIMIT, cursor };
    const { data, headers }: Reply<WireItem[]> = await retryUntilAnswered(
      (trying) => fetchList(filters, part, trying),
      signal,
    );
    yield { items: data.map(fromWire), total: totalCount(headers) };
    cursor = nextCursor(headers);
  } while (cursor !== null);
}

/** Reads the rows from one index of the list to another, both included. */
export async function* eachInRange(
  filters: ListFilters,
  first: number,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  for (let skip = first; skip <= last; skip += MAX_LIMIT) {
    const limit = Math.min(MAX_LIMIT, last - skip + 1);
    const { data } = await retryUntilAnswered((trying) => fetchList(filters, { limit, skip }, trying), signal);
    yield data.map(fromWire);
    if (data.length < limit) return;
  }
}

/** Counts the matching items. */
export async function countMatching(filters: ListFilters, signal: AbortSignal): Promise<number> {
  const { headers } = await fetchList(filters, { limit: 1 }, signal);
  return totalCount(headers);
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
    return callOrPrefetched('GET /all-inventory-items', { query, signal });
  }
  return withAccessToken((token) =>
    call('GET /my-items', {
      query: { ...query, email: filters.email },
      headers: { authorization: `Bearer ${token}` },
      signal,
    }),
  );
}

/** Returns the newest version of an item in the cache. */
export function cachedItem(id: string): Item | null {
  let newest = queryClient.getQueryData<Item | null>(['item', id]) ?? null;
  for (const [, page] of queryClient.getQueriesData<ListPage>({ queryKey: ['list'] })) {
    const item = page?.items.find((one) => one.id === id);
    if (item && (!newest || item.version > newest.version)) newest = item;
  }
  return newest;
}

/**
 * Finds an item in the cache by one of its codes. What was read before changes were missed is not looked at: another
 * item may have the code by now. Without a connection, `isStaleFine` looks at all.
 */
export function cachedItemByCode(code: string, isStaleFine: boolean): Item | null {
  const key = codeKey(code);
  const hasCode = (item: Item | null | undefined) => !!item && codeKeys(item).includes(key);
  const found = new Set<string>();
  for (const queryKey of [['item'], ['list']])
    for (const { state } of queryClient.getQueryCache().findAll({ queryKey })) {
      const data = state.data as Item | ListPage | null | undefined;
      if (!data || (state.isInvalidated && !isStaleFine)) continue;
      for (const item of 'items' in data ? data.items : [data]) if (hasCode(item)) found.add(item.id);
    }
  // Of two copies, the older one may have a code that the newer one has lost.
  return newestOf([...found].map(cachedItem).filter(hasCode));
}

/** Of items that claim the same code, returns the one that has it: the one that changed last, because it took it over. */
export function newestOf(items: readonly (Item | null)[]): Item | null {
  return items.reduce((newest, item) => (item && item.updatedAt > (newest?.updatedAt ?? -1) ? item : newest), null);
}

/** Keeps an item in the cache, so that its changes are shown. Returns its newest version. */
export function keepItem(item: Item): Item {
  const known = cachedItem(item.id);
  const newest = known && known.version >= item.version ? known : latestOf(item);
  queryClient.setQueryData<Item | null>(['item', item.id], newest);
  return newest;
}

/** The last version shown of each item that changed while this page was open, without what waits on this device. */
const shown = new Map<string, Item>();

/** Upper bound on changes that can arrive while a response is in flight. */
const MAX_SHOWN = 2_000;

function remember(item: Item): void {
  shown.delete(item.id);
  shown.set(item.id, item);
  const [oldest] = shown.keys();
  if (shown.size > MAX_SHOWN && oldest !== undefined) shown.delete(oldest);
}

/** Forgets what was shown of an item, so that what is read next is believed. */
export function forgetShown(id: string): void {
  shown.delete(id);
}

/**
 * Returns the newer of a fetched item and the one on screen. A reply may be older than a change from the feed, or than
 * a click that is not answered yet.
 */
export function latestOf(given: Item): Item {
  const read = withoutPending(given);
  const known = shown.get(read.id);
  if (!known || known.version < read.version) return withPending(read);
  return withPending(known.version > read.version ? known : { ...read, quantity: known.quantity });
}

/** Replaces an item wherever the cache has it, with what waits on this device. */
export function updateCachedItem(given: Item): void {
  remember(withoutPending(given));
  const item = withPending(given);
  queryClient.setQueryData<Item | null>(['item', item.id], (known) => (known === undefined ? undefined : item));
  for (const pages of loadedLists()) {
    for (const page of pages.values()) {
      const { items, total } = page.state.data;
      const at = items.findIndex((one) => one.id === item.id);
      if (at >= 0) page.setState({ data: { items: items.with(at, item), total } });
    }
  }
}

/** Removes an item from every list: the rows below move up, as they will on the server. */
export function removeCachedItem(id: string): void {
  queryClient.setQueryData<Item | null>(['item', id], (known) => (known === undefined ? undefined : null));
  for (const pages of loadedLists()) {
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
 * Returns the loaded pages of each list, by page number. Change them through `setState`, which leaves a stale page
 * marked as stale; `setQueryData` would not.
 */
function loadedLists(): Iterable<Map<number, LoadedPage>> {
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

const DEBOUNCE_MS = 150;
let isRefetching = false;
let isRequested = false;

/** Refetches the lists on screen after rows came, went or moved. Changes during a refetch cause one more refetch. */
export function refetchLists(): void {
  isRequested = true;
  if (!isRefetching) void refetchWhileRequested();
}

/** Refetches what depends on the settings of the warehouse: every item may be low now, or no longer. */
export function refetchAfterSettings(): void {
  void queryClient.invalidateQueries({ queryKey: ['settings'] });
  void queryClient.invalidateQueries({ queryKey: ['item'] });
  void queryClient.invalidateQueries({ queryKey: ['view count'] });
  refetchLists();
}

/**
 * Refetches until no further refetch is requested. A new change never aborts the refetch in flight: in a busy hour the
 * lists would never update.
 */
async function refetchWhileRequested(): Promise<void> {
  isRefetching = true;
  while (isRequested) {
    await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS));
    // A first fetch in flight is not restarted, and what it reads may be older than the change.
    const lists = queryClient.getQueryCache().findAll({ queryKey: ['list'], type: 'active', fetchStatus: 'fetching' });
    isRequested = lists.some(({ state }) => state.data === undefined);
    await queryClient.invalidateQueries({ queryKey: ['list'] });
  }
  isRefetching = false;
}

/** Whether a list is sorted or filtered by quantity. Only in such a list does a change of stock move rows. */
export function isOrderedByStock(key: QueryKey): boolean {
  const filters = key[1] as ListFilters | undefined;
  return key[0] === 'list' && (filters?.stock !== null || filters.sort.endsWith('quantity'));
}
