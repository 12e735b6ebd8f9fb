import type { ChangeEvent } from '@perfume/contract/feed';
import { fromWire } from '@perfume/contract/wire-item';
import { useEffect, useSyncExternalStore } from 'react';
import { type Connection, listen } from '../api/change-feed.ts';
import { queryClient } from '../api/query-client.ts';
import {
  cachedItem,
  isOrderedByStock,
  itemQuery,
  refetchLists,
  removeCachedItem,
  updateCachedItem,
} from './item-cache.ts';
import { useSession } from './session-provider.tsx';

/** Items somebody is changing on this very screen: what the feed says of them waits until that is settled. */
const held = new Map<string, { holders: number; waiting: ChangeEvent[] }>();

/** Until the returned function is called, the feed does not overwrite what this screen shows of the item. */
export function holdUpdates(id: string): () => void {
  const hold = held.get(id) ?? { holders: 0, waiting: [] };
  held.set(id, hold);
  hold.holders++;
  return () => {
    hold.holders--;
    if (hold.holders > 0) return;
    held.delete(id);
    for (const event of hold.waiting) applyChange(event);
  };
}

/**
 * For a request whose answer does not say how the items stand that it changed: those on screen are read before the feed
 * is heard again, so what was done here does not come as news from elsewhere.
 */
export async function withUpdatesHeld<T>(request: () => Promise<T>): Promise<T> {
  const onScreen = queryClient.getQueryCache().findAll({ queryKey: ['item'], type: 'active' });
  const ids = onScreen.map(({ queryKey }) => queryKey[1] as string);
  const releases = ids.map(holdUpdates);
  try {
    const answer = await request();
    await Promise.allSettled(ids.map((id) => queryClient.fetchQuery({ ...itemQuery(id), staleTime: 0 })));
    return answer;
  } finally {
    for (const release of releases) release();
  }
}

/** One change of anyone's reaches every screen of ours. */
export function applyChange(event: ChangeEvent): void {
  const hold = held.get(event.itemId);
  if (hold) {
    hold.waiting.push(event);
    return;
  }
  for (const listener of listeners) listener(event);
  if (event.item === null) removeCachedItem(event.itemId);
  else {
    const item = fromWire(event.item);
    const known = cachedItem(item.id);
    // Events and answers overtake each other; the higher version is the later one.
    if (!known || known.version <= item.version) updateCachedItem(item);
  }
  if (comesOrGoes(event)) readItemAgain(event.itemId);
  if (movesRows(event)) refetchLists();
  else forgetOrderOfStock();
}

function comesOrGoes({ kind }: ChangeEvent): boolean {
  return kind === 'created' || kind === 'deleted' || kind === 'restored';
}

/** What is not there has no version: an answer that was under way would bring it back, or take it away again. */
function readItemAgain(id: string): void {
  const item = { queryKey: ['item', id], exact: true };
  // By itself, a first reading would be waited for and believed.
  void queryClient.cancelQueries(item).then(() => queryClient.invalidateQueries(item));
}

/** Lists that nobody looks at just now are read again when somebody does. */
function forgetOrderOfStock(): void {
  void queryClient.invalidateQueries({
    queryKey: ['list'],
    type: 'inactive',
    refetchType: 'none',
    predicate: ({ queryKey }) => isOrderedByStock(queryKey),
  });
}

function movesRows({ kind }: ChangeEvent): boolean {
  if (kind !== 'stock') return true;
  const shown = queryClient.getQueryCache().findAll({ queryKey: ['list'], type: 'active' });
  return shown.some(({ queryKey }) => isOrderedByStock(queryKey));
}

const listeners = new Set<(event: ChangeEvent) => void>();

/** For whoever shows more of a change than the item itself: histories, figures. Told before the item is shown. */
export function onLiveChange(listener: (event: ChangeEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let connection: Connection = 'connecting';
const watchers = new Set<() => void>();

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const watcher of watchers) watcher();
}

/** Keeps every screen of the dashboard live while it is mounted. */
export function useLiveItems(): void {
  const { refreshSession } = useSession();
  useEffect(() => {
    const stop = listen({
      onChange: applyChange,
      onGap: () => void queryClient.invalidateQueries(),
      onConnection: setConnection,
      onRefused: refreshSession,
    });
    return () => {
      stop();
      setConnection('connecting');
    };
  }, [refreshSession]);
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );
}
