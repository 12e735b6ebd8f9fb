import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The query builder of a connection for reading or, inside `Db.change`, of the transaction. */
export type Queries = Kysely<Tables>;

type Run = (text: string, params: readonly unknown[]) => unknown[] | Promise<unknown[]>;

const rawRunners = new WeakMap<object, Run>();

/** Lets hand-written SQL bypass the query builder and go straight to the driver. */
export function withRawSql(db: Queries, run: Run): Queries {
  rawRunners.set(db, run);
  return db;
}

/** Runs SQL with $1, $2 … as parameters. Both drivers cache the prepared statement by its text. */
export async function queryRows<Row>(db: Queries, text: string, params: readonly unknown[]): Promise<Row[]> {
  const run = rawRunners.get(db);
  if (run) return (await run(text, params)) as Row[];
  const result = await db.executeQuery<Row>(CompiledQuery.raw(text, params as unknown[]));
  return result.rows;
}

/** Creates a function that runs a fixed SQL text, with typed parameters and rows. */
export function statement<Row, const Params extends readonly unknown[]>(text: string) {
  return (db: Queries, ...params: Params): Promise<Row[]> => queryRows<Row>(db, text, params);
}
