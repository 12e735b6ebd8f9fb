import type { Db } from './core/database.ts';

/** Anything else names the SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url);
}

/** Only the driver that is needed is loaded. */
export async function openDatabase(url: string): Promise<Db> {
  if (!isPostgres(url)) return (await import('./sqlite/sqlite.ts')).openSqlite(url);
  return (await import('./postgres/postgres.ts')).openPostgres(url);
}
