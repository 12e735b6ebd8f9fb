import { fromWire, type WireItem } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { applyDelta, type CountReason } from '@perfume/domain/ledger';
import { ApiProblem, call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { cachedItem, itemQuery, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';

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
};
const unsettled = new Map<string, Unsettled>();

/**
 * Delivers (a negative delta) or restocks. Every view in this tab shows the new quantity at once; when the server
 * refuses, the quantity goes back to the server's and the problem is thrown. Resolves with the movement's id.
 */
export async function changeStock(item: Item, delta: number, more: { note?: string } = {}): Promise<string> {
  const seen = shownQuantity(unsettled.get(item.id)) ?? cachedItem(item.id)?.quantity ?? item.quantity;
  const fits = applyDelta(seen, delta);
  if (!fits.ok) throw new ApiProblem(fits.reason, 409, { onHand: seen });
  return putQuantity(item, seen, { quantity: String(fits.after), ...more });
}

export type Count = { counted: number; reason: CountReason; note?: string };

/**
 * Corrects the stock to what was counted. `item` is the item as the person saw it: the server applies the difference
 * between its quantity and the count, so what others deliver meanwhile is kept. Resolves with the movement's id, or with
 * null when the count confirms the quantity: then there is nothing to record.
 */
export async function countStock(item: Item, { counted, ...why }: Count): Promise<string | null> {
  if (counted === item.quantity) return null;
  return putQuantity(item, item.quantity, { quantity: String(counted), ...why });
}

type QuantityBody = { quantity: string; reason?: CountReason; note?: string };

async function putQuantity(item: Item, seen: number, body: QuantityBody): Promise<string> {
  const key = newIdempotencyKey();
  await moveStock(item, Number(body.quantity) - seen, async (signal) => {
    const { data } = await call('PUT /inventory-items/:id', {
      params: { id: item.id },
      body,
      headers: { 'stock-base': String(seen), 'idempotency-key': key },
      signal,
    });
    return { item: data };
  });
  return key;
}

/** Shows the quantity changed by `delta` at once, and sends the request that makes this change. An undo uses it too. */
export async function moveStock<Reply extends { item: WireItem | null }>(
  item: Item,
  delta: number,
  send: (signal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const release = holdUpdates(item.id);
  const stock = unsettled.get(item.id) ?? nothingPending(cachedItem(item.id) ?? item);
  unsettled.set(item.id, stock);
  stock.pending += delta;
  stock.open++;
  show(stock);
  try {
    const reply = await retryUntilAnswered(send);
    const answer = reply.item && fromWire(reply.item);
    stock.accepted += delta;
    if (answer && (!stock.answer || stock.answer.version < answer.version)) stock.answer = answer;
    return reply;
  } catch (problem) {
    stock.refused = true;
    // The refusal carries the quantity on hand, which includes the changes accepted before.
    const onHand = problem instanceof ApiProblem ? problem.onHand : undefined;
    if (onHand !== undefined) stock.before = { ...stock.before, quantity: onHand - stock.accepted };
    throw problem;
  } finally {
    stock.pending -= delta;
    stock.open--;
    if (stock.open === 0) settle(stock);
    else show(stock);
    release();
  }
}

function nothingPending(before: Item): Unsettled {
  return { before, accepted: 0, pending: 0, open: 0, answer: null, refused: false };
}

function shownQuantity(stock: Unsettled | undefined): number | null {
  return stock ? Math.max(0, stock.before.quantity + stock.accepted + stock.pending) : null;
}

function show(stock: Unsettled): void {
  updateCachedItem({ ...stock.before, quantity: shownQuantity(stock) ?? 0 });
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
}

/**
 * Refetches an item after a refusal, when the server's quantity is unknown here. Without a connection, the screen stays
 * as it is.
 */
async function refetchItem(id: string): Promise<void> {
  const item = await queryClient.fetchQuery({ ...itemQuery(id), staleTime: 0 }).catch(() => undefined);
  if (item === undefined || unsettled.has(id)) return;
  if (item === null) removeCachedItem(id);
  else updateCachedItem(item);
}
