import { fromWire, type WireItem } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { applyDelta } from '@perfume/domain/stock';
import { ApiProblem, call } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../api/retry.ts';
import { cachedItem, itemQuery, removeCachedItem, updateCachedItem } from './item-cache.ts';
import { holdUpdates } from './live-items.ts';

/**
 * An item with clicks that are not answered yet. While there are any, the screen shows what was there before them plus
 * the clicks: answers overtake each other, and a number taken from one of them may or may not contain the others.
 */
type Shelf = {
  before: Item;
  accepted: number;
  pending: number;
  /** Requests on their way; `pending` may be 0 with two of them that cancel out. */
  open: number;
  answer: Item | null;
  refused: boolean;
};
const shelves = new Map<string, Shelf>();

/**
 * Delivers (a negative difference) or restocks. The number on every screen of ours changes at the click; when the
 * server refuses, it goes back to the server's and the problem is thrown. Answers the movement's id.
 */
export async function changeStock(item: Item, delta: number): Promise<string> {
  const key = newIdempotencyKey();
  const seen = onScreen(shelves.get(item.id)) ?? cachedItem(item.id)?.quantity ?? item.quantity;
  const fits = applyDelta(seen, delta);
  if (!fits.ok) throw new ApiProblem(fits.reason, 409, { onHand: seen });
  await move(item, delta, async (signal) => {
    const { data } = await call('PUT /inventory-items/:id', {
      params: { id: item.id },
      body: { quantity: String(fits.after) },
      headers: { 'stock-base': String(seen), 'idempotency-key': key },
      signal,
    });
    return data;
  });
  return key;
}

/** Takes back a movement that `changeStock` made. The ledger keeps both. Answers the id of the one that does it. */
export async function undoChange(
  item: Item,
  movement: { id: string; delta: number },
  key: string = newIdempotencyKey(),
): Promise<string> {
  await move(item, -movement.delta, async (signal) => {
    const { data } = await call('POST /movements/:id/undo', {
      params: { id: movement.id },
      headers: { 'idempotency-key': key },
      signal,
    });
    return data.item;
  });
  return key;
}

async function move(item: Item, delta: number, send: (signal: AbortSignal) => Promise<WireItem>): Promise<void> {
  const release = holdUpdates(item.id);
  const shelf = shelves.get(item.id) ?? emptyShelf(cachedItem(item.id) ?? item);
  shelves.set(item.id, shelf);
  shelf.pending += delta;
  shelf.open++;
  show(shelf);
  try {
    const answer = fromWire(await retryUntilAnswered(send));
    shelf.accepted += delta;
    if (!shelf.answer || shelf.answer.version < answer.version) shelf.answer = answer;
  } catch (problem) {
    shelf.refused = true;
    // The refusal says how many there are. What was accepted before it is counted in there.
    const onHand = problem instanceof ApiProblem ? problem.onHand : undefined;
    if (onHand !== undefined) shelf.before = { ...shelf.before, quantity: onHand - shelf.accepted };
    throw problem;
  } finally {
    shelf.pending -= delta;
    shelf.open--;
    if (shelf.open === 0) settle(shelf);
    else show(shelf);
    release();
  }
}

function emptyShelf(before: Item): Shelf {
  return { before, accepted: 0, pending: 0, open: 0, answer: null, refused: false };
}

function onScreen(shelf: Shelf | undefined): number | null {
  return shelf ? Math.max(0, shelf.before.quantity + shelf.accepted + shelf.pending) : null;
}

function show(shelf: Shelf): void {
  updateCachedItem({ ...shelf.before, quantity: onScreen(shelf) ?? 0 });
}

/** Everything is answered: the server's number stands, or what is newer than that. */
function settle(shelf: Shelf): void {
  const { id } = shelf.before;
  shelves.delete(id);
  const answer = shelf.answer ?? shelf.before;
  const known = cachedItem(id);
  if (known && known.version > answer.version) updateCachedItem(known);
  else if (shelf.answer) updateCachedItem(shelf.answer);
  else show(shelf);
  if (shelf.refused) void readAgain(id);
}

/** After a refusal nobody here knows what the server has. Without a connection, what is shown stays. */
async function readAgain(id: string): Promise<void> {
  const item = await queryClient.fetchQuery({ ...itemQuery(id), staleTime: 0 }).catch(() => undefined);
  if (item === undefined || shelves.has(id)) return;
  if (item === null) removeCachedItem(id);
  else updateCachedItem(item);
}
