import type { Db } from './core/database.ts';

/** Whether `url` names a PostgreSQL database. Any other value is the path of the SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** Opens the database and loads only the driver that it needs. */
export async function openDatabase(url: string): Promise<Db> {
  if (!isPostgres(url)) return (await import('./sqlite/sqlite.ts')).openSqlite(url);
  return (await import('./postgres/postgres.ts')).openPostgres(url);
}
