import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A handle to read with, or (inside a change) the transaction itself. */
export type Queries = Kysely<Tables>;

type Run = (text: string, params: readonly unknown[]) => unknown[] | Promise<unknown[]>;

const shortcuts = new WeakMap<object, Run>();

/** Lets ready-made SQL go straight to the driver, past the query builder's machinery. */
export function withRawSql(db: Queries, run: Run): Queries {
  shortcuts.set(db, run);
  return db;
}

/** SQL with $1, $2 … for its parameters. Both drivers keep the prepared form by its text. */
export async function queryRows<Row>(db: Queries, text: string, params: readonly unknown[]): Promise<Row[]> {
  const run = shortcuts.get(db);
  if (run) return (await run(text, params)) as Row[];
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, params as unknown[]));
  return result.rows;
}

/** A question whose text never changes, with the types of what goes in and what comes back. */
export function statement<Row, const Params extends readonly unknown[]>(text: string) {
  return (db: Queries, ...params: Params): Promise<Row[]> => queryRows<Row>(db, text, params);
}
