import type {
  changeCount,
  decideCountLines,
  findCount,
  LineFilter,
  openCount,
  WireCount,
  WireCountLine,
} from '@perfume/contract/counts';
import type { ReplyOf } from '@perfume/contract/endpoint';
import { fromWire, fromWireNames } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, type Input, nextCursor, totalCount } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { onLiveCount } from '../../live/live-items.ts';

export type Count = ReplyOf<typeof findCount>;
export type Line = Omit<WireCountLine, 'item'> & { item: Item };

const LINES_PER_PAGE = 50;
const RECENT = 10;

/** The sessions in a state, the newest first. */
export function countsQuery(state: WireCount['state']) {
  return queryOptions({
    queryKey: ['counts', state],
    queryFn: async ({ signal }) =>
      (await call('GET /counts', { query: { state, limit: state === 'open' ? '100' : String(RECENT) }, signal })).data,
  });
}

export function countQuery(id: string) {
  return queryOptions({
    queryKey: ['count', id],
    queryFn: async ({ signal }): Promise<Count> => (await call('GET /counts/:id', { params: { id }, signal })).data,
  });
}

/** The lines of a session, page by page. */
export function linesQuery(id: string, show: LineFilter) {
  return infiniteQueryOptions({
    queryKey: ['count', id, 'lines', show],
    queryFn: ({ pageParam, signal }) => fetchLines(id, show, pageParam, LINES_PER_PAGE, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

type LinesPage = { lines: Line[]; next: string | null };

export async function fetchLines(
  id: string,
  show: LineFilter,
  cursor: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<LinesPage> {
  const query = { show, limit: String(limit), ...(cursor !== null && { cursor }) };
  const { data, headers } = await call('GET /counts/:id/lines', { params: { id }, query, signal });
  return { lines: data.map(toLine), next: nextCursor(headers) };
}

/** One item of a session, counted or not; null if there is no such item. */
export function lineQuery(id: string, itemId: string) {
  return queryOptions({
    queryKey: ['count', id, 'line', itemId],
    queryFn: async ({ signal }): Promise<Line | null> => {
      const { data } = await call('GET /counts/:id/lines', { params: { id }, query: { item: itemId }, signal });
      return data[0] ? toLine(data[0]) : null;
    },
  });
}

function toLine({ item, ...line }: WireCountLine): Line {
  return { ...line, item: fromWire(item) };
}

export async function startCount(body: NonNullable<Input<typeof openCount>['body']>): Promise<WireCount> {
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const { data } = await retryUntilAnswered((signal) => call('POST /counts', { body, headers, signal }));
  void queryClient.invalidateQueries({ queryKey: ['counts'] });
  return data;
}

/** Cancels a session, opens a cancelled one again, or renames it. */
export async function updateCount(
  id: string,
  body: NonNullable<Input<typeof changeCount>['body']>,
): Promise<WireCount> {
  const { data } = await retryUntilAnswered((signal) => call('PUT /counts/:id', { params: { id }, body, signal }));
  refetchCount(id);
  return data;
}

export async function decideLines(
  id: string,
  body: NonNullable<Input<typeof decideCountLines>['body']>,
): Promise<void> {
  await retryUntilAnswered((signal) => call('PUT /counts/:id/lines', { params: { id }, body, signal }));
  refetchCount(id);
}

/** Sets what was counted for many items at once. Returns how many were refused. */
export async function setMany(id: string, ids: string[], units: number): Promise<number> {
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const body = { ids, set: units };
  const { data } = await retryUntilAnswered((signal) =>
    call('POST /counts/:id/entries', { params: { id }, body, headers, signal }),
  );
  return fromWireNames(data.results).filter(({ ok }) => !ok).length;
}

export function refetchCount(id: string): void {
  void queryClient.invalidateQueries({ queryKey: ['count', id] });
  void queryClient.invalidateQueries({ queryKey: ['counts'] });
}

/** Several scans a second of several people become one request. */
const REFETCH_MS = 400;

/** Refetches a session, or the list of sessions, soon after somebody counted. */
export function useLiveCount(id: string | null): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const queryKey = id === null ? ['counts'] : ['count', id];
    const refetch = () => {
      // Starting again would cancel an answer that takes long, and under constant scanning none would ever arrive.
      timer = queryClient.isFetching({ queryKey }) > 0 ? setTimeout(refetch, REFETCH_MS) : undefined;
      if (timer === undefined) void queryClient.invalidateQueries({ queryKey });
    };
    const stop = onLiveCount(({ countId }) => {
      if (id === null || countId === id) timer ??= setTimeout(refetch, REFETCH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id]);
}

const MAX_RESULTS = 6;

/** The first items that match a search, in the whole warehouse: what is scanned belongs to the count. */
export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['list', { scope: 'all', email: '', q, sort: 'newest', stock: null, limit: MAX_RESULTS }, 0],
    enabled: q !== '',
    gcTime: 30_000,
    queryFn: async ({ signal }) => {
      const { data, headers } = await call('GET /all-inventory-items', {
        query: { q, limit: String(MAX_RESULTS) },
        signal,
      });
      return { items: data.map(fromWire), total: totalCount(headers) };
    },
  });
}
