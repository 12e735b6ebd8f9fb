import { fromWire, type WireItem } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { applyDelta, type CountReason } from '@perfume/domain/ledger';
import { ApiProblem, call, callerHeaders } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { activeQueue } from './active-queue.ts';
import { cachedItem, forgetShown, itemQuery, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';
import { pendingNewItem, withoutPending, withPending } from './pending-stock.ts';
import { isAboutMember, isUnanswered, type StockReply } from './stock-queue.ts';
import {
  type ChangeMade,
  deltaOf,
  type StockCondition,
  type StockRequest,
  type StoredChange,
} from './stored-change.ts';

/**
 * An item with requests in flight. Until all are answered, the screen shows the quantity before them plus the changes
 * the user made: replies arrive in any order, and the quantity in a reply may or may not include the other changes.
 */
type Unsettled = {
  before: Item;
  accepted: number;
  pending: number;
  /**
   * The number of requests in flight. `pending`, the sum of their deltas, may be 0 while two that cancel each other out
   * are still open.
   */
  open: number;
  answer: Item | null;
  refused: boolean;
  /** Resolves when all requests are answered. */
  settled: PromiseWithResolvers<void>;
};
const unsettled = new Map<string, Unsettled>();

/**
 * Delivers (a negative delta) or restocks. Every view in this tab shows the new quantity at once; when the server
 * refuses, the quantity goes back to the server's and the problem is thrown. Without a connection it is stored on this
 * device and sent later. Resolves with the movement's id.
 */
export async function changeStock(item: Item, delta: number, more: { note?: string } = {}): Promise<string> {
  const seen = quantityNow(item);
  const fits = applyDelta(seen, delta);
  if (!fits.ok) throw new ApiProblem(fits.reason, 409, { onHand: seen });
  return putQuantity(
    item,
    { kind: 'move', delta },
    { 'stock-base': String(seen) },
    { quantity: String(fits.after), ...more },
  );
}

export type Count = { counted: number; reason: CountReason; note?: string };

/**
 * Corrects the stock to what was counted. `item` is the item as the person saw it: the server applies the difference
 * between its quantity and the count, so what others deliver meanwhile is kept. Resolves with the movement's id, or with
 * null when the count confirms the quantity: then there is nothing to record. A count that had to wait for a connection
 * asks the person first if others have changed the item since. With a version, the server accepts the count only if the
 * item still has it.
 */
export async function countStock(item: Item, { counted, ...why }: Count, version?: number): Promise<string | null> {
  const { quantity: seen, updatedAt: seenAt } = item;
  if (counted === seen) return null;
  const after = activeQueue()?.idsOf(item.id) ?? [];
  const made = { kind: 'count', counted, seen, seenAt, after, reason: why.reason } as const;
  const condition = version === undefined ? { 'stock-base': String(seen) } : { 'if-match': `"${version}"` };
  return putQuantity(item, made, condition, { quantity: String(counted), ...why });
}

/**
 * Corrects the stock as `countStock` does, but only if the item still has the quantity of `item`: another person who
 * counted the same bottles may have recorded the same difference. Otherwise rejects with `stale_version`. The server
 * decides, because the screen of a tab that was hidden may be old.
 */
export async function countIfUnchanged(item: Item, count: Count): Promise<string | null> {
  await unsettled.get(item.id)?.settled.promise;
  const known = cachedItem(item.id) ?? item;
  if (known.quantity !== item.quantity) throw new ApiProblem('stale_version', 412);
  // A count that has to wait is compared with the server's quantity before it is sent.
  return countStock(item, count, activeQueue()?.mustWait(item.id) ? undefined : known.version);
}

type QuantityBody = { quantity: string; reason?: CountReason; note?: string };

async function putQuantity(item: Item, made: ChangeMade, headers: StockCondition, body: QuantityBody): Promise<string> {
  const id = newIdempotencyKey();
  await makeChange(item, id, made, { route: 'PUT /inventory-items/:id', params: { id: item.id }, body, headers });
  return id;
}

/** The quantity on screen, with every change that has no answer yet. */
function quantityNow(item: Item): number {
  return cachedItem(item.id)?.quantity ?? withPending(item).quantity;
}

/** The sum of the deliveries and restocks of each item that were made in this tab and not refused at once. */
const changes = new Map<string, number>();

/**
 * Returns by how much deliveries and restocks in this tab have changed the quantity of an item since it was opened. An
 * undo moves no bottle: it corrects what was recorded, maybe before a count began.
 */
export function changedHere(itemId: string): number {
  return changes.get(itemId) ?? 0;
}

/**
 * Makes a change of stock: shows it at once, and sends it or, without a connection, stores it for later. Resolves with
 * the reply, or with null when the change waits on this device.
 */
export async function makeChange(...input: Parameters<typeof sendOrStore>): Promise<StockReply | null> {
  const [{ id }, , made] = input;
  const delta = made.kind === 'move' ? made.delta : 0;
  changes.set(id, changedHere(id) + delta);
  try {
    return await sendOrStore(...input);
  } catch (problem) {
    changes.set(id, changedHere(id) - delta);
    throw problem;
  }
}

async function sendOrStore(
  item: Pick<Item, 'id' | 'name'>,
  id: string,
  made: ChangeMade,
  request: StockRequest,
  perform: (
    send: (signal: AbortSignal) => Promise<StockReply>,
    unanswered?: Unanswered,
  ) => Promise<StockReply | null> = (send, unanswered) => moveStock(item as Item, deltaOf(made), send, unanswered),
): Promise<StockReply | null> {
  const queue = activeQueue();
  if (queue === null) return perform(attempts(withKey(request, id)));
  const change: StoredChange = {
    id,
    userId: queue.userId,
    itemId: item.id,
    itemName: item.name,
    madeAt: Date.now(),
    made,
    request: withKey(request, id),
    tried: false,
    isSending: false,
    state: 'waiting',
  };
  const mustWait = queue.mustWait(item.id);
  if (mustWait && (await queue.storeForLater(change))) return null;
  const sending = queue.startSending(change);
  try {
    const reply = await untilOffline((cancel) =>
      perform(attempts(change.request), {
        cancel,
        onUnanswered: async (problem) => ((await sending.keep(problem)) ? sending.list : null),
      }),
    );
    if (reply !== null) sending.answered();
    return reply;
  } catch (problem) {
    if (!isUnanswered(problem)) sending.answered();
    else if (mustWait) throw new ApiProblem('not_stored', 0);
    throw problem;
  }
}

type NewItemBody = Extract<StockRequest, { route: 'POST /new-inventory-item' }>['body'];

/** Adds an item under this id. Without a connection, it is stored on this device and sent later. */
export async function addItem(id: string, name: string, body: NewItemBody): Promise<Item> {
  const request: StockRequest = { route: 'POST /new-inventory-item', ...(body && { body }), headers: {} };
  const reply = await makeChange({ id, name }, id, { kind: 'add' }, request, async (send, unanswered) => {
    try {
      return await retryUntilAnswered(send, unanswered?.cancel);
    } catch (problem) {
      const listed = isUnanswered(problem) ? await unanswered?.onUnanswered(problem) : null;
      if (!listed) throw problem;
      listed();
      return null;
    }
  });
  const item = reply?.item ? fromWire(reply.item) : pendingNewItem(id);
  if (!item) throw new ApiProblem('internal', 500);
  return item;
}

/** Names the key, the person and their house in the request, which may be sent when others use this device. */
function withKey(request: StockRequest, id: string): StockRequest {
  const headers = { ...request.headers, ...callerHeaders(), 'idempotency-key': id };
  return { ...request, headers } as StockRequest;
}

/** Runs the work with a signal that aborts when the device says that it has lost its connection. */
async function untilOffline<T>(work: (cancel: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onOffline = () => controller.abort(new ApiProblem('offline', 0));
  addEventListener('offline', onOffline);
  try {
    return await work(controller.signal);
  } finally {
    removeEventListener('offline', onOffline);
  }
}

/**
 * Returns a function that sends a request, again if it is called again. After an attempt without an answer, a refusal
 * about the house counts as no answer: it does not tell whether that attempt was recorded.
 */
export function attempts(request: StockRequest): (signal: AbortSignal) => Promise<StockReply> {
  let made = 0;
  return async (signal) => {
    made++;
    return sendRequest(request, signal).catch((problem) => {
      throw made > 1 && isAboutMember(problem) ? new ApiProblem('offline', 0) : problem;
    });
  };
}

/** Sends a stored request. The replies differ by route; all of them have the item as it is now. */
async function sendRequest(request: StockRequest, signal: AbortSignal): Promise<StockReply> {
  const { route, ...input } = { ...request, signal };
  const { data } = await call(route, input as Parameters<typeof call<typeof route>>[1]);
  return 'entry' in data ? data : { item: data };
}

type Unanswered = {
  cancel?: AbortSignal;
  /**
   * Called when nobody answered. Returns what to do in the moment in which the screen stops counting the request as
   * being in flight, or null to reject with the problem.
   */
  onUnanswered: (problem: unknown) => Promise<(() => void) | null>;
};

/**
 * Shows the quantity changed by `delta` at once, and sends the request that makes this change. Resolves with null when
 * nobody answered and `onUnanswered` took care of it.
 */
export async function moveStock<Reply extends { item: WireItem | null }>(
  item: Item,
  delta: number,
  send: (signal: AbortSignal) => Promise<Reply>,
  { cancel, onUnanswered }: Partial<Unanswered> = {},
): Promise<Reply | null> {
  const release = holdUpdates(item.id);
  const stock = unsettled.get(item.id) ?? nothingPending(withoutPending(cachedItem(item.id) ?? item));
  unsettled.set(item.id, stock);
  stock.pending += delta;
  stock.open++;
  show(stock);
  let landed: (() => void) | null = null;
  try {
    const reply = await retryUntilAnswered(send, cancel);
    const answer = reply.item && fromWire(reply.item);
    // The server repeats its answer to a change that it already knows, which the quantity before may include.
    if (answer === null || answer.version > stock.before.version) stock.accepted += delta;
    if (answer && answer.version > (stock.answer ?? stock.before).version) stock.answer = answer;
    return reply;
  } catch (problem) {
    if (isUnanswered(problem)) landed = (await onUnanswered?.(problem)) ?? null;
    if (landed) return null;
    stock.refused = true;
    // The refusal carries the quantity on hand, which includes the changes accepted before.
    const onHand = problem instanceof ApiProblem ? problem.onHand : undefined;
    if (onHand !== undefined) stock.before = { ...stock.before, quantity: onHand - stock.accepted };
    throw problem;
  } finally {
    stock.pending -= delta;
    stock.open--;
    landed?.();
    if (stock.open === 0) settle(stock);
    else show(stock);
    release();
  }
}

function nothingPending(before: Item): Unsettled {
  return { before, accepted: 0, pending: 0, open: 0, answer: null, refused: false, settled: Promise.withResolvers() };
}

function show(stock: Unsettled): void {
  const quantity = Math.max(0, stock.before.quantity + stock.accepted + stock.pending);
  updateCachedItem({ ...stock.before, quantity });
}

/** Ends the wait once every request is answered: shows the server's quantity, or a newer one from the change feed. */
function settle(stock: Unsettled): void {
  const { id } = stock.before;
  unsettled.delete(id);
  const answer = stock.answer ?? stock.before;
  const known = cachedItem(id);
  if (known && known.version > answer.version) updateCachedItem(known);
  else if (stock.answer) updateCachedItem(stock.answer);
  else show(stock);
  if (stock.refused) void refetchItem(id);
  stock.settled.resolve();
}

/**
 * Refetches an item after a refusal, when the server's quantity is unknown here. Without a connection, the screen stays
 * as it is.
 */
async function refetchItem(id: string): Promise<void> {
  // The quantity shown may come from a refusal that the server repeated, and be as old as that.
  if (!unsettled.has(id)) forgetShown(id);
  const item = await queryClient.fetchQuery({ ...itemQuery(id), staleTime: 0 }).catch(() => undefined);
  if (item === undefined || unsettled.has(id)) return;
  if (item === null) removeCachedItem(id);
  else updateCachedItem(item);
}
