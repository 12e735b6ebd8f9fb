import { type Driver, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import { type Queries, withRawSql } from '../core/statement.ts';
import type { Tables } from '../core/tables.ts';

const INT8 = 20;

/** Reads int8 as a number, which is exact: cents, counts and milliseconds are all far below 2^53. */
export const int8AsNumber: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** For values that may be larger, such as that of the most valuable stock possible. */
export const int8AsBigint: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format)),
};

/**
 * For long queries. With the default work_mem of 4 MB, aggregates per item would spill to disk. A generic plan fits no period
 * well, and planning again costs about a millisecond. random_page_cost is low, because the data is cached or on an SSD.
 */
export const LONG_QUERY_SETTINGS = `select set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
  set_config('plan_cache_mode', 'force_custom_plan', true), set_config('random_page_cost', '1.1', true)`;

/** Opens a single connection for a long task, without a pool and without a statement timeout. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'perfume-warehouse',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    types: int8AsNumber,
  });
  // If the connection breaks, the pending query is rejected. Without this listener, the error would also end the
  // process.
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw new OperatorError(`The database cannot be reached: ${error.message || error.code}.`);
  });
  return client;
}

/** Returns a query builder that runs statements on `client`, inside its current transaction. */
export function kyselyOnClient(client: pg.Client): Queries {
  return withRawSql(kyselyWith(new DummyDriver()), async (text, params) => {
    const { rows } = await client.query(text, params as unknown[]);
    return rows;
  });
}

export function kyselyWith(driver: Driver): Queries {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
