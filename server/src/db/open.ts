import type { Db } from './core/database.ts';

/** Any other value is the path of the SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** Loads only the driver that is needed. */
export async function openDatabase(url: string): Promise<Db> {
  if (!isPostgres(url)) return (await import('./sqlite/sqlite.ts')).openSqlite(url);
  return (await import('./postgres/postgres.ts')).openPostgres(url);
}
