import { fromWire, toWireNames, type WireItem } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { retryUntilAnswered } from '../api/retry.ts';
import { queueState, setActiveQueue } from './active-queue.ts';
import { attempts, moveStock } from './change-stock.ts';
import { cachedItem, itemQuery, refetchLists, updateCachedItem } from './item-cache.ts';
import { type CachedItem, setPending, withPending } from './pending-stock.ts';
import { openQueueStore, type QueueStore } from './queue-store.ts';
import { createStockQueue, type QueueState, type StockReply } from './stock-queue.ts';
import { type ChangedSince, deltaOf, isOfOtherHouse, type StoredChange } from './stored-change.ts';

/** How many of the movements since a count are listed. */
const MAX_LISTED = 20;

/**
 * Starts the queue of a person: reads what waits on this device and sends it. Returns a function that stops it. Where the
 * browser stores nothing, changes are sent at once, and fail without a connection.
 */
export function startQueue(userId: string): () => void {
  const opening = openQueueStore();
  const store: QueueStore = {
    all: async (...input) => (await opening).all(...input),
    add: async (...input) => (await opening).add(...input),
    change: async (...input) => (await opening).change(...input),
  };
  const channel = new BroadcastChannel(`stock-queue ${userId}`);
  const queue = createStockQueue({
    store,
    userId,
    send: sendStored,
    look: lookAtCounted,
    isOffline: () => !navigator.onLine,
    withLock,
    isLocked,
    tellOtherTabs: (item) => channel.postMessage(item),
    onChange: show,
    onRecordedBefore: ({ itemId }) => void refetchItem(itemId),
  });
  channel.onmessage = ({ data }: MessageEvent<WireItem | null>) => {
    if (data) showAnswer(data);
    void queue.read();
  };
  const onReachable = () => queue.reachable();
  const onVisible = () => document.visibilityState === 'visible' && queue.poke();
  addEventListener('online', onReachable);
  document.addEventListener('visibilitychange', onVisible);
  setActiveQueue(queue);
  queue.start().catch((problem) => console.error(problem));
  return () => {
    removeEventListener('online', onReachable);
    document.removeEventListener('visibilitychange', onVisible);
    queue.stop();
    channel.close();
    setActiveQueue(null);
    setPending(new Map(), new Map());
  };
}

/**
 * The changes in flight, and whether their request counts on screen. It does not if no screen had the item when it was
 * sent: then the change counts as waiting until it is answered.
 */
const countsOnScreen = new Map<string, boolean>();

/**
 * Makes the screens show what waits: in the quantities, in new items, and in the list of pending changes. Changes of
 * another house are only in the list.
 */
function show(state: QueueState, inFlight: ReadonlySet<string>): void {
  queueState.set(state);
  for (const id of countsOnScreen.keys()) if (!inFlight.has(id)) countsOnScreen.delete(id);
  const deltas = new Map<string, number>();
  const added = new Map<string, Item>();
  for (const change of state.changes) {
    if (change.state === 'refused' || isOfOtherHouse(change)) continue;
    if (inFlight.has(change.id) && !countsOnScreen.has(change.id))
      countsOnScreen.set(change.id, cachedItem(change.itemId) !== null);
    if (change.made.kind === 'add') added.set(change.itemId, newItemOf(change));
    else if (!countsOnScreen.get(change.id))
      deltas.set(change.itemId, (deltas.get(change.itemId) ?? 0) + deltaOf(change.made));
  }
  const before = setPending(deltas, added);
  for (const item of added.values())
    queryClient.setQueryData<CachedItem | null>(['item', item.id], (known) => known ?? withPending(item));
  for (const id of new Set([...before.keys(), ...deltas.keys()])) {
    if (before.get(id) === deltas.get(id)) continue;
    const item = cachedItem(id);
    if (item) updateCachedItem(item);
  }
}

/** An item as it will be once the server has added it. Version 0 is older than anything the server knows. */
function newItemOf({ id, request, madeAt }: StoredChange): Item {
  const at = new Date(madeAt).toISOString();
  const body = request.body as WireItem;
  const texts = { quantity: String(body.quantity), price: Number(body.price), createdAt: at, updatedAt: at };
  return fromWire({ ...body, ...texts, ...toWireNames({ id }), version: 0, lowAt: 0 });
}

async function sendStored(change: StoredChange, onUnanswered: () => void, cancel: AbortSignal): Promise<StockReply> {
  const send = attempts(change.request);
  const item = cachedItem(change.itemId);
  if (change.made.kind === 'add' || item === null || !countsOnScreen.get(change.id)) {
    const reply = await retryUntilAnswered(send, cancel);
    if (change.made.kind === 'add') refetchLists();
    if (reply.item) showAnswer(reply.item);
    return reply;
  }
  let unanswered: unknown;
  const reply = await moveStock(item, deltaOf(change.made), send, {
    cancel,
    onUnanswered: async (problem) => {
      unanswered = problem;
      return onUnanswered;
    },
  });
  if (reply === null) throw unanswered;
  return reply;
}

function showAnswer(wire: WireItem): void {
  const item = fromWire(wire);
  const known = cachedItem(item.id);
  if (known && known.version < item.version) updateCachedItem(item);
}

async function lookAtCounted(change: StoredChange): Promise<(ChangedSince & { isRecorded: boolean }) | null> {
  const { itemId, made, request } = change;
  if (made.kind !== 'count') return null;
  const { house } = request.headers ?? {};
  const headers: Record<string, string> = house === undefined ? {} : { house };
  const [{ data: items }, movements] = await retryUntilAnswered((signal) =>
    Promise.all([
      call('GET /manage-inventory', { query: toWireNames({ id: itemId }), headers, signal }),
      call('GET /inventory-items/:id/movements', { params: { id: itemId }, query: { limit: '200' }, headers, signal }),
    ]),
  );
  const item = items[0] && fromWire(items[0]);
  if (!item) return null;
  const since = movements.data.filter(({ at, id }) => Date.parse(at) > made.seenAt && !made.after.includes(id));
  return {
    quantity: item.quantity,
    version: item.version,
    movements: since.slice(0, MAX_LISTED).map(({ by, at, delta }) => ({ by: by.name ?? '', at, delta })),
    isRecorded: movements.data.some(({ id }) => id === change.id),
  };
}

async function refetchItem(id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: itemQuery(id).queryKey });
  refetchLists();
}

async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>;
  // Over plain http there are no locks. Two tabs may then send the same change; its key makes it count once.
  return locks ? locks.request(name, work) : work();
}

async function isLocked(name: string): Promise<boolean> {
  const { locks } = navigator as Partial<Navigator>;
  return locks ? locks.request(name, { ifAvailable: true }, async (lock) => lock === null) : false;
}
