import type { WebhookEvent } from '@perfume/domain/webhooks';
import { type Change, changesAfter, isVisibleIn, MAX_BATCH, overtakenBy, type Position } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { placeholders } from '../db/core/insert-row.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { StockAlertRow } from '../db/core/tables.ts';
import { addDeliveries, type Event } from './deliveries.store.ts';
import { giveUp, lockOn, type Webhook, webhooksOnOf } from './webhooks.store.ts';

/**
 * How many deliveries a step makes of changes, how many of alerts, and for how many webhooks it looks for alerts: on SQLite,
 * everybody waits for a step.
 */
export const MAX_MADE = 250;
const MAX_ALERTED = 50;
/** Changes of houses without a webhook only move the position. It is stored after this many, so that the feed can be pruned. */
const STORE_AFTER = 500;
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
  const on = await webhooksOnOf(db.query, housesOf(seen));
  if (on.length === 0 && progress.alertsDue.size === 0) {
    if (!last) return { hasMore: false, webhooks: [], stopped: [] };
    progress.ahead = last;
    progress.skipped += seen.length;
    if (progress.skipped >= STORE_AFTER) await db.change((db) => moveCursor(db, cursor, last));
    if (progress.skipped >= STORE_AFTER) progress.skipped = 0;
    return { hasMore: seen.length === MAX_BATCH, webhooks: [], stopped: [] };
  }
  const { dialect } = db;
  const limit = planned(seen, on);
  const step = await db.change(async (query) => {
    const changes = await changesAfter({ dialect, query }, from, null, limit);
    const to = changes.at(-1) ?? from;
    const isExhausted = changes.length < limit;
    // An alert follows the change that raised it, so alerts have to wait until all changes are planned.
    const alertsDue = isExhausted ? [...progress.alertsDue].slice(0, MAX_ALERTED) : [];
    const events = await eventsOf(query, [...changes, ...(await overtakenBy({ dialect, query }, changes))]);
    const concerned = (await webhooksOnOf(query, housesOf(changes))).map(({ id }) => id);
    const done = { webhooks: [] as string[], stopped: [] as Webhook[], alertsLeft: [] as string[] };
    // In the order of their ids, so two servers cannot deadlock.
    const ids = [...new Set([...concerned, ...alertsDue])].sort();
    const maxAlerts = Math.ceil(MAX_MADE / ids.length);
    for (const id of ids) {
      const webhook = await lockOn(query, id);
      if (!webhook) continue;
      const wanted = JSON.parse(webhook.events) as WebhookEvent[];
      const isNew = (event: Located) =>
        event.house === webhook.house &&
        wanted.includes(event.type as WebhookEvent) &&
        isBefore({ txid: webhook.from_txid, seq: webhook.from_seq }, event.position) &&
        !isVisibleIn(webhook.from_snapshot, event.position.txid);
      const added = await addDeliveries(query, webhook, events.filter(isNew), now);
      const alerts = isExhausted
        ? await addAlerts(query, webhook, wanted, { upTo: to.txid, now, limit: maxAlerts })
        : { read: 0, added: 0, isTooMany: false };
      if (!isExhausted || alerts.read === maxAlerts) done.alertsLeft.push(id);
      if (added.added + alerts.added > 0) done.webhooks.push(id);
      if ((added.isTooMany || alerts.isTooMany) && (await giveUp(query, webhook, 'behind', now)))
        done.stopped.push(webhook);
    }
    // Another server was faster if the position has moved: it has planned all of this.
    if (isBefore(cursor, to)) await moveCursor(query, cursor, to);
    return { ...done, to, isExhausted, alertsDue };
  });
  progress.ahead = step.to;
  progress.skipped = 0;
  for (const id of step.alertsDue) progress.alertsDue.delete(id);
  for (const id of step.alertsLeft) progress.alertsDue.add(id);
  const hasMore = !step.isExhausted || progress.alertsDue.size > 0;
  return { hasMore, webhooks: step.webhooks, stopped: step.stopped };
}

/** How many of the changes one step plans: as many as make `MAX_MADE` deliveries, but at least one. */
function planned(changes: Change[], on: { house: number }[]): number {
  let made = 0;
  const index = changes.findIndex(({ house }) => {
    made += on.filter((webhook) => webhook.house === house).length;
    return made > MAX_MADE;
  });
  return index === -1 ? MAX_BATCH : Math.max(1, index);
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

type Located = Event & { house: number; position: Position };

/** The events behind changes of the feed. Those of one item are in the order in which they happened. */
async function eventsOf(db: Queries, changes: Change[]): Promise<Located[]> {
  const entries = changes.flatMap(({ entry }) => entry ?? []);
  if (entries.length === 0) return [];
  const places = placeholders(entries);
  const movements = byId(await queryRows<MovementFound>(db, selectMovements(places), entries));
  const edits = byId(await queryRows<EditFound>(db, selectEdits(places), entries));
  const inOrder = changes.toSorted((a, b) => a.seq - b.seq);
  return inOrder.flatMap(({ house, itemId, kind, txid, seq, entry }): Located[] => {
    const located = { house, itemId, position: { txid, seq } };
    const edit = edits.get(entry ?? '');
    if (edit) return [{ ...located, type: `item.${edit.kind}`, ref: edit.id, at: edit.at }];
    const movement = movements.get(entry ?? '');
    if (!movement) return [];
    const { id, delta, at } = movement;
    const created: Located = { ...located, type: 'item.created', ref: itemId, at };
    const moved: Located = { ...located, type: 'stock.changed', ref: id, at };
    // An item that starts with nothing has no change of stock.
    return [...(kind === 'created' ? [created] : []), ...(delta === 0 ? [] : [moved])];
  });
}

function byId<Entry extends { id: string }>(found: Entry[]): Map<string, Entry> {
  return new Map(found.map((entry) => [entry.id, entry]));
}

async function addAlerts(
  db: Queries,
  webhook: Webhook,
  wanted: WebhookEvent[],
  { upTo, now, limit }: { upTo: number; now: number; limit: number },
): Promise<{ read: number; added: number; isTooMany: boolean }> {
  const none = { read: 0, added: 0, isTooMany: false };
  if (!wanted.some((type) => type.startsWith('alert.'))) return none;
  const { house, alerts_txid, alerts_num } = webhook;
  const alerts = await selectAlerts(db, house, alerts_txid, alerts_num, upTo, limit);
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

type MovementFound = { id: string; delta: number; at: number };
type EditFound = { id: string; kind: 'edited' | 'deleted' | 'restored'; at: number };

const selectMovements = (places: string) => `select id, delta, at from stock_movements where id in (${places})`;
const selectEdits = (places: string) => `select id, kind, at from item_events where id in (${places})`;

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
