import { type Failure, pauseAfter, SWITCH_OFF_AFTER_MS } from '@perfume/domain/webhooks';
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { derivedId } from '../db/core/ids.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { DeliveryRow } from '../db/core/tables.ts';
import { giveUp, lockOn, type Webhook } from './webhooks.store.ts';

export type Delivery = Selectable<DeliveryRow>;
/** Something that happened. `ref` tells it from everything else of its type. */
export type Event = Pick<Delivery, 'type' | 'ref' | 'at'> & { itemId: string | null; detail?: string | null };

/** A server that has not answered for this long has crashed: its deliveries are sent again. */
export const LEASE_MS = 60_000;
/** With more than this waiting, a webhook cannot keep up and is switched off. */
export const MAX_WAITING = 100_000;
/** How many that arrived and how many that failed are kept for each webhook, and for how long. */
const MAX_KEPT = 5_000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const ROWS_PER_STEP = 500;
const GONE = 410;

/**
 * Adds deliveries to a webhook that is locked (`lockOn`): no delivery can then wait for one that has just ended. Each waits for the earlier ones of its item. Adding the same event again
 * changes nothing. Returns whether too many wait now.
 */
export async function addDeliveries(
  db: Queries,
  { id: webhookId, waiting }: Webhook,
  events: Event[],
  now: number,
): Promise<{ added: number; isTooMany: boolean }> {
  if (events.length === 0) return { added: 0, isTooMany: false };
  const wanted = new Map(events.map((event) => [idOf(webhookId, event), event]));
  const known = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', 'in', [...wanted.keys()])
    .execute();
  for (const { id } of known) wanted.delete(id);
  if (wanted.size === 0) return { added: 0, isTooMany: false };
  const rows = [...wanted].map(([id, event]) => toRow(id, webhookId, event));
  const busy = await busyQueues(db, webhookId, [...new Set(rows.map(({ queue }) => queue))]);
  for (const row of rows) {
    row.due_at = busy.has(row.queue) ? null : now;
    busy.add(row.queue);
  }
  for (let start = 0; start < rows.length; start += ROWS_PER_STEP)
    await db
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + ROWS_PER_STEP))
      .execute();
  await addWaiting(db, webhookId, rows.length);
  return { added: rows.length, isTooMany: waiting + rows.length > MAX_WAITING };
}

/** Finds the queues in which a delivery waits. Tens of thousands may wait in one of them, so only the first is read. */
async function busyQueues(db: Queries, webhookId: string, queues: string[]): Promise<Set<string>> {
  const values = queues.map((_, index) => `($${index + 2})`).join(', ');
  const found = await queryRows<{ queue: string }>(
    db,
    `select wanted.column1 as queue from (values ${values}) as wanted where exists (
       select 1 from webhook_deliveries
       where webhook_id = $1 and queue = wanted.column1 and state = 'waiting')`,
    [webhookId, ...queues],
  );
  return new Set(found.map(({ queue }) => queue));
}

function idOf(webhookId: string, { type, ref }: Event): string {
  return derivedId(`${webhookId} ${type} ${ref}`);
}

function toRow(id: string, webhookId: string, event: Event): Insertable<DeliveryRow> {
  const { type, ref, at, itemId, detail = null } = event;
  return { id, webhook_id: webhookId, queue: itemId ?? id, type, item_id: itemId, ref, detail, at, state: 'waiting' };
}

/** Adds an event that only tries the webhook. Returns null if the webhook is off. */
export function addTest(db: Db, webhookId: string, ref: string, now: number): Promise<Delivery | null> {
  const event: Event = { type: 'webhook.test', ref, at: now, itemId: null };
  return db.change(async (db) => {
    const webhook = await lockOn(db, webhookId);
    if (!webhook) return null;
    await addDeliveries(db, webhook, [event], now);
    return (await selectDelivery(db, webhookId, idOf(webhookId, event)))[0] ?? null;
  });
}

/**
 * Takes some deliveries that are due, so that no other server sends them too. At most one of each item is due. If this
 * server crashes, they are due again after a while.
 */
export function claimDue(db: Db, webhookId: string, now: number, max: number): Promise<Delivery[]> {
  const claim = db.dialect === 'sqlite' ? sqliteClaim : postgresClaim;
  return db.change((db) => claim(db, webhookId, now, now + LEASE_MS, max));
}

export type Outcome = { ok: true; status: number } | { ok: false; status: number | null; reason: Failure };

