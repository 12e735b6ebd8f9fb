import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import type { Queries } from '../core/statement.ts';
import { migrateInside } from '../migrations/migrate.ts';
import { openDatabase } from '../open.ts';
import { connectPostgres, kyselyOnClient } from '../postgres/postgres-client.ts';
import { lockDatabaseFile } from '../sqlite/file-lock.ts';
import { type Content, columnsOf, copyTable, countRows, MOVED, readBack, requireAllKnown } from './move-tables.ts';
import { sqliteSnapshot } from './snapshot.ts';

type Ledger = { items: number; movements: number; fingerprint: string };

export type Move = {
  file: string;
  url: string;
  /** Walks a ledger; throws when it is broken. */
  verify(db: Queries): Promise<Ledger>;
  onStep?: (step: string) => void;
  onRows?: (table: string, done: number, all: number) => void;
};
export type Moved = { ledger: Ledger; tables: Record<string, Content> };

/**
 * Copies everything into an empty PostgreSQL database, in one transaction that also makes the tables and compares what
 * has arrived with what was sent: however it is cut off, the target is empty as before or holds everything.
 */
export async function moveToPostgres(move: Move): Promise<Moved> {
  const { file, url, verify, onStep } = move;
  if (!existsSync(file)) throw new OperatorError(`There is no database at ${file}.`);
  const unlock = lockDatabaseFile(file);
  try {
    await bringUpToDate(file);
    const source = await sqliteSnapshot(file);
    const target = await connectPostgres(url);
    try {
      requireAllKnown(source.connection);
      await target.query('begin');
      await makeEmptyTables(target);
      onStep?.('Checking the ledger of the file…');
      const ledger = await verify(source.query);
      onStep?.('Copying…');
      const tables = await copyInto(target, source.connection, move);
      onStep?.('Checking the ledger in PostgreSQL…');
      const arrived = await verify(kyselyOnClient(target));
      if (arrived.fingerprint !== ledger.fingerprint) throw new Error('the ledger that arrived is another one');
      await target.query('commit');
      await target.query('analyze');
      return { ledger, tables };
    } finally {
      await target.end();
      await source.close();
    }
  } finally {
    unlock();
  }
}

/** The file may be of an older version; the server of that version is not running, or we would not be here. */
async function bringUpToDate(file: string): Promise<void> {
  await (await openDatabase(file)).close();
}

async function copyInto(target: pg.Client, source: DatabaseSync, { onStep, onRows }: Move): Promise<Moved['tables']> {
  // These rows were let through once, and the ledger is walked below; the guards would tell of every crossing again.
  for (const table of GUARDED) await target.query(`alter table ${table} disable trigger user`);
  await target.query('delete from stock_summed');
  const tables: Moved['tables'] = {};
  for (const table of Object.keys(MOVED)) {
    const all = countRows(source, table);
    tables[table] = await copyTable(source, target, table, (done) => onRows?.(table, done, all));
  }
  await target.query('set constraints all immediate');
  for (const table of GUARDED) await target.query(`alter table ${table} enable trigger user`);
  await target.query('update item_tallies set live = 0');
  await target.query(
    'update item_tallies set live = (select count(*) from items where deleted_at is null) where slot = 0',
  );
  await goOnCounting(target, source);

  onStep?.('Reading back what has arrived…');
  for (const [table, sent] of Object.entries(tables)) {
    const arrived = await readBack(target, table, columnsOf(source, table));
    onRows?.(table, arrived.rows, sent.rows);
    if (arrived.rows !== sent.rows || arrived.sha256 !== sent.sha256) {
      throw new Error(`${table} has not arrived as it was sent: ${arrived.rows} of ${sent.rows} rows`);
    }
  }
  return tables;
}

const GUARDED = ['items', 'stock_movements', 'item_events'];

async function makeEmptyTables(target: pg.Client): Promise<void> {
  await migrateInside(target);
  const tables = Object.keys(MOVED);
  // A server that is at work here already has to wait; what it has written is seen.
  await target.query(`lock table ${tables.join(', ')} in exclusive mode`);
  for (const table of tables.filter((name) => name !== 'stock_summed')) {
    const { rows } = await target.query(`select from ${table} limit 1`);
    if (rows.length > 0)
      throw new OperatorError(`The PostgreSQL database is not empty: there is something in ${table}.`);
  }
}

/** What is numbered goes on after the highest number there was, also where that row is gone by now. */
async function goOnCounting(target: pg.Client, source: DatabaseSync): Promise<void> {
  const { rows } = await target.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  );
  const given = source.prepare('select seq from sqlite_sequence where name = ?');
  for (const { table, column } of rows) {
    const last = Number(given.get(table)?.seq ?? 0);
    await target.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(highest, $3, 1), greatest(highest, $3) > 0)
       from (select coalesce(max(${column}), 0) as highest from ${table}) numbered`,
      [table, column, last],
    );
  }
}
