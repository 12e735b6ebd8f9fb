import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import { type Queries, withRawSql } from '../core/statement.ts';
import type { Tables } from '../core/tables.ts';

const INT8 = 20;

/** Our integers are cents, counts and milliseconds: all far below 2^53. */
export const int8AsNumber: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** One connection for one long piece of work: no pool, and no limit of time. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'perfume-warehouse',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    types: int8AsNumber,
  });
  // Whoever is waiting for an answer is told; without a listener the process would end.
  client.on('error', () => {});
  await client.connect().catch((error) => {
    throw new OperatorError(`The database cannot be reached: ${error.message || error.code}.`);
  });
  return client;
}

/** Ready-made statements over that connection, in whatever transaction it is. */
export function kyselyOnClient(client: pg.Client): Queries {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return withRawSql(db, async (text, params) => (await client.query(text, params as unknown[])).rows);
}
