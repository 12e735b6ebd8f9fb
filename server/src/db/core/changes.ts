import type { Db } from './database.ts';
import { type Queries, statement } from './statement.ts';
import type { ChangeKind } from './tables.ts';

/**
 * A position in the change feed. SQLite has a single writer, so there `seq` alone gives the order and `txid` is always
 * 0.
 */
export type Position = { txid: number; seq: number };
/** `entry` is the id of the movement or of the entry in the history that the change made; null if it made none. */
export type Change = Position & { house: number; itemId: string; kind: ChangeKind; entry: string | null };

/** Each change is sent with its item, and many clients may stop reading at the same time: each holds one batch. */
export const MAX_BATCH = 50;
const RETENTION_MS = 60 * 60 * 1_000;
/** What no webhook has been told yet is kept longer, but not for ever. */
const MAX_RETENTION_MS = 3 * 24 * 60 * 60 * 1_000;

export const insertChange = (
  db: Queries,
  house: number,
  itemId: string,
  kind: ChangeKind,
  at: number,
  entry: string | null = null,
) => insertOne(db, house, itemId, kind, at, entry);
const insertOne = statement<never, [house: number, itemId: string, kind: ChangeKind, at: number, entry: string | null]>(
  'insert into changes (house, item_id, kind, at, entry) values ($1, $2, $3, $4, $5)',
);

/** Returns the changes of a house, or of all, that were committed after `position`: oldest first, without gaps. */
export function changesAfter(
  db: Pick<Db, 'dialect' | 'query'>,
  position: Position,
  house: number | null = null,
  limit = MAX_BATCH,
): Promise<Change[]> {
  return db.dialect === 'sqlite'
    ? sqliteChanges(db.query, position.seq, limit, house)
    : postgresChanges(db.query, position.txid, position.seq, limit, house);
}

/** More changes than are made while one waits for another. */
const LOOK_BACK = 5_000;

/**
 * Returns the changes that happened to the same items before some of `changes`, but come after them in the feed. On PostgreSQL the
 * feed is in the order in which transactions began to write. One that began earlier may have changed an item later, because
 * it waited for another. Every change takes its `seq` while its item is locked, so for one item that is the order in which
 * they happened.
 */
export async function overtakenBy(
  { dialect, query }: Pick<Db, 'dialect' | 'query'>,
  changes: Change[],
): Promise<Change[]> {
  const last = changes.at(-1);
  if (dialect === 'sqlite' || !last) return [];
  const until = Math.max(...changes.map(({ seq }) => seq));
  const items = [...new Set(changes.map(({ itemId }) => itemId))];
  return postgresOvertaken(query, last.txid, last.seq, until - LOOK_BACK, until, items);
}

/** Returns the end of the feed. Everything up to this position is committed. */
export async function latestPosition(db: Pick<Db, 'dialect' | 'query'>): Promise<Position> {
  const [row] = await (db.dialect === 'sqlite' ? sqliteLatest(db.query) : postgresLatest(db.query));
  return row ?? { txid: 0, seq: 0 };
}

/**
 * Returns which transactions have ended, for `isVisibleIn`. On PostgreSQL, one that ended a moment ago may still come after
 * the end of the feed, because an older one is running. Null on SQLite, where the end of the feed says it all.
 */
export async function currentSnapshot(db: Pick<Db, 'dialect' | 'query'>): Promise<string | null> {
  if (db.dialect === 'sqlite') return null;
  return (await selectSnapshot(db.query))[0]?.snapshot ?? null;
}

/** Whether a transaction had ended when the snapshot was taken. */
export function isVisibleIn(snapshot: string | null, txid: number): boolean {
  if (snapshot === null) return false;
  // All before the first number had ended, none from the second on; the list has those between them that were running.
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
  return txid < Number(xmin) || (txid < Number(xmax) && !running.split(',').includes(String(txid)));
}

/** Whether the feed still contains `position`. If not, the reader must reload everything. */
export async function stillHeld(db: Db, position: Position): Promise<boolean> {
  const [first] = await firstChange(db.query);
  // Only the start has the number 0. No change could ever follow a transaction that never was.
  if (position.seq === 0) return position.txid === 0 && (!first || first.seq === 1);
  const [row] = await (db.dialect === 'sqlite'
    ? sqliteChangeAt(db.query, position.seq)
    : postgresChangeAt(db.query, position.seq));
  // A different transaction id means that the position comes from another PostgreSQL cluster, whose feed may differ.
  return row?.txid === position.txid;
}

export async function pruneChanges(db: Db, now: number): Promise<void> {
  const { dialect } = db;
  const deleteOld = dialect === 'sqlite' ? sqliteDeleteOld : postgresDeleteOld;
  await db.change(async (db) => {
    await deleteOld(db, now - RETENTION_MS, now - MAX_RETENTION_MS);
  });
}

// The newest row always stays: it holds the current position of the feed.
const deleteOldSql = (isBehind: string) => `delete from changes
  where at < $1 and seq < (select max(seq) from changes)
    and (at < $2 or not exists (select 1 from webhook_cursor where ${isBehind}))`;
const sqliteDeleteOld = statement<never, [before: number, always: number]>(
  deleteOldSql('webhook_cursor.seq < changes.seq'),
);
const postgresDeleteOld = statement<never, [before: number, always: number]>(
  deleteOldSql('(webhook_cursor.txid, webhook_cursor.seq) < (changes.txid, changes.seq)'),
);

/** The exact set of transactions that a query sees now. */
export const SNAPSHOT = 'select pg_current_snapshot()::text as snapshot';
const selectSnapshot = statement<{ snapshot: string }, []>(SNAPSHOT);
const firstChange = statement<{ seq: number }, []>('select seq from changes order by seq limit 1');
const sqliteChangeAt = statement<{ txid: number }, [seq: number]>('select 0 as txid from changes where seq = $1');
const postgresChangeAt = statement<{ txid: number }, [seq: number]>('select txid from changes where seq = $1');

const sqliteChanges = statement<Change, [seq: number, limit: number, house: number | null]>(
  `select 0 as txid, seq, house, item_id as "itemId", kind, entry from changes
   where seq > $1 and ($3 is null or house = $3) order by seq limit $2`,
);
const sqliteLatest = statement<Position, []>('select 0 as txid, seq from changes order by seq desc limit 1');

/**
 * Selects rows of transactions that are older than every running one. A running transaction could otherwise commit a
 * row before a position that readers have already passed.
 */
const COMMITTED = 'txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
const postgresChanges = statement<Change, [txid: number, seq: number, limit: number, house: number | null]>(
  `select txid, seq, house, item_id as "itemId", kind, entry from changes
   where (txid, seq) > ($1, $2) and ${COMMITTED} and (cast($4 as bigint) is null or house = $4) order by txid, seq limit $3`,
);
const postgresOvertaken = statement<Change, [txid: number, seq: number, from: number, until: number, items: string[]]>(
  `select txid, seq, house, item_id as "itemId", kind, entry from changes
   where seq >= $3 and seq < $4 and (txid, seq) > ($1, $2) and item_id = any($5)`,
);
const postgresLatest = statement<Position, []>(
  `select txid, seq from changes where ${COMMITTED} order by txid desc, seq desc limit 1`,
);
