import type { User } from '@perfume/contract/identity';
import {
  MAX_SHARED_WEBHOOKS,
  MAX_WEBHOOKS,
  type OffReason,
  OLD_SECRET_MS,
  type WebhookEvent,
} from '@perfume/domain/webhooks';
import type { Selectable } from 'kysely';
import { latestPosition as latestAlert } from '../alerts/alerts.store.ts';
import { currentSnapshot, latestPosition as latestChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { WebhookRow } from '../db/core/tables.ts';
import { recordHouseEvent } from '../houses/house-events.store.ts';

/** Whose webhooks: those of a house or, where everybody shares one house (`ACCESS=open`), those of one person. */
export type Scope = { house: number; ownerId: string | null };
export type Webhook = Selectable<WebhookRow> & { maker: string | null };
type Actor = Pick<User, 'id' | 'name'>;

export function listWebhooks(db: Queries, { house, ownerId }: Scope): Promise<Webhook[]> {
  return selectWebhooks(db, house, ownerId);
}

export async function findWebhook(db: Queries, { house, ownerId }: Scope, id: string): Promise<Webhook | null> {
  return (await selectWebhook(db, id, house, ownerId))[0] ?? null;
}

/** `secret` is encrypted already. Returns null if there are too many webhooks. */
export function createWebhook(
  db: Db,
  scope: Scope,
  made: { id: string; url: string; events: WebhookEvent[]; secret: string; actor: Actor; at: number },
): Promise<Webhook | null> {
  const { dialect } = db;
  const { id, url, events, secret, actor, at } = made;
  return db.change(async (db) => {
    // Two requests at once wait for each other here, so they cannot both take the last place.
    await lockHouse(db, scope.house);
    const [own] = await countWebhooks(db, scope.house, scope.ownerId);
    const [all] = await countOfEnabled(db, scope.house);
    if ((own?.count ?? 0) >= MAX_WEBHOOKS || (all?.count ?? 0) >= MAX_SHARED_WEBHOOKS) return null;
    await insertRow(db, 'webhooks', {
      id,
      house: scope.house,
      owner_id: scope.ownerId,
      made_by: actor.id,
      url,
      events: JSON.stringify(events),
      state: 'on',
      secret,
      created_at: at,
      ...(await startNow({ dialect, query: db }, scope.house)),
    });
    await record(db, scope, { kind: 'webhook_made', actor, at, from: null, to: url });
    return found(db, scope, id);
  });
}

export type WebhookChange = {
  url?: string | undefined;
  events?: WebhookEvent[] | undefined;
  active?: boolean | undefined;
};

/**
 * Changes some fields. Returns null if there is no such webhook, and 'busy' if it cannot be switched on yet, because what
 * waited when it was switched off is still being marked as failed.
 */
export function changeWebhook(
  db: Db,
  scope: Scope,
  id: string,
  { change, actor, at }: { change: WebhookChange; actor: Actor; at: number },
): Promise<Webhook | 'busy' | null> {
  const { dialect } = db;
  return db.change(async (db) => {
    const [before] = await lockWebhook(db, id, scope.house, scope.ownerId);
    if (!before) return null;
    if (change.active && before.state === 'off' && before.waiting > 0) return 'busy';
    const { url = before.url, active = before.state === 'on' } = change;
    const events = change.events ? JSON.stringify(change.events) : before.events;
    await updateFields(db, id, url, events);
    if (url !== before.url) await record(db, scope, { kind: 'webhook_changed', actor, at, from: before.url, to: url });
    const isOn = before.state === 'on';
    if (active && (!isOn || (events.includes('alert.') && !before.events.includes('alert.')))) {
      const start = await startNow({ dialect, query: db }, scope.house);
      await updateAlertStart(db, id, start.alerts_txid, start.alerts_num);
      if (!isOn) await switchOn(db, id, start.from_txid, start.from_seq, start.from_snapshot);
    }
    if (!active && isOn) await switchOff(db, id, 'by_hand');
    if (active !== isOn)
      await record(db, scope, { kind: active ? 'webhook_on' : 'webhook_off', actor, at, from: null, to: url });
    return found(db, scope, id);
  });
}

/** Hides a webhook at once. The dispatcher removes its rows in small steps. Returns whether it existed. */
export function deleteWebhook(
  db: Db,
  scope: Scope,
  id: string,
  { actor, at }: { actor: Actor; at: number },
): Promise<boolean> {
  return db.change(async (db) => {
    const [webhook] = await lockWebhook(db, id, scope.house, scope.ownerId);
    if (!webhook) return false;
    await markDeleted(db, id);
    await record(db, scope, { kind: 'webhook_deleted', actor, at, from: webhook.url, to: null });
    return true;
  });
}

/** Replaces the secret. `secret` is encrypted already. The one before signs too for a while. */
export function replaceSecret(
  db: Db,
  scope: Scope,
  id: string,
  { secret, at }: { secret: string; at: number },
): Promise<Webhook | null> {
  return db.change(async (db) => {
    const [webhook] = await lockWebhook(db, id, scope.house, scope.ownerId);
    if (!webhook) return null;
    await updateSecret(db, id, secret, at + OLD_SECRET_MS);
    return found(db, scope, id);
  });
}

/** Stores the same secrets under another key. */
export async function storeSecrets(db: Db, before: Webhook, secret: string, oldSecret: string | null): Promise<void> {
  await db.change(async (db) => {
    await updateSecrets(db, before.id, before.secret, secret, oldSecret);
  });
}

export const webhooksOn = (db: Queries): Promise<Webhook[]> => selectOn(db);
export const isAnyOn = async (db: Queries): Promise<boolean> => (await selectAnyOn(db)).length > 0;
export const findOn = async (db: Queries, id: string): Promise<Webhook | null> =>
  (await selectById(db, id)).find(({ state }) => state === 'on') ?? null;

export const webhooksOnOf = async (db: Queries, houses: number[]): Promise<Selectable<WebhookRow>[]> =>
  houses.length === 0
    ? []
    : db.selectFrom('webhooks').selectAll().where('state', '=', 'on').where('house', 'in', houses).execute();

/** Switches a webhook off. What waits is marked as failed in small steps afterwards. Returns whether it was on. */
export async function switchOff(db: Queries, id: string, reason: OffReason): Promise<boolean> {
  return (await markOff(db, id, reason)).length > 0;
}

/** Switches a webhook off because the server has to, and records that under the name of whoever made it. */
export async function giveUp(db: Queries, webhook: Webhook, reason: OffReason, at: number): Promise<boolean> {
  if (!(await switchOff(db, webhook.id, reason))) return false;
  const { house, owner_id: ownerId, made_by, maker, url } = webhook;
  const actor = { id: made_by ?? '', name: maker ?? '' };
  await record(db, { house, ownerId }, { kind: 'webhook_stopped', actor, at, from: url, to: null });
  return true;
}

/** Locks a webhook that is on for this transaction. Whoever plans or ends a delivery of it does so first. */
export async function lockOn(db: Queries, id: string): Promise<Webhook | null> {
  if ((await lockIfOn(db, id)).length === 0) return null;
  return (await selectById(db, id))[0] ?? null;
}

/** Who is told that a webhook was switched off: whoever made it, or the owners of the house if they have left. */
export async function readersOf(db: Queries, { house, owner_id, made_by }: Webhook): Promise<string[]> {
  if (owner_id !== null) return (await selectEmail(db, owner_id)).map(({ email }) => email);
  const managers = await selectManagers(db, house);
  const makers = managers.filter(({ id }) => id === made_by);
  const told = makers.length > 0 ? makers : managers.filter(({ role }) => role === 'owner');
  return told.map(({ email }) => email);
}

async function found(db: Queries, scope: Scope, id: string): Promise<Webhook> {
  const webhook = await findWebhook(db, scope, id);
  if (!webhook) throw new Error('the webhook was just written');
  return webhook;
}

/**
 * Returns from where a webhook follows what happens, and sees to it that the feed is followed. The snapshot comes last,
 * because the statement before it may wait for the dispatcher: what is committed meanwhile is not sent either. What is
 * committed after this transaction is in no snapshot, and the dispatcher reads the webhooks after the changes: it cannot
 * see such a change without this webhook.
 */
async function startNow(db: Pick<Db, 'dialect' | 'query'>, house: number) {
  const [change, alert] = [await latestChange(db), await latestAlert(db, house)];
  await followFeed(db.query, change.txid, change.seq);
  return {
    from_txid: change.txid,
    from_seq: change.seq,
    from_snapshot: await currentSnapshot(db),
    alerts_txid: alert.txid,
    alerts_num: alert.num,
  };
}

type Recorded = {
  kind: `webhook_${'made' | 'changed' | 'deleted' | 'on' | 'off' | 'stopped'}`;
  actor: Actor;
  at: number;
  from: string | null;
  to: string | null;
};

/** Records in the history of the house. A person's own webhooks are nobody else's business. */
async function record(db: Queries, { house, ownerId }: Scope, { kind, actor, at, from, to }: Recorded): Promise<void> {
  if (ownerId !== null) return;
  const action = { id: newId(at), actor, at, batch: null, undoes: null };
  await recordHouseEvent(db, house, action, { kind, person: null, changes: [{ field: 'url', from, to }] });
}

const WEBHOOK = 'select w.*, users.name as maker from webhooks w left join users on users.id = w.made_by';
/** With `ACCESS=open` a person also sees what they made for the house while it had people in roles. */
const OF_SCOPE = (house: string, ownerId: string) =>
  `house = ${house} and (cast(${ownerId} as text) is null or coalesce(owner_id, made_by) = ${ownerId})
   and state <> 'deleted'`;

const selectWebhooks = statement<Webhook, [house: number, ownerId: string | null]>(
  `${WEBHOOK} where w.${OF_SCOPE('$1', '$2')} order by w.created_at, w.id limit 100`,
);
const selectWebhook = statement<Webhook, [id: string, house: number, ownerId: string | null]>(
  `${WEBHOOK} where w.id = $1 and w.${OF_SCOPE('$2', '$3')}`,
);
const selectOn = statement<Webhook, []>(`${WEBHOOK} where w.state = 'on'`);
const selectAnyOn = statement<{ id: string }, []>(`select id from webhooks where state = 'on' limit 1`);
/** Locks the row for this transaction. The update changes nothing; it takes the lock on both kinds of database. */
const lockWebhook = statement<Selectable<WebhookRow>, [id: string, house: number, ownerId: string | null]>(
  `update webhooks set waiting = waiting where id = $1 and ${OF_SCOPE('$2', '$3')} returning *`,
);
const lockIfOn = statement<{ id: string }, [id: string]>(
  `update webhooks set waiting = waiting where id = $1 and state = 'on' returning id`,
);
const selectById = statement<Webhook, [id: string]>(`${WEBHOOK} where w.id = $1`);
const lockHouse = statement<never, [house: number]>('update houses set name = name where num = $1');
const countWebhooks = statement<{ count: number }, [house: number, ownerId: string | null]>(
  `select count(*) as count from webhooks where ${OF_SCOPE('$1', '$2')}`,
);
// Where all share one stock, those of disabled accounts are off. They must not use up the places of everybody else.
const countOfEnabled = statement<{ count: number }, [house: number]>(
  `select count(*) as count from webhooks w where house = $1 and state <> 'deleted' and not exists (
     select 1 from users where id = coalesce(w.owner_id, w.made_by) and disabled_at is not null)`,
);
const updateFields = statement<never, [id: string, url: string, events: string]>(
  'update webhooks set url = $2, events = $3 where id = $1',
);
const switchOn = statement<never, [id: string, txid: number, seq: number, snapshot: string | null]>(
  `update webhooks set state = 'on', off_reason = null, failing_since = null, from_txid = $2, from_seq = $3,
     from_snapshot = $4 where id = $1`,
);
const updateAlertStart = statement<never, [id: string, txid: number, num: number]>(
  'update webhooks set alerts_txid = $2, alerts_num = $3 where id = $1',
);
const markOff = statement<{ id: string }, [id: string, reason: OffReason]>(
  `update webhooks set state = 'off', off_reason = $2, failing_since = null where id = $1 and state = 'on' returning id`,
);
const markDeleted = statement<never, [id: string]>(`update webhooks set state = 'deleted' where id = $1`);
const updateSecret = statement<never, [id: string, secret: string, oldUntil: number]>(
  'update webhooks set old_secret = secret, old_secret_until = $3, secret = $2 where id = $1',
);
const updateSecrets = statement<never, [id: string, before: string, secret: string, oldSecret: string | null]>(
  'update webhooks set secret = $3, old_secret = $4 where id = $1 and secret = $2',
);
// The update takes the lock of the row: the dispatcher removes it when no webhook is on, and must see this one.
const followFeed = statement<never, [txid: number, seq: number]>(
  `insert into webhook_cursor (one, txid, seq) values (1, $1, $2)
   on conflict (one) do update set one = excluded.one`,
);
const selectEmail = statement<{ email: string }, [userId: string]>(
  'select email from users where id = $1 and email_verified = 1 and disabled_at is null',
);
const selectManagers = statement<{ id: string; email: string; role: string }, [house: number]>(
  `select users.id, users.email, members.role from members join users on users.id = members.user_id
   where members.house = $1 and members.role in ('owner', 'manager') and users.email_verified = 1
     and users.disabled_at is null limit 200`,
);