/** Records how an attempt ended. Returns whether the webhook was switched off because of it. */
export function endAttempt(
  db: Db,
  delivery: Delivery,
  { outcome, body, now, random }: { outcome: Outcome; body: string | null; now: number; random: number },
): Promise<boolean> {
  const pause = outcome.ok ? null : pauseAfter(delivery.attempts, random);
  const state = outcome.ok ? 'delivered' : pause === null ? 'failed' : 'waiting';
  const dueAt = pause === null ? null : now + pause;
  return db.change(async (db) => {
    const locked = await lockOn(db, delivery.webhook_id);
    if (!locked) return false;
    const reason = outcome.ok ? null : outcome.reason;
    const { id, attempts } = delivery;
    // Another server may have taken the delivery meanwhile, if this one was too slow.
    const [ended] = await updateEnded(db, id, attempts, state, outcome.status, reason, dueAt, now, body);
    if (!ended) return false;
    if (state !== 'waiting') {
      await addWaiting(db, locked.id, -1);
      await dueNext(db, locked.id, delivery.queue, now);
    }
    if (outcome.ok) {
      await markArrived(db, locked.id, now);
      return false;
    }
    await markFailing(db, locked.id, now);
    if (outcome.status === GONE) return giveUp(db, locked, 'gone', now);
    const isSilent = locked.failing_since !== null && locked.failing_since <= now - SWITCH_OFF_AFTER_MS;
    return isSilent && giveUp(db, locked, 'failing', now);
  });
}

/** Sends an event again. Those of its item that wait are not held up, unless they are behind it. */
export function replayDelivery(
  db: Db,
  webhookId: string,
  id: string,
  now: number,
): Promise<Delivery | 'webhook_off' | 'delivery_not_found' | 'delivery_waiting'> {
  return db.change(async (db) => {
    const webhook = await lockOn(db, webhookId);
    const [delivery] = await selectDelivery(db, webhookId, id);
    if (!delivery) return 'delivery_not_found';
    if (!webhook) return 'webhook_off';
    if (delivery.state === 'waiting') return 'delivery_waiting';
    await addWaiting(db, webhookId, 1);
    const [again] = await updateReplayed(db, id, now);
    return again ?? 'delivery_not_found';
  });
}

/** A page of the deliveries of a webhook, newest first. */
export async function listDeliveries(
  db: Queries,
  webhookId: string,
  { state, before, limit }: { state: Delivery['state'] | null; before: number | null; limit: number },
): Promise<{ deliveries: Delivery[]; next: number | null }> {
  const params: unknown[] = [webhookId, limit + 1];
  const ofState = state === null ? '' : `and state = $${params.push(state)}`;
  const older = before === null ? '' : `and num < $${params.push(before)}`;
  const rows = await queryRows<Delivery>(
    db,
    `select * from webhook_deliveries where webhook_id = $1 ${ofState} ${older} order by num desc limit $2`,
    params,
  );
  const deliveries = rows.slice(0, limit);
  return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.num ?? null) : null };
}

/** The webhooks that have something to send now. */
export async function webhooksDue(db: Queries, now: number): Promise<string[]> {
  return (await selectDue(db, now)).map(({ id }) => id);
}

/**
 * Does one small step of what can wait: marks as failed what waits for a webhook that is off, and removes what belongs to
 * a deleted one. Returns whether there is more to do.
 */
export async function tidyStep(db: Db): Promise<boolean> {
  const [[off], [deleted]] = [await selectOffWithWaiting(db.query), await selectDeleted(db.query)];
  if (!off && !deleted) return false;
  return db.change(async (db) => {
    if (off) {
      // It may be switched on or deleted meanwhile.
      if ((await lockIfOff(db, off.id)).length === 0) return true;
      const failed = await failWaiting(db, off.id, ROWS_PER_STEP);
      if (failed.length < ROWS_PER_STEP) await noneWaiting(db, off.id);
      else await addWaiting(db, off.id, -failed.length);
      return true;
    }
    if (!deleted) return false;
    const removed = await removeSome(db, deleted.id, ROWS_PER_STEP);
    if (removed.length < ROWS_PER_STEP) await removeWebhook(db, deleted.id);
    return true;
  });
}

/** Removes what is older than 30 days, and the oldest of too many. */
export async function pruneDeliveries(db: Db, now: number): Promise<void> {
  for (const { id } of await selectWebhookIds(db.query))
    for (const state of ['delivered', 'failed'] as const) {
      const [oldest] = await selectOldestKept(db.query, id, state, MAX_KEPT);
      const step = () => db.change((db) => removeOld(db, id, state, now - KEPT_MS, oldest?.num ?? 0, ROWS_PER_STEP));
      while ((await step()).length === ROWS_PER_STEP);
    }
}

