import type { WireAlert } from '@perfume/contract/alerts';
import type { ChangeEvent } from '@perfume/contract/feed';
import { emailKey } from '@perfume/domain/email';
import { type StockState, stockState } from '@perfume/domain/stock';

/**
 * Which changes are worth asking for alerts. Of stock: those that may have changed the badge of an item that is told
 * about; the first that is heard of an item may always have. Edits, deletions and restorations all are: they are rare,
 * and one line may stand for a new reorder point of the whole warehouse.
 */
export function crossingsHeard(): (event: ChangeEvent, about: { own: string } | 'all') => boolean {
  const states = new Map<string, StockState>();
  return ({ itemId, kind, item }, about) => {
    if (item === null || kind !== 'stock') {
      // It may come back, or be measured by another point: what is known of it no longer holds.
      states.delete(itemId);
      return kind !== 'created';
    }
    const before = states.get(itemId);
    const now = stockState(Number(item.quantity), item.lowAt);
    states.set(itemId, now);
    if (about !== 'all' && emailKey(item.email) !== emailKey(about.own)) return false;
    return now !== before;
  };
}

/**
 * Tells the alerts that have just come in from those that were there. The first list that is seen is old news, and so
 * is an alert that turns up from before the newest one known, because the list is now about more items.
 */
export function arrivals(): (list: readonly WireAlert[]) => WireAlert[] {
  const known = new Set<string>();
  let newest: number | null = null;
  return (list) => {
    const since = newest;
    const fresh = list.filter(({ id, at }) => !known.has(id) && since !== null && Date.parse(at) >= since);
    for (const { id } of list) known.add(id);
    newest = Math.max(newest ?? 0, ...list.map(({ at }) => Date.parse(at)));
    return fresh;
  };
}
