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

/** Returns how many items a view shows now; undefined for a view without items, and until it is counted. */
export function useViewCount({ page, query }: WireView, isVisible = true): number | undefined {
  const email = useBoot().user?.email ?? '';
  const scope = listScope(page);
  const filters = filtersOf(new URLSearchParams(query), scope ?? 'all', email);
  return useQuery({ ...countQuery(filters), enabled: scope !== null && isVisible }).data;
}

function countQuery({ scope, email, q, stock }: ListFilters) {
  // The order does not matter here, so views that only differ in it are counted together.
  const filters = { scope, email, q, stock, sort: 'newest' } as const;
  return queryOptions({
    queryKey: [COUNTS, filters],
    queryFn: ({ signal }) => countMatching(filters, signal),
  });
}

/** Counts the views on screen again after anybody changed items. */
export function useLiveViewCounts(): void {
  useEffect(() => {
    let onlyStock = true;
    const counts = throttle(COUNT_EVERY_MS, () => {
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
  }, []);
}