const addWaiting = statement<never, [id: string, count: number]>(
  'update webhooks set waiting = case when waiting + $2 < 0 then 0 else waiting + $2 end where id = $1',
);
const selectDelivery = statement<Delivery, [webhookId: string, id: string]>(
  'select * from webhook_deliveries where webhook_id = $1 and id = $2',
);

const claimSql = (lock: string) => `update webhook_deliveries set attempts = attempts + 1, tried_at = $2, due_at = $3
   where num in (select num from webhook_deliveries
     where webhook_id = $1 and due_at is not null and due_at <= $2 order by due_at, num limit $4 ${lock})
     and exists (select 1 from webhooks where id = $1 and state = 'on')
   returning *`;
type Claim = [webhookId: string, now: number, until: number, max: number];
const sqliteClaim = statement<Delivery, Claim>(claimSql(''));
const postgresClaim = statement<Delivery, Claim>(claimSql('for update skip locked'));

const updateEnded = statement<
  { id: string },
  [
    id: string,
    attempts: number,
    state: Delivery['state'],
    status: number | null,
    reason: Failure | null,
    dueAt: number | null,
    now: number,
    body: string | null,
  ]
>(
  `update webhook_deliveries set state = $3, status = $4, reason = $5, due_at = $6,
     done_at = case when $3 = 'waiting' then null else cast($7 as bigint) end, body = coalesce(body, $8)
   where id = $1 and attempts = $2 and state = 'waiting' returning id`,
);
// The first one of the queue may be due already: one that is sent again.
const dueNext = statement<never, [webhookId: string, queue: string, now: number]>(
  `update webhook_deliveries set due_at = $3 where due_at is null and num = (
     select min(num) from webhook_deliveries where webhook_id = $1 and queue = $2 and state = 'waiting')`,
);
const markArrived = statement<never, [id: string, now: number]>(
  'update webhooks set delivered_at = $2, failing_since = null where id = $1',
);
const markFailing = statement<never, [id: string, now: number]>(
  'update webhooks set failing_since = coalesce(failing_since, $2) where id = $1',
);
const updateReplayed = statement<Delivery, [id: string, now: number]>(
  `update webhook_deliveries set state = 'waiting', attempts = 0, due_at = $2, done_at = null, status = null, reason = null
   where id = $1 returning *`,
);
const selectDue = statement<{ id: string }, [now: number]>(
  `select id from webhooks where state = 'on' and waiting > 0 and exists (select 1 from webhook_deliveries d
     where d.webhook_id = webhooks.id and d.due_at is not null and d.due_at <= $1)`,
);
const selectOffWithWaiting = statement<{ id: string }, []>(
  `select id from webhooks where state = 'off' and waiting > 0 limit 1`,
);
const failWaiting = statement<{ num: number }, [id: string, max: number]>(
  `update webhook_deliveries set state = 'failed', reason = 'switched_off', due_at = null
   where num in (select num from webhook_deliveries where webhook_id = $1 and state = 'waiting' order by num limit $2)
   returning num`,
);
const lockIfOff = statement<{ id: string }, [id: string]>(
  `update webhooks set waiting = waiting where id = $1 and state = 'off' returning id`,
);
const noneWaiting = statement<never, [id: string]>(`update webhooks set waiting = 0 where id = $1 and state = 'off'`);
const selectDeleted = statement<{ id: string }, []>(`select id from webhooks where state = 'deleted' limit 1`);
const removeSome = statement<{ num: number }, [id: string, max: number]>(
  `delete from webhook_deliveries
   where num in (select num from webhook_deliveries where webhook_id = $1 order by num limit $2) returning num`,
);
const removeWebhook = statement<never, [id: string]>(`delete from webhooks where id = $1 and state = 'deleted'`);
const selectWebhookIds = statement<{ id: string }, []>('select id from webhooks');
const selectOldestKept = statement<{ num: number }, [id: string, state: Delivery['state'], kept: number]>(
  `select num from webhook_deliveries where webhook_id = $1 and state = $2 order by num desc limit 1 offset $3`,
);
const removeOld = statement<
  { num: number },
  [id: string, state: Delivery['state'], before: number, upTo: number, max: number]
>(
  `delete from webhook_deliveries where num in (select num from (
     select num, at from webhook_deliveries where webhook_id = $1 and state = $2 order by num limit $5) as oldest
     where at < $3 or num <= $4) returning num`,
);
