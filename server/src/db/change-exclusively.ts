import type pg from 'pg';
import { OperatorError } from './core/errors.ts';
import type { Queries } from './core/statement.ts';
import { isPostgres, openDatabase } from './open.ts';
import { connectPostgres, kyselyOnClient } from './postgres/postgres-client.ts';
import { lockDatabaseFile } from './sqlite/file-lock.ts';

/** What `work` did is committed only if it says so. */
type Work<T> = (db: Queries) => Promise<{ commit: boolean; result: T }>;

/**
 * Runs a change of many rows in one transaction of any length, while no server writes to these tables. On SQLite the
 * server must be stopped. On PostgreSQL the role of `url` must own the tables.
 */
export function changeExclusively<T>(url: string, tables: readonly string[], work: Work<T>): Promise<T> {
  return isPostgres(url) ? onPostgres(url, tables, work) : onSqlite(url, work);
}

async function onSqlite<T>(file: string, work: Work<T>): Promise<T> {
  const unlock = lockDatabaseFile(file);
  try {
    const db = await openDatabase(file);
    const rolledBack: T[] = [];
    try {
      return await db.change(async (db) => {
        const { commit, result } = await work(db);
        if (commit) return result;
        rolledBack.push(result);
        throw new Error('rolled back');
      });
    } catch (error) {
      const [result] = rolledBack;
      if (result === undefined) throw error;
      return result;
    } finally {
      await db.close();
    }
  } finally {
    unlock();
  }
}

async function onPostgres<T>(url: string, tables: readonly string[], work: Work<T>): Promise<T> {
  const client = await connectPostgres(url);
  try {
    await client.query('begin');
    await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`);
    const { commit, result } = await work(kyselyOnClient(client));
    await client.query(commit ? 'commit' : 'rollback');
    return result;
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new OperatorError(
      `Set DATABASE_OWNER_URL to the role that owns the tables: the role of the server cannot do this (${(error as Error).message}).`,
    );
  } finally {
    await client.end();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
