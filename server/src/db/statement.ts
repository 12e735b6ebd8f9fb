import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A handle to read with, or (inside a change) the transaction itself. */
export type Queries = Kysely<Tables>;

type Run = (text: string, params: readonly unknown[]) => unknown[];

const shortcuts = new WeakMap<object, Run>();

/** A driver that answers at once can be asked directly, past the query builder's machinery. */
export function answersAtOnce(db: Queries, run: Run): Queries {
  shortcuts.set(db, run);
  return db;
}

/**
 * SQL written once, with $1, $2 …, for the hottest paths: nothing is compiled per call,
 * and both drivers keep the prepared form by its text.
 */
export function statement<Row, const Params extends readonly unknown[]>(text: string) {
  return async (db: Queries, ...params: Params): Promise<Row[]> => {
    const run = shortcuts.get(db);
    if (run) return run(text, params) as Row[];
    const result = await db.executeQuery<Row>(CompiledQuery.raw(text, params as unknown as unknown[]));
    return result.rows;
  };
}
