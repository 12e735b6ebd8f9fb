import { DatabaseSync } from 'node:sqlite';
import { LONG_QUERY_LIMITS } from '../core/long-query.ts';
import { answerQueries } from '../kept/answer-queries.ts';
import { keptTables } from '../kept/kept-tables.ts';
import { isConnectionLoss, isOutOfResources } from './failures.ts';
import { connectPostgres } from './postgres-client.ts';
import { postgresRows } from './postgres-rows.ts';

await answerQueries(async ({ database, itemsAtOnce }) => {
  const client = await connectPostgres(database);
  // What is kept may be of a state of the database that the next connection does not find.
  client.on('end', () => process.exit());
  await client.query(`set statement_timeout = ${LONG_QUERY_LIMITS.timeoutMs}`);
  const store = new DatabaseSync(':memory:');
  store.exec('pragma temp_store = memory; pragma cache_size = -65536');
  const kept = keptTables(store, postgresRows(client, store), { itemsAtOnce });
  return {
    kept,
    run: () => {
      throw new Error('PostgreSQL runs such queries itself');
    },
    isUnavailable: (error) => isConnectionLoss(error) || isOutOfResources(error),
  };
});
