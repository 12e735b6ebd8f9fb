import type { WirePublishedHouse } from '@perfume/contract/items';
import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemPage } from '../../api/boot.ts';
import { ApiProblem, call, nextCursor, totalCount } from '../../api/client.ts';
import { pollWhileVisible } from '../../api/poll-while-visible.ts';

const PAGE_SIZE = 12;
const MAX_PAGE_SIZE = 200;
const REFRESH_MS = 30_000;

/** `house` is undefined on a server with one shared house. */
export type PublicItem = Item & { house?: WirePublishedHouse | undefined };

type Ready = {
  state: 'ready';
  /** The search text that these items match. */
  q: string;
  items: PublicItem[];
  total: number;
  next: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** True while a new search is loading; these items stay until it is done. */
  waiting: boolean;
};
export type PublicItems =
  | { state: 'loading' }
  | { state: 'failed'; offline: boolean }
  /** Visitors no longer see this house. */
  | { state: 'gone' }
  | Ready;

/**
 * Loads the public items, newest first: the first page comes with the HTML, more on request. Visitors have no change
 * feed, so the list is polled; thanks to ETags the server answers most polls with 304. `house` is the slug of a house, or
 * null for all items.
 */
export function usePublicItems(q: string, first: ItemPage | null, house: string | null) {
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
        const page = await fetchPage({ q, house, limit, cursor }, own.signal);
        return own.signal.aborted ? null : ready(q, page);
      } catch (problem) {
        if (own.signal.aborted) return null;
        throw problem;
      } finally {
        if (request.current === own) request.current = null;
      }
    },
    [q, house],
  );

  const load = useCallback(async () => {
    setList((now) => (now.state === 'ready' ? { ...now, waiting: true } : { state: 'loading' }));
    try {
      const page = await fetchList(PAGE_SIZE, null);
      if (page) setList(page);
    } catch (problem) {
      if (isGone(problem)) return setList({ state: 'gone' });
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
    const page = await fetchList(Math.min(Math.max(list.items.length, PAGE_SIZE), MAX_PAGE_SIZE), null).catch(
      (problem) => {
        if (isGone(problem)) setList({ state: 'gone' });
        // Any other failed refresh is retried by the next poll; the list stays as it is.
        return null;
      },
    );
    if (page) setList((now) => (now === list ? refreshed(list, page) : now));
  });
  useEffect(() => pollWhileVisible(() => void refresh(), REFRESH_MS), []);

  return { list, retry: load, loadMore };
}

type PageQuestion = { q: string; house: string | null; limit: number; cursor: string | null };

async function fetchPage({ q, house, limit, cursor }: PageQuestion, signal: AbortSignal): Promise<ItemPage> {
  const { data, headers } = await call('GET /inventory-items', {
    query: {
      limit: String(limit),
      ...(q && { q }),
      ...(house !== null && { house }),
      ...(cursor !== null && { cursor }),
    },
    signal,
  });
  return { list: data, total: totalCount(headers), next: nextCursor(headers) };
}

function isGone(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.code === 'house_not_found';
}

function ready(q: string, { list, total, next }: ItemPage): Ready {
  const items = list.map((item) => ({ ...fromWire(item), house: item.house }));
  return { state: 'ready', q, items, total, next, more: 'idle', waiting: false };
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

function withoutRepeats(items: PublicItem[]): PublicItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
