import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemPage } from '../../api/boot.ts';
import { ApiProblem, call, nextCursor, totalCount } from '../../api/client.ts';
import { pollWhileVisible } from '../../api/poll-while-visible.ts';

const PAGE_SIZE = 12;
const MAX_PAGE_SIZE = 200;
const REFRESH_MS = 30_000;

type Ready = {
  state: 'ready';
  /** The search text that these items match. */
  q: string;
  items: Item[];
  total: number;
  next: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** True while a new search is loading; these items stay until it is done. */
  waiting: boolean;
};
export type PublicItems = { state: 'loading' } | { state: 'failed'; offline: boolean } | Ready;

/**
 * Loads the public items, newest first: the first page comes with the HTML, more on request. Visitors have no change
 * feed, so the list is polled; thanks to ETags the server answers most polls with 304.
 */
export function usePublicItems(q: string, first: ItemPage | null) {
  const [list, setList] = useState<PublicItems>(() => (q === '' && first ? ready(q, first) : { state: 'loading' }));
  const shown = useRef(q);
  const request = useRef<AbortController | null>(null);

  /**
   * Fetches a page of the list. Only one request runs at a time: a new one aborts the one before, which then resolves
   * to null.
   */
  const fetchList = useCallback(
    async (limit: number, cursor: string | null): Promise<Ready | null> => {
      request.current?.abort();
      const own = new AbortController();
      request.current = own;
      try {
        const page = await fetchPage({ q, limit, cursor }, own.signal);
        return own.signal.aborted ? null : ready(q, page);
      } catch (problem) {
        if (own.signal.aborted) return null;
        throw problem;
      } finally {
        if (request.current === own) request.current = null;
      }
    },
    [q],
  );

  const load = useCallback(async () => {
    setList((now) => (now.state === 'ready' ? { ...now, waiting: true } : { state: 'loading' }));
    try {
      const page = await fetchList(PAGE_SIZE, null);
      if (page) setList(page);
    } catch (problem) {
      console.error(problem);
      setList({ state: 'failed', offline: problem instanceof ApiProblem && problem.code === 'offline' });
    }
  }, [fetchList]);

  const started = useRef(q === '' && first !== null);
  useEffect(() => {
    if (started.current && shown.current === q) return;
    started.current = true;
    shown.current = q;
    void load();
  }, [q, load]);
  useEffect(() => () => request.current?.abort(), []);

  const isFailed = list.state === 'failed';
  useEffect(() => {
    if (!isFailed) return;
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [isFailed, load]);

  const loadMore = useCallback(async () => {
    if (list.state !== 'ready' || list.next === null || list.waiting || list.more === 'loading') return;
    setList({ ...list, more: 'loading' });
    try {
      const page = await fetchList(PAGE_SIZE, list.next);
      if (page) setList({ ...page, items: withoutRepeats([...list.items, ...page.items]) });
    } catch (problem) {
      console.error(problem);
      setList({ ...list, more: 'failed' });
    }
  }, [fetchList, list]);

  const refresh = useEffectEvent(async () => {
    if (list.state !== 'ready' || request.current !== null) return;
    // A failed refresh is retried by the next poll; the list stays as it is.
    const page = await fetchList(Math.min(Math.max(list.items.length, PAGE_SIZE), MAX_PAGE_SIZE), null).catch(
      () => null,
    );
    if (page) setList((now) => (now === list ? refreshed(list, page) : now));
  });
  useEffect(() => pollWhileVisible(() => void refresh(), REFRESH_MS), []);

  return { list, retry: load, loadMore };
}

type PageQuestion = { q: string; limit: number; cursor: string | null };

async function fetchPage({ q, limit, cursor }: PageQuestion, signal: AbortSignal): Promise<ItemPage> {
  const { data, headers } = await call('GET /inventory-items', {
    query: { limit: String(limit), ...(q && { q }), ...(cursor !== null && { cursor }) },
    signal,
  });
  return { list: data, total: totalCount(headers), next: nextCursor(headers) };
}

function ready(q: string, { list, total, next }: ItemPage): Ready {
  return { state: 'ready', q, items: list.map(fromWire), total, next, more: 'idle', waiting: false };
}

/**
 * Merges a refreshed page into the list. If the list is longer than one request can return, only its first items are
 * refreshed.
 */
function refreshed(list: Ready, page: Ready): Ready {
  if (list.items.length <= MAX_PAGE_SIZE) return page;
  const now = new Map(page.items.map((item) => [item.id, item]));
  return { ...list, total: page.total, items: list.items.map((item) => now.get(item.id) ?? item) };
}

function withoutRepeats(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
