import type { previewUndo, WireEntry } from '@perfume/contract/history';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, nextCursor, type ReplyOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { type HistoryFilters, type HistoryParams, historyParams } from './history-filters.ts';

export type HistoryPage = { entries: WireEntry[]; next: string | null };

const PAGE = 50;
const MOST_AT_ONCE = 500;
const KEPT_MS = 10 * 60_000;

/**
 * The history from the newest entry down, page by page. It is never read again as a whole: whatever changes in it comes
 * as a new entry, so reading its first page tells all (`withFirstPage`).
 */
export function historyQuery(filters: HistoryFilters) {
  return infiniteQueryOptions({
    queryKey: ['history', filters],
    queryFn: ({ pageParam, signal }) => fetchHistory(historyParams(filters), { cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

type Part = { cursor?: string | null; limit?: number; signal?: AbortSignal };

export async function fetchHistory(filters: HistoryParams, part: Part = {}): Promise<HistoryPage> {
  const { cursor = null, limit = PAGE, signal } = part;
  const { data, headers } = await call('GET /history', {
    query: { ...filters, limit: String(limit), ...(cursor !== null && { cursor }) },
    ...(signal && { signal }),
  });
  return { entries: data, next: nextCursor(headers) };
}

/** Everything that matches, from the newest to the oldest, however much it is. */
export async function* eachEntry(filters: HistoryParams, signal: AbortSignal): AsyncGenerator<WireEntry[]> {
  let cursor: string | null = null;
  do {
    const page: HistoryPage = await fetchHistory(filters, { cursor, limit: MOST_AT_ONCE, signal });
    yield page.entries;
    cursor = page.next;
  } while (cursor !== null);
}

/** How large a bulk action is, and how much of it is not undone. Of the history, only a part of it may be loaded. */
export function batchQuery(batch: string) {
  return queryOptions({
    queryKey: ['batch', batch],
    queryFn: async ({ signal }) => (await call('GET /batches/:id', { params: { id: batch }, signal })).data,
  });
}

export function readBatchesAgain(): void {
  void queryClient.invalidateQueries({ queryKey: ['batch'] });
}

/** Whoever stands in the history. */
export const peopleQuery = queryOptions({
  queryKey: ['history people'],
  queryFn: async ({ signal }) => (await call('GET /history/people', { signal })).data,
});

export type Preview = ReplyOf<typeof previewUndo>;

/** What undoing would do at this moment: an old answer is none. */
export function previewQuery(entryId: string) {
  return queryOptions({
    queryKey: ['undo preview', entryId],
    queryFn: async ({ signal }): Promise<Preview> =>
      (await call('GET /history/:id/undo', { params: { id: entryId }, signal })).data,
    staleTime: 1_000,
    gcTime: 10_000,
  });
}

/** How an entry of each kind is undone: by an entry of this one. */
const undoKinds = {
  opening: 'deleted',
  restored: 'deleted',
  deleted: 'restored',
  edited: 'edited',
  deliver: 'undo',
  restock: 'undo',
  correction: 'undo',
  undo: 'undo',
} as const;

/** The newest entries of one item that may have undone others. For lists that show the undone but not the undoing. */
export function undoingQuery({ itemId, kind }: WireEntry) {
  const filters: HistoryParams = { item: itemId, kind: undoKinds[kind] };
  return queryOptions({
    queryKey: ['undoing', filters],
    queryFn: async ({ signal }) => (await fetchHistory(filters, { limit: MOST_AT_ONCE, signal })).entries,
  });
}
