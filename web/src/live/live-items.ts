import type { ChangeEvent, CountEvent } from '@perfume/contract/feed';
import { fromWire } from '@perfume/contract/wire-item';
import { useEffect } from 'react';
import { useBoot } from '../api/boot.ts';
import { type Connection, subscribeToChanges } from '../api/change-feed.ts';
import { queryClient } from '../api/query-client.ts';
import { createStore } from '../ui/store.ts';
import { refetchHouses } from './houses.ts';
import {
  cachedItem,
  isOrderedByStock,
  itemQuery,
  refetchLists,
  removeCachedItem,
  updateCachedItem,
} from './item-cache.ts';
import { seenAt } from './seen-data.ts';
import { useSession } from './session-provider.tsx';
import { throttle } from './throttle.ts';

/** Items with requests in flight. Changes from the feed wait here until the requests are answered. */
const held = new Map<string, { holders: number; waiting: ChangeEvent[] }>();

/** Keeps the change feed from overwriting an item on screen until the returned function is called. */
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

/** Whether the quantity on screen contains a change that the server has not answered yet. */
export function isHeld(id: string): boolean {
  return held.has(id);
}

/**
 * Makes a request whose reply does not contain the items it changed. Live updates pause during the request, and the
 * items on screen are refetched before they resume. Otherwise the user's own change would look like somebody else's.
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

/** Applies one change, of any user, to the cache. */
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
    // Events and replies arrive in any order; the higher version is the later one.
    if (!known || known.version <= item.version) updateCachedItem(item);
  }
  if (isCreatedOrDeleted(event)) refetchItem(event.itemId);
  if (movesRows(event)) refetchLists();
  else markStockOrderStale();
}

function isCreatedOrDeleted({ kind }: ChangeEvent): boolean {
  return kind === 'created' || kind === 'deleted' || kind === 'restored';
}

/**
 * Refetches an item that was created, deleted or restored. A missing item has no version to compare: a reply in flight
 * could bring back a deleted item, or hide a restored one.
 */
function refetchItem(id: string): void {
  const item = { queryKey: ['item', id], exact: true };
  // `invalidateQueries` alone would keep a first fetch in flight and accept its reply.
  void queryClient.cancelQueries(item).then(() => queryClient.invalidateQueries(item));
}

/**
 * Marks lists that depend on quantity and are not on screen as stale, so that they are refetched when they are shown
 * again.
 */
function markStockOrderStale(): void {
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

/**
 * Calls `listener` with every change, before the cache is updated. For views that show more than the items, such as
 * history and figures.
 */
export function onLiveChange(listener: (event: ChangeEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const gapListeners = new Set<() => void>();

/** Calls `listener` whenever changes may have been missed: the feed has begun anew. */
export function onLiveGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

/** Call it when changes may have been missed. What is on screen is refetched, and nothing read before is trusted. */
export function noteGap(): void {
  void queryClient.invalidateQueries();
  for (const listener of gapListeners) listener();
}

const countListeners = new Set<(event: CountEvent) => void>();

/** Calls `listener` whenever somebody counted in a count session, or changed one. */
export function onLiveCount(listener: (event: CountEvent) => void): () => void {
  countListeners.add(listener);
  return () => countListeners.delete(listener);
}

const connection = createStore<Connection>('connecting');
export const useConnection = connection.use;

/** Whether changes of other people do not arrive at the moment. */
export function isLost(): boolean {
  return connection.get() === 'lost' || !navigator.onLine;
}

/** The minimum time between two refetches of the saved views. */
const VIEWS_EVERY_MS = 1_000;

/** Keeps every page of the dashboard up to date through the change feed while the component is mounted. */
export function useLiveItems(): void {
  const { refreshSession } = useSession();
  const { user, feed } = useBoot();
  const house = user?.house?.id;
  useEffect(() => {
    // The session also says which house the person works in, and as what.
    const checkHouse = () => {
      if (house === undefined) return;
      refetchHouses();
      void refreshSession();
    };
    const views = throttle(VIEWS_EVERY_MS, () => void queryClient.invalidateQueries({ queryKey: ['views'] }));
    const stop = subscribeToChanges(
      {
        onChange: applyChange,
        onCount: (event) => {
          for (const listener of countListeners) listener(event);
        },
        onViews: views.request,
        onHouse: checkHouse,
        onGap: () => {
          checkHouse();
          noteGap();
        },
        onConnection: (now) => {
          // Copies from this device may be on screen. They are older than what the feed resumes after.
          if (now === 'live' && seenAt.get() !== null) noteGap();
          connection.set(now);
        },
        onRefused: () => void refreshSession(),
      },
      { house, after: feedStart(feed) },
    );
    return () => {
      stop();
      views.stop();
      connection.set('connecting');
    };
  }, [refreshSession, house, feed]);
}

/** A public page that was open for longer had read nothing: reading is cheaper than hearing of all changes since. */
const MAX_AGE_MS = 60_000;
let hasStarted = false;

/** The first feed of a page starts where it was when the server made the page. Later feeds start with new changes. */
export function feedStart(feed: string | null): string | null {
  const isFirst = !hasStarted && performance.now() < MAX_AGE_MS;
  hasStarted = true;
  return isFirst ? feed : null;
}
