import type { Db } from './core/database.ts';

/** Whether `url` names a PostgreSQL database. Any other value is the path of the SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/**
 * Opens the database and loads only the driver that it needs. With `ownerUrl`, that role migrates PostgreSQL, and the role
 * of `url` only reads and writes rows.
 */
export async function openDatabase(url: string, ownerUrl: string | null = null): Promise<Db> {
  if (!isPostgres(url)) return (await import('./sqlite/sqlite.ts')).openSqlite(url);
  if (ownerUrl) await (await import('./postgres/runtime-role.ts')).migrateAsOwner(ownerUrl, url);
  return (await import('./postgres/postgres.ts')).openPostgres(url);
}
