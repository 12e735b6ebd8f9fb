import type { Item } from '@perfume/domain/items';

/**
 * An item as the cache holds it. `pending` is the part of its quantity that waits on this device and that the server does
 * not know yet.
 */
export type CachedItem = Item & { pending?: number };

let deltas: ReadonlyMap<string, number> = new Map();
let added: ReadonlyMap<string, Item> = new Map();

/**
 * Sets what waits on this device: the difference for each item, and items that the server does not know yet. Returns the
 * differences before.
 */
export function setPending(
  next: ReadonlyMap<string, number>,
  newItems: ReadonlyMap<string, Item>,
): ReadonlyMap<string, number> {
  const before = deltas;
  deltas = next;
  added = newItems;
  return before;
}

/** Returns the item with the quantity that includes what waits on this device. Applying it twice changes nothing. */
export function withPending(item: CachedItem): CachedItem {
  const own = withoutPending(item);
  const delta = deltas.get(item.id);
  if (delta === undefined) return own;
  const quantity = Math.max(0, own.quantity + delta);
  return { ...own, quantity, pending: quantity - own.quantity };
}

export function withoutPending(item: CachedItem): Item {
  if (item.pending === undefined) return item;
  const { pending, ...rest } = item;
  return { ...rest, quantity: item.quantity - pending };
}

/** Returns an item that was added on this device and that the server does not know yet. */
export function pendingNewItem(id: string): Item | undefined {
  return added.get(id);
}

export function pendingNewItems(): Item[] {
  return [...added.values()];
}
