import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import type { Queries } from '../core/statement.ts';
import { migrateInTransaction } from '../migrations/migrate.ts';
import { openDatabase } from '../open.ts';
import { connectPostgres, kyselyOnClient } from '../postgres/postgres-client.ts';
import { lockDatabaseFile } from '../sqlite/file-lock.ts';
import { type Checksum, columnsOf, copyTable, countRows, readBack, requireKnownTables, TABLES } from './move-tables.ts';
import { sqliteSnapshot } from './snapshot.ts';

type Ledger = { items: number; movements: number; fingerprint: string };

export type Move = {
  file: string;
  url: string;
  /** Verifies a ledger. Throws when it is broken. */
  verify(db: Queries): Promise<Ledger>;
  onStep?: (step: string) => void;
  onRows?: (table: string, done: number, all: number) => void;
};
export type Moved = { ledger: Ledger; tables: Record<string, Checksum> };

/**
 * Copies everything into an empty PostgreSQL database. One transaction creates the tables, copies the rows and compares
 * them with the source, so after an interruption the target is either still empty or complete.
 */
export async function moveToPostgres(move: Move): Promise<Moved> {
  const { file, url, verify, onStep } = move;
  if (!existsSync(file)) throw new OperatorError(`There is no database at ${file}.`);
  const unlock = lockDatabaseFile(file);
  try {
    await migrateSource(file);
    const source = await sqliteSnapshot(file);
    const target = await connectPostgres(url);
    try {
      requireKnownTables(source.connection);
      await target.query('begin');
      await createEmptyTables(target);
      onStep?.('Checking the ledger in the SQLite file…');
      const ledger = await verify(source.query);
      onStep?.('Copying…');
      const tables = await copyTables(target, source.connection, move);
      onStep?.('Checking the ledger in PostgreSQL…');
      const arrived = await verify(kyselyOnClient(target));
      if (arrived.fingerprint !== ledger.fingerprint) throw new Error('the copied ledger differs from the source');
      await target.query('commit');
      await target.query('analyze');
      return { ledger, tables };
    } catch (error) {
      if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
      throw new OperatorError(`Use the role that owns the database: ${(error as Error).message}.`);
    } finally {
      await target.end();
      await source.close();
    }
  } finally {
    unlock();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Migrates the SQLite file, which may be from an older version. No server uses it, because this process holds the lock.
 */
async function migrateSource(file: string): Promise<void> {
  await (await openDatabase(file)).close();
}

async function copyTables(target: pg.Client, source: DatabaseSync, { onStep, onRows }: Move): Promise<Moved['tables']> {
  // Triggers are off while copying, because they would create every alert again. The rows were validated when they were
  // first written, and the ledger is verified after the copy.
  for (const table of TABLES_WITH_TRIGGERS) await target.query(`alter table ${table} disable trigger user`);
  for (const table of TABLES_WITH_A_FIRST_ROW) await target.query(`delete from ${table}`);
  const tables: Moved['tables'] = {};
  for (const table of Object.keys(TABLES)) {
    const all = countRows(source, table);
    tables[table] = await copyTable(source, target, table, (done) => onRows?.(table, done, all));
  }
  await target.query('set constraints all immediate');
  for (const table of TABLES_WITH_TRIGGERS) await target.query(`alter table ${table} enable trigger user`);
  await target.query('delete from item_tallies');
  await target.query(
    `insert into item_tallies (house, slot, live, out_of_stock, low)
     select house, 0, count(*), count(*) filter (where quantity = 0), count(*) filter (where quantity <= low_at)
     from items where deleted_at is null group by house`,
  );
  await target.query('delete from item_names');
  await target.query("insert into item_names select num, name_key || e'\\n' || supplier_key from items");
  await continueSequences(target, source);

  onStep?.('Reading back the copied rows…');
  for (const [table, sent] of Object.entries(tables)) {
    const arrived = await readBack(target, table, columnsOf(source, table));
    onRows?.(table, arrived.rows, sent.rows);
    if (arrived.rows !== sent.rows || arrived.sha256 !== sent.sha256) {
      throw new Error(`${table} differs after the copy: ${arrived.rows} of ${sent.rows} rows`);
    }
  }
  return tables;
}

/** The migrations write a row of the shared house into these. */
const TABLES_WITH_A_FIRST_ROW = ['houses', 'stock_summed'];
const TABLES_WITH_TRIGGERS = ['users', 'items', 'stock_movements', 'item_events', 'settings_events'];

async function createEmptyTables(target: pg.Client): Promise<void> {
  await migrateInTransaction(target);
  const tables = Object.keys(TABLES);
  // The lock makes a server that still uses this database wait until the move is done. So the check below sees everything
  // that such a server has written.
  await target.query(`lock table ${tables.join(', ')} in exclusive mode`);
  for (const table of tables.filter((name) => !TABLES_WITH_A_FIRST_ROW.includes(name))) {
    const { rows } = await target.query(`select from ${table} limit 1`);
    if (rows.length > 0) throw new OperatorError(`The PostgreSQL database is not empty: ${table} has rows.`);
  }
}

/** Makes PostgreSQL number new rows after the highest number ever used, even when that row has been deleted. */
async function continueSequences(target: pg.Client, source: DatabaseSync): Promise<void> {
  const { rows } = await target.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema() and is_identity = 'YES'`,
  );
  const lastUsed = source.prepare('select seq from sqlite_sequence where name = ?');
  for (const { table, column } of rows) {
    const last = Number(lastUsed.get(table)?.seq ?? 0);
    await target.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(highest, $3, 1), greatest(highest, $3) > 0)
       from (select coalesce(max(${column}), 0) as highest from ${table}) numbered`,
      [table, column, last],
    );
  }
}
