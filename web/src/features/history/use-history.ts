import type { WireEntry } from '@perfume/contract/history';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { type HistoryFilters, historyParams, noFilters } from './history-filters.ts';
import { fetchHistory, type HistoryPage, historyQuery, refetchBatches } from './history-query.ts';
import { type HistoryPages, newEntries, withBatchUndone, withFirstPage, withUpdates } from './merge-history-pages.ts';

const DELAY_MS = 60;
/** The minimum time between two refetches. In a busy warehouse, nobody could read more frequent updates. */
const MIN_INTERVAL_MS = 1_000;
const HIGHLIGHT_MS = 2_500;

/**
 * Returns the history and keeps it up to date. New entries appear on top while `mayMove` returns true. Otherwise they
 * are only counted (`newCount`), so that the list does not move while somebody reads it.
 */
export function useHistory(filters: HistoryFilters, mayMove: () => boolean) {
  const { queryKey } = historyQuery(filters);
  const filtersKey = JSON.stringify(filters);
  const query = useInfiniteQuery(historyQuery(filters));
  const [waiting, setWaiting] = useState<{ filtersKey: string; first: HistoryPage; count: number } | null>(null);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const pending = waiting?.filtersKey === filtersKey ? waiting : null;

  const showFirstPage = useCallback(
    (first: HistoryPage) => {
      const known = queryClient.getQueryData<HistoryPages>(queryKey);
      setWaiting(null);
      if (!known) return;
      const next = withFirstPage(known, first);
      if (next !== known) setArrived(new Set(newEntries(known, first).map(({ id }) => id)));
      // `next` is null if entries are missing between the new first page and the loaded ones: the list starts anew.
      queryClient.setQueryData<HistoryPages>(queryKey, next ?? { pages: [first], pageParams: [null] });
    },
    [queryKey],
  );

  const receive = useEffectEvent((first: HistoryPage, newest: WireEntry[]) => {
    const known = queryClient.getQueryData<HistoryPages>(queryKey);
    if (!known) return;
    queryClient.setQueryData<HistoryPages>(queryKey, withUpdates(known, newest));
    if (newEntries(known, { entries: newest, next: null }).some(affectsBatches)) refetchBatches();
    const { length: count } = newEntries(known, first);
    if (count === 0) return;
    if (mayMove()) showFirstPage(first);
    else setWaiting({ filtersKey, first, count });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `filtersKey` stands for the filters.
  useEffect(() => watchForChanges(filters, (first, newest) => receive(first, newest)), [filtersKey]);

  // New entries that were held back appear once the list is scrolled back to the top.
  useEffect(() => {
    if (!pending) return;
    const scrolled = () => mayMove() && showFirstPage(pending.first);
    addEventListener('scroll', scrolled, { passive: true });
    return () => removeEventListener('scroll', scrolled);
  }, [pending, mayMove, showFirstPage]);

  useEffect(() => {
    if (arrived.size === 0) return;
    const timer = setTimeout(() => setArrived(new Set()), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [arrived]);

  const pages = query.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  return {
    ...query,
    entries,
    arrived,
    newCount: pending?.count ?? 0,
    showNew: () => pending && showFirstPage(pending.first),
  };
}

/** Whether the entry may have extended a bulk action, or undone part of one. */
function affectsBatches({ batch, undoes }: WireEntry): boolean {
  return batch !== null || undoes !== null;
}

export type History = ReturnType<typeof useHistory>;

type Receive = (first: HistoryPage, newest: WireEntry[]) => void;

/**
 * Refetches the first page soon after each change that may appear on it. An entry that undoes a listed one may not
 * match the filters, so the newest entries are also fetched without filters.
 */
function watchForChanges(filters: HistoryFilters, receive: Receive): () => void {
  const { queryKey } = historyQuery(filters);
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    timer ??= setTimeout(() => void refetch(), Math.max(DELAY_MS, last + MIN_INTERVAL_MS - performance.now()));
  }

  async function refetch(): Promise<void> {
    last = performance.now();
    timer = undefined;
    // A fetch that is already under way may have started before the change, so another one follows it.
    if (queryClient.getQueryState(queryKey)?.fetchStatus === 'fetching') return schedule();
    const { item } = filters;
    const unfiltered = { ...noFilters, item };
    const isUnfiltered = JSON.stringify(filters) === JSON.stringify(unfiltered);
    const read = (one: HistoryFilters) => fetchHistory(historyParams(one), { signal: stop.signal }).catch(() => null);
    const [first, newest] = await Promise.all([read(filters), isUnfiltered ? null : read(unfiltered)]);
    if (first && !stop.signal.aborted) receive(first, (newest ?? first).entries);
  }

  // The pages come from the cache: the refetch catches up on changes made while they were not shown.
  if (queryClient.getQueryData(queryKey)) schedule();
  const stopListening = onLiveChange(({ itemId }) => {
    if (filters.item === null || filters.item === itemId) schedule();
  });
  return () => {
    stop.abort();
    stopListening();
    clearTimeout(timer);
  };
}

/** Marks the entry that `by` undid, in every loaded list. */
export function markUndone(by: WireEntry): void {
  updatePages((known) => withUpdates(known, [by]));
}

/** Marks the undone entries of a batch, in every loaded list. */
export function markBatchUndone(batch: string, undoneBy: ReadonlyMap<string, string>): void {
  updatePages((known) => withBatchUndone(known, batch, undoneBy));
}

function updatePages(mark: (known: HistoryPages) => HistoryPages): void {
  refetchBatches();
  for (const [key, known] of queryClient.getQueriesData<HistoryPages>({ queryKey: ['history'] })) {
    if (known) queryClient.setQueryData<HistoryPages>(key, mark(known));
  }
}
