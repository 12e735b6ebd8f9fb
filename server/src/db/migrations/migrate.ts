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
const CREATE_TABLE = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at bigint not null)`;
const SELECT_APPLIED = 'select name, checksum from migrations order by name';
const INSERT_APPLIED = 'insert into migrations (name, checksum, applied_at) values';

/**
 * Runs the pending migrations under the write lock of the file: if several servers start together, one migrates and the
 * others wait.
 */
export function migrateSqlite(connection: DatabaseSync): void {
  connection.exec('pragma foreign_keys = off');
  connection.exec('begin exclusive');
  try {
    // Strict tables refuse bigint, so this table is not strict.
    connection.exec(CREATE_TABLE);
    const applied = connection.prepare(SELECT_APPLIED).all() as Applied[];
    for (const migration of pending(readMigrations('sqlite'), applied)) {
      connection.exec(migration.sql);
      connection.prepare(`${INSERT_APPLIED} (?, ?, ?)`).run(migration.name, migration.checksum, Date.now());
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

/** Runs the pending migrations in one transaction. The advisory lock ends with the transaction, even if it fails. */
export async function migratePostgres(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  try {
    // No timeout: migrating a large ledger, or waiting for another server that does, can take long.
    await client.query('set local statement_timeout = 0');
    await migrateInTransaction(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Runs the pending migrations in the transaction of the caller. Servers that start on this database wait until it ends.
 * A role that may not create tables only checks that another role has run them.
 */
export async function migrateInTransaction(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const { rows } = await client.query<Rights>(SELECT_RIGHTS);
  if (rows[0]?.creates) await runPending(client);
  else if (rows[0]?.reads) requireUpToDate((await client.query<Applied>(SELECT_APPLIED)).rows, 'postgres');
  else throw new OperatorError(`The database role ${rows[0]?.role} cannot create tables. ${MIGRATE_AS_OWNER}`);
  await resetForeignTxids(client);
}

type Rights = { role: string; creates: boolean | null; reads: boolean | null };
const SELECT_RIGHTS = `select current_user as role, has_schema_privilege(current_schema(), 'create') as creates,
  has_table_privilege(to_regclass('migrations'), 'select') as reads`;
const MIGRATE_AS_OWNER = 'Run npm run migrate with DATABASE_OWNER_URL, the role that owns the database.';

/** Whether the role of this PostgreSQL connection may change the tables, and so also remove what protects the ledger. */
export async function mayMigrate(db: Queries): Promise<boolean> {
  return (await queryRows<Rights>(db, SELECT_RIGHTS, []))[0]?.creates === true;
}

async function runPending(client: pg.ClientBase): Promise<void> {
  await client.query(CREATE_TABLE);
  const applied = await client.query<Applied>(SELECT_APPLIED);
  for (const migration of pending(readMigrations('postgres'), applied.rows)) {
    await client.query(migration.sql);
    // Triggers that wait for the end of the transaction would keep the next migration from changing their table.
    await client.query('set constraints all immediate; set constraints all deferred');
    await client.query(`${INSERT_APPLIED} ($1, $2, $3)`, [migration.name, migration.checksum, Date.now()]);
  }
}

export function isUpToDate(applied: Applied[], dialect: Db['dialect']): boolean {
  return pending(readMigrations(dialect), applied).length === 0;
}

/** Throws if a migration is pending. For programs that run beside the server, and for a role that may not migrate. */
export function requireUpToDate(applied: Applied[], dialect: Db['dialect']): void {
  if (!isUpToDate(applied, dialect))
    throw new OperatorError(
      `The database is from an earlier version. Start the server once to migrate it. With two roles: ${MIGRATE_AS_OWNER}`,
    );
}

/**
 * Returns the migrations that have run, for programs that only read. Throws when a newer version has migrated the
 * database.
 */
export async function appliedMigrations(db: Queries, dialect: Db['dialect']): Promise<Applied[]> {
  const applied = await queryRows<Applied>(db, SELECT_APPLIED, []);
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

/** Returns the migrations still to run. Throws when those that have run differ from the files of this version. */
export function pending(known: Migration[], applied: Applied[]): Migration[] {
  for (const [position, row] of applied.entries()) {
    const migration = known[position];
    if (migration?.name !== row.name) {
      throw new OperatorError(
        `A newer version has migrated the database (${row.name}). Run that version or a later one.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new OperatorError(`Migration ${row.name} was changed after it ran. Never edit a migration: add a new one.`);
    }
  }
  return known.slice(applied.length);
}
