import type { WireEntry } from '@perfume/contract/history';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { newsIn, type Pages, withBatchUndone, withMarks, withNews } from './history-news.ts';
import { fetchHistory, type HistoryPage, historyQuery, readBatchesAgain } from './history-query.ts';
import { everything, type HistoryQuestion, wireQuestion } from './history-question.ts';

const SOON_MS = 60;
/** However busy the warehouse is, nobody reads faster. */
const LOOK_EVERY_MS = 1_000;
const GLOW_MS = 2_500;

/**
 * The history, live. What is new comes on top while the top may move; to somebody who reads further down it is
 * announced, and waits.
 */
export function useHistory(question: HistoryQuestion, mayMove: () => boolean) {
  const { queryKey } = historyQuery(question);
  const asked = JSON.stringify(question);
  const query = useInfiniteQuery(historyQuery(question));
  const [waiting, setWaiting] = useState<{ asked: string; first: HistoryPage; count: number } | null>(null);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const fresh = waiting?.asked === asked ? waiting : null;

  const put = useCallback(
    (first: HistoryPage) => {
      const known = queryClient.getQueryData<Pages>(queryKey);
      setWaiting(null);
      if (!known) return;
      const next = withNews(known, first);
      if (next !== known) setArrived(new Set(newsIn(known, first).map(({ id }) => id)));
      // Where the two do not meet, one begins anew from the top.
      queryClient.setQueryData<Pages>(queryKey, next ?? { pages: [first], pageParams: [null] });
    },
    [queryKey],
  );

  const take = useEffectEvent((first: HistoryPage, newest: WireEntry[]) => {
    const known = queryClient.getQueryData<Pages>(queryKey);
    if (!known) return;
    queryClient.setQueryData<Pages>(queryKey, withMarks(known, newest));
    if (newsIn(known, { entries: newest, next: null }).some(isOfBatches)) readBatchesAgain();
    const { length: count } = newsIn(known, first);
    if (count === 0) return;
    if (mayMove()) put(first);
    else setWaiting({ asked, first, count });
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as it says the same.
  useEffect(() => watch(question, (first, newest) => take(first, newest)), [asked]);

  // Whoever comes back to the top finds there what has been waiting.
  useEffect(() => {
    if (!fresh) return;
    const scrolled = () => mayMove() && put(fresh.first);
    addEventListener('scroll', scrolled, { passive: true });
    return () => removeEventListener('scroll', scrolled);
  }, [fresh, mayMove, put]);

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
    freshCount: fresh?.count ?? 0,
    showFresh: () => fresh && put(fresh.first),
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
 * answer the question that the entry answers, so the newest of all are looked at too.
 */
function watch(question: HistoryQuestion, take: Take): () => void {
  const { queryKey } = historyQuery(question);
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
    const { item } = question;
    const open = { ...everything, item };
    const isOpen = JSON.stringify(question) === JSON.stringify(open);
    const read = (one: HistoryQuestion) => fetchHistory(wireQuestion(one), { signal: stop.signal }).catch(() => null);
    const [first, newest] = await Promise.all([read(question), isOpen ? null : read(open)]);
    if (first && !stop.signal.aborted) take(first, (newest ?? first).entries);
  }

  // Nobody watched while the page was elsewhere.
  if (queryClient.getQueryData(queryKey)) schedule();
  const stopListening = onLiveChange(({ itemId }) => {
    if (question.item === null || question.item === itemId) schedule();
  });
  return () => {
    stop.abort();
    stopListening();
    clearTimeout(timer);
  };
}

/** An entry that has just been written here: what it undoes shows it at once, in every list. */
export function markUndone(by: WireEntry): void {
  markIn((known) => withMarks(known, [by]));
}

/** The same for what has just undone entries of a batch, by the item of each. */
export function markBatchUndone(batch: string, undoneBy: ReadonlyMap<string, string>): void {
  markIn((known) => withBatchUndone(known, batch, undoneBy));
}

function markIn(mark: (known: Pages) => Pages): void {
  readBatchesAgain();
  for (const [key, known] of queryClient.getQueriesData<Pages>({ queryKey: ['history'] })) {
    if (known) queryClient.setQueryData<Pages>(key, mark(known));
  }
}
