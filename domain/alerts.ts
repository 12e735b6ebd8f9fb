/** `low`: at or below the reorder point. `out`: nothing left. `recovered`: above the reorder point again. */
export type AlertKind = 'low' | 'out' | 'recovered';

/**
 * Chooses which of several alerts, given oldest first, are worth an email: the latest of each item. An item that became
 * low and has recovered since is left out.
 */
export function alertsToSend<Alert extends { itemId: string; kind: AlertKind }>(alerts: readonly Alert[]): Alert[] {
  const first = new Map<string, Alert>();
  const last = new Map<string, Alert>();
  for (const alert of alerts) {
    if (!first.has(alert.itemId)) first.set(alert.itemId, alert);
    last.delete(alert.itemId);
    last.set(alert.itemId, alert);
  }
  // `low` is only raised from above the reorder point, so an item whose first alert is `low` and whose last is
  // `recovered` is back where it was.
  return [...last.values()].filter(({ itemId, kind }) => kind !== 'recovered' || first.get(itemId)?.kind !== 'low');
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const DIGEST_TIME = 7 * HOUR_MS;

/** The most recent 7:00 UTC. A digest is due for everyone who has not had one since. */
export function lastDigestTime(now: number): number {
  return Math.floor((now - DIGEST_TIME) / DAY_MS) * DAY_MS + DIGEST_TIME;
}
