import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Db } from '../core/database.ts';
import { OperatorError } from '../core/errors.ts';
import type { Queries } from '../core/statement.ts';
import { type Applied, appliedMigrations } from '../migrations/migrate.ts';
import { isPostgres } from '../open.ts';
import { connectPostgres, kyselyOnClient } from '../postgres/postgres-client.ts';
import { kyselyOn } from '../sqlite/sqlite.ts';

/** A read-only view of the database at one point in time, even while a server writes. Opening it runs no migrations. */
export type Snapshot = {
  dialect: Db['dialect'];
  query: Queries;
  migrations: Applied[];
  close(): Promise<void>;
};

export function openSnapshot(url: string): Promise<Snapshot> {
  return isPostgres(url) ? postgresSnapshot(url) : sqliteSnapshot(url);
}

/** Opens a snapshot and also returns its connection, to copy from it and to read large tables row by row. */
export async function sqliteSnapshot(file: string): Promise<Snapshot & { connection: DatabaseSync }> {
  if (!existsSync(file)) throw new OperatorError(`There is no database at ${file}.`);
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    connection.exec('pragma cache_size = -65536; pragma mmap_size = 1073741824; begin');
    const query = kyselyOn(connection);
    // A SQLite transaction sees the data as of its first query, which is this one.
    const migrations = await appliedMigrations(query, 'sqlite');
    return { connection, dialect: 'sqlite', query, migrations, close: async () => connection.close() };
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function postgresSnapshot(url: string): Promise<Snapshot> {
  const client = await connectPostgres(url);
  try {
    await client.query('begin isolation level repeatable read read only');
    const query = kyselyOnClient(client);
    const migrations = await appliedMigrations(query, 'postgres');
    return { dialect: 'postgres', query, migrations, close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}
