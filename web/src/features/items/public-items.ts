import type { listPublicItems } from '@perfume/contract/items';
import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ItemPage } from '../../api/boot.ts';
import { ApiProblem, call, nextCursor, totalCount } from '../../api/client.ts';

const PAGE_SIZE = 12;

export type PublicItems =
  | { state: 'loading' }
  | { state: 'failed'; offline: boolean }
  | { state: 'ready'; items: Item[]; total: number; next: string | null; more: 'idle' | 'loading' | 'failed' };

/** The public shelf, newest first: what came with the page, then more on request. */
export function usePublicItems(q: string, first: ItemPage | null) {
  const [shelf, setShelf] = useState<PublicItems>(() => (q === '' && first ? ready(first) : { state: 'loading' }));
  const shown = useRef(q);
  const asked = useRef<AbortController | null>(null);

  const load = useCallback(async () => {
    asked.current?.abort();
    const asking = new AbortController();
    asked.current = asking;
    setShelf({ state: 'loading' });
    try {
      setShelf(ready(await fetchPage(q, null, asking.signal)));
    } catch (problem) {
      if (asking.signal.aborted) return;
      console.error(problem);
      setShelf({ state: 'failed', offline: problem instanceof ApiProblem && problem.code === 'offline' });
    }
  }, [q]);

  const started = useRef(q === '' && first !== null);
  useEffect(() => {
    if (started.current && shown.current === q) return;
    started.current = true;
    shown.current = q;
    void load();
  }, [q, load]);
  useEffect(() => () => asked.current?.abort(), []);

  const isFailed = shelf.state === 'failed';
  useEffect(() => {
    if (!isFailed) return;
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [isFailed, load]);

  const loadMore = useCallback(async () => {
    if (shelf.state !== 'ready' || shelf.next === null || shelf.more === 'loading') return;
    setShelf({ ...shelf, more: 'loading' });
    try {
      const page = ready(await fetchPage(q, shelf.next));
      setShelf({ ...page, items: withoutRepeats([...shelf.items, ...page.items]) });
    } catch (problem) {
      console.error(problem);
      setShelf({ ...shelf, more: 'failed' });
    }
  }, [q, shelf]);

  return { shelf, retry: load, loadMore };
}

async function fetchPage(q: string, cursor: string | null, signal?: AbortSignal): Promise<ItemPage> {
  const { data, headers } = await call<typeof listPublicItems>(
    { method: 'GET', path: '/inventory-items' },
    {
      query: { limit: String(PAGE_SIZE), ...(q && { q }), ...(cursor !== null && { cursor }) },
      ...(signal && { signal }),
    },
  );
  return { list: data, total: totalCount(headers), next: nextCursor(headers) };
}

function ready(page: ItemPage): Extract<PublicItems, { state: 'ready' }> {
  return { state: 'ready', items: page.list.map(fromWire), total: page.total, next: page.next, more: 'idle' };
}

function withoutRepeats(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
