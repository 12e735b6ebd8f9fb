import type { WebhookEvent } from '@perfume/domain/webhooks';
import { type Change, changesAfter, isVisibleIn, MAX_BATCH, type Position } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { StockAlertRow } from '../db/core/tables.ts';
import { addDeliveries, type Event } from './deliveries.store.ts';
import { giveUp, lockOn, type Webhook, webhooksOnOf } from './webhooks.store.ts';

const MAX_ALERTS = 200;
/** Changes of houses without a webhook only move the position. It is stored after this many, so that the feed can be pruned. */
const STORE_AFTER = 500;
/** More than this was never committed while one transaction waited for another. */
const LOOK_AHEAD = 500;

/** What a server remembers between two steps. */
export type Progress = {
  /** How far this server has looked, beyond the stored position. */
  ahead: Position;
  skipped: number;
  /** Webhooks whose house may have new alerts. */
  alertsDue: Set<string>;
};
export type Planned = { hasMore: boolean; webhooks: string[]; stopped: Webhook[] };

export const newProgress = (): Progress => ({ ahead: { txid: 0, seq: 0 }, skipped: 0, alertsDue: new Set() });

/**
 * Turns the next changes of the feed into deliveries, in one transaction that also moves the position, so nothing is lost
 * or planned twice, whatever server does it. Returns null if no webhook is on.
 */
export async function planStep(db: Db, progress: Progress, now: number): Promise<Planned | null> {
  const [cursor] = await selectCursor(db.query);
  if (!cursor) return null;
  const from = isBefore(cursor, progress.ahead) ? progress.ahead : cursor;
  const seen = await changesAfter(db, from);
  const last = seen.at(-1);
  const isConcerned = (await webhooksOnOf(db.query, housesOf(seen))).length > 0 || progress.alertsDue.size > 0;
  if (!isConcerned) {
    if (!last) return { hasMore: false, webhooks: [], stopped: [] };
    progress.ahead = last;
    progress.skipped += seen.length;
    if (progress.skipped >= STORE_AFTER) await db.change((db) => moveCursor(db, cursor, last));
    if (progress.skipped >= STORE_AFTER) progress.skipped = 0;
    return { hasMore: seen.length === MAX_BATCH, webhooks: [], stopped: [] };
  }
  const { dialect } = db;
  const alertsDue = [...progress.alertsDue];
  const step = await db.change(async (query) => {
    const changes = await changesAfter({ dialect, query }, from);
    const to = changes.at(-1) ?? from;
    const isExhausted = changes.length < MAX_BATCH;
    // On PostgreSQL the feed is in the order in which transactions began, and one that began earlier may have moved an item
    // later: it waited for another. So movements are put in the order of the ledger, also those that come next in the feed.
    const items = new Set(changes.map(({ itemId }) => itemId));
    const next =
      dialect === 'postgres' && !isExhausted ? await changesAfter({ dialect, query }, to, null, LOOK_AHEAD) : [];
    const found = await eventsOf(query, [...changes, ...next.filter(({ itemId }) => items.has(itemId))]);
    const events = inOrderOfLedger(
      found.filter(({ position }) => !isBefore(to, position)),
      found,
    );
    const concerned = (await webhooksOnOf(query, housesOf(changes))).map(({ id }) => id);
    const done = { webhooks: [] as string[], stopped: [] as Webhook[], alertsLeft: [] as string[] };
    // In the order of their ids, so two servers cannot deadlock.
    for (const id of [...new Set([...concerned, ...alertsDue])].sort()) {
      const webhook = await lockOn(query, id);
      if (!webhook) continue;
      const wanted = JSON.parse(webhook.events) as WebhookEvent[];
      const isNew = (event: Located) =>
        event.house === webhook.house &&
        wanted.includes(event.type as WebhookEvent) &&
        isBefore({ txid: webhook.from_txid, seq: webhook.from_seq }, event.position) &&
        !isVisibleIn(webhook.from_snapshot, event.position.txid);
      const added = await addDeliveries(query, webhook, events.filter(isNew), now);
      // An alert follows the change that raised it, so alerts have to wait until all changes are planned.
      const alerts = isExhausted
        ? await addAlerts(query, webhook, wanted, { upTo: to.txid, now })
        : { read: 0, added: 0, isTooMany: false };
      if (!isExhausted || alerts.read === MAX_ALERTS) done.alertsLeft.push(id);
      if (added.added + alerts.added > 0) done.webhooks.push(id);
      if ((added.isTooMany || alerts.isTooMany) && (await giveUp(query, webhook, 'behind', now)))
        done.stopped.push(webhook);
    }
    // Another server was faster if the position has moved: it has planned all of this.
    if (isBefore(cursor, to)) await moveCursor(query, cursor, to);
    return { ...done, to, isExhausted };
  });
  progress.ahead = step.to;
  progress.skipped = 0;
  progress.alertsDue = new Set(step.alertsLeft);
  const hasMore = !step.isExhausted || step.alertsLeft.length > 0;
  return { hasMore, webhooks: step.webhooks, stopped: step.stopped };
}

/** Stops following the feed if no webhook is on. */
export async function stopFollowing(db: Db): Promise<void> {
  if ((await selectCursor(db.query)).length === 0) return;
  await db.change(async (db) => {
    // Somebody who is making a webhook holds this lock. The next statement sees what they did.
    await lockCursor(db);
    await deleteCursor(db);
  });
}

/** `place` is that of a movement in the ledger of its item. */
type Located = Event & { house: number; position: Position; place?: number };

