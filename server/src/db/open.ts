import type { Db } from './core/database.ts';

/** The rows of houses with more than so many items are kept, and those of so many items are computed at once: see kept-tables.ts. */
export type Keeping = { keepFrom?: number; itemsAtOnce?: number };

/** Whether `url` names a PostgreSQL database. Any other value is the path of the SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/**
 * Opens the database and loads only the driver that it needs. With `ownerUrl`, that role migrates PostgreSQL, and the role
 * of `url` only reads and writes rows. `keeping`: what a test wants other than usual.
 */
export async function openDatabase(url: string, ownerUrl: string | null = null, keeping: Keeping = {}): Promise<Db> {
  if (!isPostgres(url)) return (await import('./sqlite/sqlite.ts')).openSqlite(url);
  if (ownerUrl) await (await import('./postgres/runtime-role.ts')).migrateAsOwner(ownerUrl, url);
  return (await import('./postgres/postgres.ts')).openPostgres(url, keeping);
}
