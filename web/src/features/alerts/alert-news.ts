import type { WireAlert } from '@perfume/contract/alerts';
import type { ChangeEvent } from '@perfume/contract/events';
import { emailKey } from '@perfume/domain/email';
import { type StockState, stockState } from '@perfume/domain/stock';

/**
 * Which changes are worth asking for alerts: those that may have crossed a line, of an item that is told about. The
 * first that is heard of an item may always have; after that, only one that changes its badge.
 */
export function crossingsHeard(): (event: ChangeEvent, about: { own: string } | 'all') => boolean {
  const states = new Map<string, StockState>();
  return ({ itemId, kind, item }, about) => {
    if (item === null || kind !== 'stock') {
      // It may come back, or be measured by another point: what is known of it no longer holds.
      states.delete(itemId);
      return false;
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
