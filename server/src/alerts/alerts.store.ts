import type { WireAlert } from '@perfume/contract/alerts';
import type { User } from '@perfume/contract/identity';
import type { AlertChoices } from '@perfume/contract/settings';
import type { AlertKind } from '@perfume/domain/alerts';
import { emailKey } from '@perfume/domain/email';
import type { Db } from '../db/core/database.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';

/** A position in the order in which alerts were committed. */
export type AlertPosition = { txid: number; num: number };
/** The last alert of a page. Pages are in the order of time, newest first. */
export type AlertCursor = { at: number; num: number };

const MAX_UNSEEN = 100;
/** How many replaced alerts one transaction deletes, so that deliveries do not wait long. */
const MAX_REPLACED = 2_000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1_000;

export type AlertPage = {
  alerts: WireAlert[];
  about: AlertChoices['about'];
  next: AlertCursor | null;
  /** How many alerts the reader has not seen. Counting stops at 100. */
  unseen: number;
  /** Every alert up to this position was visible when the page was read, so marking them as seen misses none. */
  upTo: AlertPosition;
};

/**
 * A page of alerts that are still true, newest first: about the reader's own items, or about all items if the reader
 * chose so.
 */
export async function listAlerts(
  db: Db,
  house: number,
  reader: User,
  page: { limit: number; after: AlertCursor | null },
): Promise<AlertPage> {
  const scope = await scopeOf(db, house, reader);
  const params = [...scope.params];
  const after = page.after && `and (a.at, a.num) < ($${params.push(page.after.at)}, $${params.push(page.after.num)})`;
  const rows = await db.longQuery<AlertRow>(
    `select a.num, a.txid, a.item_id, a.kind, i.quantity, i.low_at, a.at, i.name, i.email_key ${scope.from}
     ${after ?? ''} order by a.at desc, a.num desc limit $${params.push(page.limit + 1)}`,
    params,
  );
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    alerts: shown.map((row) => toWireAlert(row, scope)),
    about: scope.about,
    next: last && rows.length > page.limit ? { at: last.at, num: last.num } : null,
    unseen: await countUnseen(db, scope),
    upTo: await latestPosition(db, house),
  };
}

/**
 * Marks alerts up to a position as seen; an earlier position than before changes nothing. Returns how many are unseen.
 */
export async function markAlertsSeen(db: Db, house: number, reader: User, upTo: AlertPosition): Promise<number> {
  const latest = await latestPosition(db, house);
  // A position in the future must not mark alerts that do not exist yet.
  const seen = isBefore(latest, upTo) ? latest : upTo;
  await db.change(
    async (db) => {
      await upsertSeen(db, house, reader.id, seen.txid, seen.num);
    },
    { repeatable: true },
  );
  return countUnseen(db, await scopeOf(db, house, reader));
}

/** Deletes old alerts, and those that a later one replaced. The ledger still has the movements that raised them. */
export async function pruneAlerts(db: Db, now: number): Promise<void> {
  await db.change(async (db) => {
    await deleteOldAlerts(db, now - KEPT_MS);
  });
  // Claiming removes them too, so there are many only after an update from a version that did not.
  while ((await db.change((db) => deleteReplaced(db, MAX_REPLACED))).length === MAX_REPLACED);
}

type AlertRow = AlertPosition & {
  item_id: string;
  kind: AlertKind;
  quantity: number;
  low_at: number;
  at: number;
  name: string;
  email_key: string;
};

/**
 * Which alerts a reader sees. `from` is a select statement from the word `from` on, and `params` are its first
 * parameters.
 */
type Scope = {
  about: AlertChoices['about'];
  from: string;
  params: unknown[];
  reader: string;
  seen: AlertPosition;
};

// An alert is shown only after every older transaction has ended, as in the change feed. Otherwise an alert with a
// lower position could be committed after the reader marked everything as seen.
const ENDED = { sqlite: '', postgres: 'and a.txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint' };

/**
 * SQL that tells whether an alert is still true: the item may have been restocked, a delivery undone or the reorder
 * point changed.
 */
const IS_CURRENT = `case a.kind when 'out' then i.quantity = 0 when 'low' then i.quantity > 0 and i.quantity <= i.low_at
  else i.quantity > i.low_at end`;
// The kind is compared as an expression: otherwise SQLite may prefer an index by kind, made anew for each query, to the
// index of the alerts by item.
const IS_LAST_OF_ITS_KIND = `not exists (
  select 1 from stock_alerts later where later.item_id = a.item_id and later.kind || '' = a.kind and later.seq > a.seq)`;

async function scopeOf({ dialect, query }: Db, house: number, { id, email }: User): Promise<Scope> {
  const [choices] = await selectChoices(query, house, id);
  const reader = emailKey(email);
  const about = choices?.about ?? 'mine';
  const params = about === 'all' ? [house] : [house, reader];
  return {
    about,
    from: `from stock_alerts a join items i on i.id = a.item_id
     where a.house = $1 and i.deleted_at is null ${about === 'mine' ? 'and i.email_key = $2' : ''} ${ENDED[dialect]}
       and ${IS_CURRENT} and ${IS_LAST_OF_ITS_KIND}`,
    params,
    reader,
    seen: { txid: choices?.seen_txid ?? 0, num: choices?.seen_num ?? 0 },
  };
}