/** Puts before each movement those of `found` that come before it in the ledger of its item. */
function inOrderOfLedger(events: Located[], found: Located[]): Located[] {
  const left = new Map<string | null, Located[]>();
  for (const event of found)
    if (event.place !== undefined) left.set(event.itemId, [...(left.get(event.itemId) ?? []), event]);
  for (const movements of left.values()) movements.sort((a, b) => (b.place ?? 0) - (a.place ?? 0));
  return events.flatMap((event) => {
    if (event.place === undefined) return [event];
    const movements = left.get(event.itemId) ?? [];
    const due: Located[] = [];
    while ((movements.at(-1)?.place ?? Number.POSITIVE_INFINITY) <= event.place) due.push(movements.pop() as Located);
    return due;
  });
}

/** The events behind changes of the feed, in their order. A change says which item and when; the books have the rest. */
async function eventsOf(db: Queries, changes: Change[]): Promise<Located[]> {
  const seqs = changes.filter(({ kind }) => !['count', 'house', 'view'].includes(kind)).map(({ seq }) => seq);
  if (seqs.length === 0) return [];
  const places = seqs.map((_, index) => `$${index + 1}`).join(', ');
  const movements = await queryRows<MovementFound>(db, selectMovements(places), seqs);
  const entries = await queryRows<EntryFound>(db, selectEntries(places), seqs);
  return changes.flatMap(({ house, itemId, kind, txid, seq }): Located[] => {
    const located = { house, itemId, position: { txid, seq } };
    const found = movements.filter(({ change }) => change === seq);
    // An item that starts with nothing has no change of stock.
    const moved = found
      .filter(({ delta }) => delta !== 0)
      .map(({ id, at, place }) => ({ ...located, type: 'stock.changed' as const, ref: id, at, place }));
    const [opening] = kind === 'created' ? found : [];
    const created = opening && { ...located, type: 'item.created' as const, ref: itemId, at: opening.at };
    const changed = entries
      .filter(({ change }) => change === seq)
      .map(({ id, kind, at }) => ({ ...located, type: `item.${kind}` as const, ref: id, at }));
    return [...(created ? [created] : []), ...moved, ...changed];
  });
}

async function addAlerts(
  db: Queries,
  webhook: Webhook,
  wanted: WebhookEvent[],
  { upTo, now }: { upTo: number; now: number },
): Promise<{ read: number; added: number; isTooMany: boolean }> {
  const none = { read: 0, added: 0, isTooMany: false };
  if (!wanted.some((type) => type.startsWith('alert.'))) return none;
  const { house, alerts_txid, alerts_num } = webhook;
  const alerts = await selectAlerts(db, house, alerts_txid, alerts_num, upTo, MAX_ALERTS);
  const last = alerts.at(-1);
  if (!last) return none;
  const events = alerts
    .filter(({ txid }) => !isVisibleIn(webhook.from_snapshot, txid))
    .map(({ item_id: itemId, seq, kind, quantity, low_at: lowAt, at }) => ({
      type: kind === 'recovered' ? ('alert.cleared' as const) : ('alert.raised' as const),
      ref: `${itemId} ${seq} ${kind}`,
      itemId,
      at,
      detail: JSON.stringify({ kind, quantity, lowAt }),
    }))
    .filter(({ type }) => wanted.includes(type));
  const { added, isTooMany } = await addDeliveries(db, webhook, events, now);
  await moveAlerts(db, webhook.id, last.txid, last.num);
  return { read: alerts.length, added, isTooMany };
}

function housesOf(changes: Change[]): number[] {
  return [...new Set(changes.map(({ house }) => house))];
}

function isBefore(a: Position, b: Position): boolean {
  return a.txid < b.txid || (a.txid === b.txid && a.seq < b.seq);
}

type MovementFound = { change: number; id: string; delta: number; at: number; place: number };
type EntryFound = { change: number; id: string; kind: 'edited' | 'deleted' | 'restored'; at: number };

// A change and what it is about have the same time. If an item moved twice within a millisecond, the first change finds
// both movements, and the second finds them planned.
// `|| ''` makes the planner look by time: by item, it would read every movement that the item ever had.
export const selectMovements = (places: string) => `select c.seq as change, m.id, m.delta, m.at, m.seq as place
  from changes c
  join stock_movements m on m.house = c.house and m.at = c.at and m.item_id || '' = c.item_id
  where c.seq in (${places}) and c.kind in ('created', 'stock') order by m.seq`;
const selectEntries = (places: string) => `select c.seq as change, e.id, e.kind, e.at from changes c
  join item_events e on e.item_id = c.item_id and e.at = c.at and e.kind = c.kind
  where c.seq in (${places}) order by e.num`;

const selectCursor = statement<Position, []>('select txid, seq from webhook_cursor');
const lockCursor = statement<never, []>('update webhook_cursor set one = one');
const deleteCursor = statement<never, []>(
  `delete from webhook_cursor where not exists (select 1 from webhooks where state = 'on')`,
);
const moveCursorFrom = statement<never, [txid: number, seq: number, fromTxid: number, fromSeq: number]>(
  'update webhook_cursor set txid = $1, seq = $2 where txid = $3 and seq = $4',
);
const moveCursor = (db: Queries, from: Position, to: Position) =>
  moveCursorFrom(db, to.txid, to.seq, from.txid, from.seq);
type AlertFound = Pick<StockAlertRow, 'item_id' | 'seq' | 'kind' | 'quantity' | 'low_at' | 'at'> & {
  txid: number;
  num: number;
};
const selectAlerts = statement<AlertFound, [house: number, txid: number, num: number, upTo: number, limit: number]>(
  `select txid, num, item_id, seq, kind, quantity, low_at, at from stock_alerts
   where house = $1 and (txid, num) > ($2, $3) and txid <= $4 order by txid, num limit $5`,
);
const moveAlerts = statement<never, [id: string, txid: number, num: number]>(
  'update webhooks set alerts_txid = $2, alerts_num = $3 where id = $1',
);
