import type { Db } from './database.ts';
import { type Queries, statement } from './statement.ts';
import type { ChangeKind } from './tables.ts';

/** A place in the feed. On SQLite one writer numbers the rows, so txid is always 0. */
export type Position = { txid: number; seq: number };
export type Change = Position & { itemId: string; kind: ChangeKind };

const MOST_AT_ONCE = 500;
const KEPT_MS = 60 * 60 * 1_000;

export const insertChange = statement<never, [itemId: string, kind: ChangeKind, at: number]>(
  'insert into changes (item_id, kind, at) values ($1, $2, $3)',
);

/** What was committed after `position`, oldest first, without a gap. */
export function changesAfter(db: Db, position: Position): Promise<Change[]> {
  return db.dialect === 'sqlite'
    ? sqliteChanges(db.query, position.seq, MOST_AT_ONCE)
    : postgresChanges(db.query, position.txid, position.seq, MOST_AT_ONCE);
}

/** Where the feed stands now: everything up to here has been committed. */
export async function latestPosition(db: Db): Promise<Position> {
  const [row] = await (db.dialect === 'sqlite' ? sqliteLatest(db.query) : postgresLatest(db.query));
  return row ?? { txid: 0, seq: 0 };
}

/** Whether the feed still reaches back to `position`; if not, the reader has to load everything anew. */
export async function stillHeld(db: Db, position: Position): Promise<boolean> {
  const [first] = await firstChange(db.query);
  if (position.seq === 0) return !first || first.seq === 1;
  const [row] = await (db.dialect === 'sqlite'
    ? sqliteChangeAt(db.query, position.seq)
    : postgresChangeAt(db.query, position.seq));
  // By another number of its transaction it was heard in another cluster, which may have gone on since.
  return row?.txid === position.txid;
}

export async function pruneChanges(db: Db, now: number): Promise<void> {
  await db.change(async (db) => {
    await deleteOldChanges(db, now - KEPT_MS);
  });
}

// The newest row always stays, so that the feed's place survives a quiet night.
async function deleteOldChanges(db: Queries, oldest: number): Promise<void> {
  await db
    .deleteFrom('changes')
    .where('at', '<', oldest)
    .where('seq', '<', (newest) => newest.selectFrom('changes').select((row) => row.fn.max('seq').as('seq')))
    .execute();
}

const firstChange = statement<{ seq: number }, []>('select seq from changes order by seq limit 1');
const sqliteChangeAt = statement<{ txid: number }, [seq: number]>('select 0 as txid from changes where seq = $1');
const postgresChangeAt = statement<{ txid: number }, [seq: number]>('select txid from changes where seq = $1');

const sqliteChanges = statement<Change, [seq: number, most: number]>(
  'select 0 as txid, seq, item_id as "itemId", kind from changes where seq > $1 order by seq limit $2',
);
const sqliteLatest = statement<Position, []>('select 0 as txid, seq from changes order by seq desc limit 1');

const ENDED = 'txid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
const postgresChanges = statement<Change, [txid: number, seq: number, most: number]>(
  `select txid, seq, item_id as "itemId", kind from changes
   where (txid, seq) > ($1, $2) and ${ENDED} order by txid, seq limit $3`,
);
const postgresLatest = statement<Position, []>(
  `select txid, seq from changes where ${ENDED} order by txid desc, seq desc limit 1`,
);
