import type { WireAlert } from '@perfume/contract/alerts';
import type { ChangeEvent } from '@perfume/contract/feed';
import { emailKey } from '@perfume/domain/email';
import { type StockState, stockState } from '@perfume/domain/stock-level';

/**
 * Returns a function that tells whether a change may cause an alert. A stock change counts if the user gets alerts
 * about the item, and if it is the first change seen of the item or changes its stock status. Edits, deletions and
 * restorations always count: they are rare, and one edit may announce a new reorder point of the whole warehouse.
 */
export function crossingDetector(): (event: ChangeEvent, about: { own: string } | 'all') => boolean {
  const states = new Map<string, StockState>();
  return ({ itemId, kind, item }, about) => {
    if (item === null || kind !== 'stock') {
      // The item may be restored later, or its reorder point may have changed, so its known status is no longer valid.
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
 * Returns a function that picks the new alerts from a list. In the first list, no alert is new. Later, an alert that is
 * older than the newest known one is not new either: it appears because the user now follows more items.
 */
export function newAlertDetector(): (list: readonly WireAlert[]) => WireAlert[] {
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
