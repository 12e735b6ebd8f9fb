import type { ReplyOf } from '@perfume/contract/endpoint';
import type { previewUndo, WireEntry } from '@perfume/contract/history';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, nextCursor } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { type HistoryFilters, type HistoryParams, historyParams } from './history-filters.ts';

export type HistoryPage = { entries: WireEntry[]; next: string | null };

const PAGE = 50;
const MAX_PAGE = 500;
const KEPT_MS = 10 * 60_000;

/**
 * The query for the history, newest entries first. Every change adds an entry, so loaded pages never go stale: it is
 * enough to fetch the first page again and merge it with `withFirstPage`.
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

/** Yields all matching entries, newest first, in chunks. */
export async function* eachEntry(filters: HistoryParams, signal: AbortSignal): AsyncGenerator<WireEntry[]> {
  let cursor: string | null = null;
  do {
    const page: HistoryPage = await retryUntilAnswered(
      (trying) => fetchHistory(filters, { cursor, limit: MAX_PAGE, signal: trying }),
      signal,
    );
    yield page.entries;
    cursor = page.next;
  } while (cursor !== null);
}

/**
 * The query for the size of a bulk action, and for how much of it is not undone. The list itself cannot tell, because
 * only part of the bulk action may be loaded.
 */
export function batchQuery(batch: string) {
  return queryOptions({
    queryKey: ['batch', batch],
    queryFn: async ({ signal }) => (await call('GET /batches/:id', { params: { id: batch }, signal })).data,
  });
}

export function refetchBatches(): void {
  void queryClient.invalidateQueries({ queryKey: ['batch'] });
}

/** The query for all people who have an entry in the history. */
export const peopleQuery = queryOptions({
  queryKey: ['history people'],
  queryFn: async ({ signal }) => (await call('GET /history/people', { signal })).data,
});

export type Preview = ReplyOf<typeof previewUndo>;

/** The query for what undoing an entry would do now. It is stale after a second, because the item may change. */
export function previewQuery(entryId: string) {
  return queryOptions({
    queryKey: ['undo preview', entryId],
    queryFn: async ({ signal }): Promise<Preview> =>
      (await call('GET /history/:id/undo', { params: { id: entryId }, signal })).data,
    staleTime: 1_000,
    gcTime: 10_000,
  });
}

/** Maps each kind of entry to the kind of entry that undoes it. */
const undoKinds = {
  opening: 'deleted',
  restored: 'deleted',
  deleted: 'restored',
  edited: 'edited',
  deliver: 'undo',
  restock: 'undo',
  correction: 'undo',
  undo: 'undo',
  settings: 'settings',
} as const;

/** The query for the newest entries that may have undone this one. A filtered list may not include them. */
export function undoingQuery({ itemId, kind }: WireEntry) {
  const filters: HistoryParams = { ...(itemId !== null && { item: itemId }), kind: undoKinds[kind] };
  return queryOptions({
    queryKey: ['undoing', filters],
    queryFn: async ({ signal }) => (await fetchHistory(filters, { limit: MAX_PAGE, signal })).entries,
  });
}
