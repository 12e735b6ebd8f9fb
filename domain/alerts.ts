/** `low`: at or below the reorder point. `out`: nothing left. `recovered`: above the reorder point again. */
export type AlertKind = 'low' | 'out' | 'recovered';

export type Shelf = { quantity: number; lowAt: number };

/**
 * What a change is worth telling, if anything: the shelf fell to its reorder point, was emptied, or is well filled again;
 * or the point was raised above what is there. A point that is lowered fills no shelf. Whatever else happens below the
 * point has been told already. The database says the same in a trigger.
 */
export function crossing(before: Shelf, after: Shelf): AlertKind | null {
  const wasLow = before.quantity <= before.lowAt;
  const isLow = after.quantity <= after.lowAt;
  if (after.quantity === 0 && before.quantity > 0) return 'out';
  if (isLow && !wasLow) return 'low';
  return !isLow && wasLow && after.quantity !== before.quantity ? 'recovered' : null;
}

/**
 * Of the alerts of some seconds, oldest first, what still is news: the last of each item, and nothing of an item that
 * fell and was put right before anybody could be told.
 */
export function stillNews<Alert extends { itemId: string; kind: AlertKind }>(alerts: readonly Alert[]): Alert[] {
  const first = new Map<string, Alert>();
  const last = new Map<string, Alert>();
  for (const alert of alerts) {
    if (!first.has(alert.itemId)) first.set(alert.itemId, alert);
    last.delete(alert.itemId);
    last.set(alert.itemId, alert);
  }
  // Only a well filled shelf becomes low, so one that began with that and recovered is as it was.
  return [...last.values()].filter(({ itemId, kind }) => kind !== 'recovered' || first.get(itemId)?.kind !== 'low');
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const DIGEST_AT = 7 * HOUR_MS;

/** The last seven o'clock (UTC): whoever has had no digest since then is due one. */
export function lastDigestTime(now: number): number {
  return Math.floor((now - DIGEST_AT) / DAY_MS) * DAY_MS + DIGEST_AT;
}
