import type { WireEntry } from '@perfume/contract/history';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { type HistoryFilters, historyParams, noFilters } from './history-filters.ts';
import { type HistoryPages, newEntries, withBatchUndone, withFirstPage, withUpdates } from './history-pages.ts';
import { fetchHistory, type HistoryPage, historyQuery, readBatchesAgain } from './history-query.ts';

const SOON_MS = 60;
/** However busy the warehouse is, nobody reads faster. */
const LOOK_EVERY_MS = 1_000;
const GLOW_MS = 2_500;

/**
 * The history, live. What is new comes on top while the top may move; to somebody who reads further down it is
 * announced, and waits.
 */
export function useHistory(filters: HistoryFilters, mayMove: () => boolean) {
  const { queryKey } = historyQuery(filters);
  const asked = JSON.stringify(filters);
  const query = useInfiniteQuery(historyQuery(filters));
  const [waiting, setWaiting] = useState<{ asked: string; first: HistoryPage; count: number } | null>(null);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const pending = waiting?.asked === asked ? waiting : null;

  const put = useCallback(
    (first: HistoryPage) => {
      const known = queryClient.getQueryData<HistoryPages>(queryKey);
      setWaiting(null);
      if (!known) return;
      const next = withFirstPage(known, first);
      if (next !== known) setArrived(new Set(newEntries(known, first).map(({ id }) => id)));
      // Where the two do not meet, one begins anew from the top.
      queryClient.setQueryData<HistoryPages>(queryKey, next ?? { pages: [first], pageParams: [null] });
    },
    [queryKey],
  );

  const take = useEffectEvent((first: HistoryPage, newest: WireEntry[]) => {
    const known = queryClient.getQueryData<HistoryPages>(queryKey);
    if (!known) return;
    queryClient.setQueryData<HistoryPages>(queryKey, withUpdates(known, newest));
    if (newEntries(known, { entries: newest, next: null }).some(isOfBatches)) readBatchesAgain();
    const { length: count } = newEntries(known, first);
    if (count === 0) return;
    if (mayMove()) put(first);
    else setWaiting({ asked, first, count });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters is the same as long as it says the same.
  useEffect(() => watchForChanges(filters, (first, newest) => take(first, newest)), [asked]);

  // Whoever comes back to the top finds there what has been waiting.
  useEffect(() => {
    if (!pending) return;
    const scrolled = () => mayMove() && put(pending.first);
    addEventListener('scroll', scrolled, { passive: true });
    return () => removeEventListener('scroll', scrolled);
  }, [pending, mayMove, put]);

  useEffect(() => {
    if (arrived.size === 0) return;
    const timer = setTimeout(() => setArrived(new Set()), GLOW_MS);
    return () => clearTimeout(timer);
  }, [arrived]);

  const pages = query.data?.pages;
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  return {
    ...query,
    entries,
    arrived,
    newCount: pending?.count ?? 0,
    showNew: () => pending && put(pending.first),
  };
}

/** It may have made a bulk action larger, or undone a part of one. */
function isOfBatches({ batch, undoes }: WireEntry): boolean {
  return batch !== null || undoes !== null;
}

export type History = ReturnType<typeof useHistory>;

type Take = (first: HistoryPage, newest: WireEntry[]) => void;

/**
 * Reads the first page again, soon after anything has happened that may stand on it. What undoes an entry need not
 * answer the filters that the entry answers, so the newest of all are looked at too.
 */
function watchForChanges(filters: HistoryFilters, take: Take): () => void {
  const { queryKey } = historyQuery(filters);
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    timer ??= setTimeout(() => void look(), Math.max(SOON_MS, last + LOOK_EVERY_MS - performance.now()));
  }

  async function look(): Promise<void> {
    last = performance.now();
    timer = undefined;
    // What is being read for the first time may have been read a moment too early.
    if (queryClient.getQueryState(queryKey)?.fetchStatus === 'fetching') return schedule();
    const { item } = filters;
    const open = { ...noFilters, item };
    const isOpen = JSON.stringify(filters) === JSON.stringify(open);
    const read = (one: HistoryFilters) => fetchHistory(historyParams(one), { signal: stop.signal }).catch(() => null);
    const [first, newest] = await Promise.all([read(filters), isOpen ? null : read(open)]);
    if (first && !stop.signal.aborted) take(first, (newest ?? first).entries);
  }

  // Nobody watched while the page was elsewhere.
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

/** An entry that has just been written here: what it undoes shows it at once, in every list. */
export function markUndone(by: WireEntry): void {
  updatePages((known) => withUpdates(known, [by]));
}

/** The same for what has just undone entries of a batch, by the item of each. */
export function markBatchUndone(batch: string, undoneBy: ReadonlyMap<string, string>): void {
  updatePages((known) => withBatchUndone(known, batch, undoneBy));
}

function updatePages(mark: (known: HistoryPages) => HistoryPages): void {
  readBatchesAgain();
  for (const [key, known] of queryClient.getQueriesData<HistoryPages>({ queryKey: ['history'] })) {
    if (known) queryClient.setQueryData<HistoryPages>(key, mark(known));
  }
}
