import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A handle to read with, or (inside a change) the transaction itself. */
export type Queries = Kysely<Tables>;

/**
 * SQL written once, with $1, $2 …, for the hottest paths: nothing is compiled per call,
 * and both drivers keep the prepared form by its text.
 */
export function statement<Row, const Params extends readonly unknown[]>(text: string) {
  return async (db: Queries, ...params: Params): Promise<Row[]> => {
    const result = await db.executeQuery<Row>(CompiledQuery.raw(text, params as unknown as unknown[]));
    return result.rows;
  };
}
