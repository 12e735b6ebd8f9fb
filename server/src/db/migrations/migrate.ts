import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import type { Db } from '../core/database.ts';
import { OperatorError } from '../core/errors.ts';
import { type Queries, queryRows } from '../core/statement.ts';
import { resetForeignTxids } from './foreign-txids.ts';

type Migration = { name: string; sql: string; checksum: string };
export type Applied = { name: string; checksum: string };

const FOLDER = import.meta.dirname;
const LEDGER_OF_MIGRATIONS = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at bigint not null)`;
const APPLIED = 'select name, checksum from migrations order by name';
const RECORD = 'insert into migrations (name, checksum, applied_at) values';

/** The write lock of the file is the lock: of several servers that start together one migrates, the others wait. */
export function migrateSqlite(connection: DatabaseSync): void {
  connection.exec('pragma foreign_keys = off');
  connection.exec('begin exclusive');
  try {
    // SQLite knows bigint only as a word for integer, which strict tables refuse; this one is not strict.
    connection.exec(LEDGER_OF_MIGRATIONS);
    const applied = connection.prepare(APPLIED).all() as Applied[];
    for (const migration of pending(readMigrations('sqlite'), applied)) {
      connection.exec(migration.sql);
      connection.prepare(`${RECORD} (?, ?, ?)`).run(migration.name, migration.checksum, Date.now());
    }
    connection.exec('commit');
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback');
    throw error;
  } finally {
    connection.exec('pragma foreign_keys = on');
  }
}

const MIGRATION_LOCK = 0x70_65_72_66;

/** An advisory lock held by the transaction: it ends with it, however it ends. */
export async function migratePostgres(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  try {
    // A large ledger takes as long as it takes, and so does the server that migrates before this one.
    await client.query('set local statement_timeout = 0');
    await migrateInside(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** As part of a larger transaction. Until that ends, a server that starts on this database waits. */
export async function migrateInside(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await client.query(LEDGER_OF_MIGRATIONS);
  const applied = await client.query<Applied>(APPLIED);
  for (const migration of pending(readMigrations('postgres'), applied.rows)) {
    await client.query(migration.sql);
    await client.query(`${RECORD} ($1, $2, $3)`, [migration.name, migration.checksum, Date.now()]);
  }
  await resetForeignTxids(client);
}

/** For a program beside the server, which leaves migrating to it. */
export function requireUpToDate(applied: Applied[], dialect: Db['dialect']): void {
  if (pending(readMigrations(dialect), applied).length > 0)
    throw new OperatorError('The database is of an earlier version. Start the server once: it brings it up to date.');
}

/** What has been run on a database, for programs that only read it. Refuses one that a newer version has changed. */
export async function appliedMigrations(db: Queries, dialect: Db['dialect']): Promise<Applied[]> {
  const applied = await queryRows<Applied>(db, APPLIED, []);
  pending(readMigrations(dialect), applied);
  return applied;
}

function readMigrations(dialect: Migration['name']): Migration[] {
  const ending = `.${dialect}.sql`;
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => {
      const sql = readFileSync(join(FOLDER, file), 'utf8').replaceAll('\r\n', '\n');
      return { name: file.slice(0, -ending.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** What is still to run, after making sure that what has run is what stands here. */
export function pending(known: Migration[], applied: Applied[]): Migration[] {
  for (const [position, row] of applied.entries()) {
    const migration = known[position];
    if (migration?.name !== row.name) {
      throw new OperatorError(
        `The database has migration ${row.name}, which this version does not know: run a newer version.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new OperatorError(
        `Migration ${row.name} was changed after it ran: a migration is never edited, a new one follows it.`,
      );
    }
  }
  return known.slice(applied.length);
}