async function countUnseen({ longQuery }: Db, { from, params: scopeParams, seen }: Scope): Promise<number> {
  const params = [...scopeParams];
  const since = `and (a.txid, a.num) > ($${params.push(seen.txid)}, $${params.push(seen.num)})`;
  const [counted] = await longQuery<{ unseen: number }>(
    `select count(*) as unseen from (select 1 ${from} ${since} limit ${MAX_UNSEEN}) as newer`,
    params,
  );
  return Number(counted?.unseen ?? 0);
}

export async function latestPosition(
  { dialect, query }: Pick<Db, 'dialect' | 'query'>,
  house: number,
): Promise<AlertPosition> {
  const [latest] = await queryRows<AlertPosition>(
    query,
    `select txid, num from stock_alerts a where a.house = $1 ${ENDED[dialect]} order by txid desc, num desc limit 1`,
    [house],
  );
  return latest ?? { txid: 0, num: 0 };
}

function toWireAlert(row: AlertRow, { reader, seen }: Scope): WireAlert {
  return {
    id: String(row.num),
    itemId: row.item_id,
    itemName: row.name,
    kind: row.kind,
    quantity: row.quantity,
    lowAt: row.low_at,
    at: new Date(row.at).toISOString(),
    mine: row.email_key === reader,
    seen: !isBefore(seen, row),
  };
}

function isBefore(a: AlertPosition, b: AlertPosition): boolean {
  return a.txid < b.txid || (a.txid === b.txid && a.num < b.num);
}

const selectChoices = statement<
  { about: AlertChoices['about']; seen_txid: number; seen_num: number },
  [house: number, userId: string]
>('select about, seen_txid, seen_num from alert_choices where house = $1 and user_id = $2');

const upsertSeen = statement<never, [house: number, userId: string, txid: number, num: number]>(
  `insert into alert_choices (house, user_id, seen_txid, seen_num) values ($1, $2, $3, $4)
   on conflict (user_id, house) do update set seen_txid = excluded.seen_txid, seen_num = excluded.seen_num
   where (alert_choices.seen_txid, alert_choices.seen_num) < (excluded.seen_txid, excluded.seen_num)`,
);

const deleteOldAlerts = statement<never, [before: number]>('delete from stock_alerts where at < $1');

/**
 * Whether a later alert of the same item and kind has replaced this one. Nobody is shown it any more, and the later one
 * is in every email that it would be in. Both are claimed, because a claim looks at all alerts since the one before.
 * What a webhook still has to send stays.
 */
const IS_REPLACED = `stock_alerts.round is not null and exists (
  select 1 from stock_alerts later where later.item_id = stock_alerts.item_id and later.kind || '' = stock_alerts.kind
    and later.seq > stock_alerts.seq and later.round is not null)
  and not exists (select 1 from webhooks w where w.house = stock_alerts.house and w.state = 'on'
    and w.events like '%"alert.%' and (w.alerts_txid, w.alerts_num) < (stock_alerts.txid, stock_alerts.num))`;

const deleteReplaced = statement<{ num: number }, [max: number]>(
  `delete from stock_alerts where num in (select num from stock_alerts where ${IS_REPLACED} order by num limit $1)
   returning num`,
);

const deleteReplacedBy = statement<never, [round: string, first: number, last: number, max: number]>(
  `delete from stock_alerts where num in (select num from stock_alerts where ${IS_REPLACED}
     and item_id in (select item_id from stock_alerts where num between $2 and $3 and round = $1) limit $4)`,
);

/**
 * Claims alerts that have not been emailed yet. `round` names this claim, so no other server sends them too. Removes
 * those that they replace: every screen reads the alerts after each change, and anyone can raise thousands by moving an
 * item across its reorder point again and again.
 */
export async function claimUnsent(db: Queries, round: string, max: number): Promise<UnsentAlert[]> {
  const nums = (await markClaimed(db, round, max)).map(({ num }) => num);
  if (nums.length === 0) return [];
  const [first, last] = [Math.min(...nums), Math.max(...nums)];
  const claimed = await selectClaimed(db, round, first, last);
  await deleteReplacedBy(db, round, first, last, MAX_REPLACED + max);
  return claimed;
}

export type UnsentAlert = {
  num: number;
  house: number;
  itemId: string;
  kind: AlertKind;
  quantity: number;
  name: string;
  emailKey: string;
  /** 1 while the alert is still true. */
  isCurrent: number;
};

export const anyUnsent = statement<{ num: number }, []>('select num from stock_alerts where round is null limit 1');

const markClaimed = statement<{ num: number }, [round: string, max: number]>(
  `update stock_alerts set round = $1 where round is null
     and num in (select num from stock_alerts where round is null order by num limit $2)
   returning num`,
);

const selectClaimed = statement<UnsentAlert, [round: string, first: number, last: number]>(
  `select a.num, a.house, a.item_id as "itemId", a.kind, a.quantity, i.name, i.email_key as "emailKey",
     case when ${IS_CURRENT} then 1 else 0 end as "isCurrent"
   from stock_alerts a join items i on i.id = a.item_id
   where a.num between $2 and $3 and a.round = $1 and i.deleted_at is null order by a.num`,
);
