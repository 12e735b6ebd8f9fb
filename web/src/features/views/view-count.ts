import type { WireView } from '@perfume/contract/views';
import { listScope } from '@perfume/domain/views';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBoot } from '../../api/boot.ts';
import { queryClient } from '../../api/query-client.ts';
import { countMatching, type ListFilters } from '../../live/item-cache.ts';
import { filtersOf } from '../../live/list-query.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { throttle } from '../../live/throttle.ts';

const COUNTS = 'view count';
/** The minimum time between two counts: every open screen counts its pinned views after a change. */
const COUNT_EVERY_MS = 4_000;
/** Counts take at most a tenth of the time: anybody can share and pin views that take the server long to count. */
const REST_FACTOR = 10;

/** Returns how many items a view shows now; undefined for a view without items, and until it is counted. */
export function useViewCount({ page, query }: WireView, isVisible = true): number | undefined {
  const email = useBoot().user?.email ?? '';
  const scope = listScope(page);
  const filters = filtersOf(new URLSearchParams(query), scope ?? 'all', email);
  return useQuery({ ...countQuery(filters), enabled: scope !== null && isVisible }).data;
}

export function countQuery({ scope, email, q, stock }: ListFilters) {
  // The order does not matter here, so views that only differ in it are counted together.
  const filters = { scope, email, q, stock, sort: 'newest' } as const;
  return queryOptions({
    queryKey: [COUNTS, filters],
    // The next change counts again.
    retry: false,
    queryFn: ({ signal }) => countInTurn(filters, signal),
  });
}

/** The queue of counts. They run one after the other, so that the lists on screen need not wait for all of them. */
let queue: Promise<unknown> = Promise.resolve();
/** Changes cause no count before this time, so that counts take no more than their share of it. */
let restUntil = Number.NEGATIVE_INFINITY;

function countInTurn(filters: ListFilters, signal: AbortSignal): Promise<number> {
  const counting = queue.then(async () => {
    signal.throwIfAborted();
    const started = performance.now();
    try {
      return await countMatching(filters, signal);
    } finally {
      restUntil = Math.max(restUntil, started) + REST_FACTOR * (performance.now() - started);
    }
  });
  queue = counting.catch(() => {});
  return counting;
}

/** Counts the views on screen again after anybody changed items. */
export function useLiveViewCounts(): void {
  useEffect(countAfterChanges, []);
}

/** Counts the views on screen again after every change, until the returned function is called. */
export function countAfterChanges(): () => void {
  let onlyStock = true;
  const counts = throttle(COUNT_EVERY_MS, () => {
    // A new count would abort the one in flight: in a busy hour slow views would never be counted.
    const isCounting = queryClient.isFetching({ queryKey: [COUNTS] }) > 0;
    if (isCounting || performance.now() < restUntil) {
      counts.request();
      return;
    }
    const all = !onlyStock;
    onlyStock = true;
    void queryClient.invalidateQueries({
      queryKey: [COUNTS],
      predicate: ({ queryKey }) => all || (queryKey[1] as ListFilters).stock !== null,
    });
  });
  const stop = onLiveChange(({ kind }) => {
    onlyStock &&= kind === 'stock';
    counts.request();
  });
  return () => {
    stop();
    counts.stop();
  };
}
