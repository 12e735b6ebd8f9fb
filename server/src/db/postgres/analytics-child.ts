import { DatabaseSync } from 'node:sqlite';
import { ConnectionLost } from '../core/errors.ts';
import { answerQueries, PATIENCE_MS } from '../kept/answer-queries.ts';
import { keptTables } from '../kept/kept-tables.ts';
import { isConnectionLoss, isOutOfResources } from './failures.ts';
import { connectPostgres } from './postgres-client.ts';
import { postgresRows } from './postgres-rows.ts';

await answerQueries(async ({ database, itemsAtOnce }) => {
  const client = await connectPostgres(database).catch((error) => {
    // The question that waits is answered with 503, and the next one tries again.
    console.error(error.message);
    process.exit(1);
  });
  // The next connection may lead to another database server, which may not have the last changes.
  client.on('end', () => process.exit());
  await client.query(`set statement_timeout = ${PATIENCE_MS}`);
  const store = new DatabaseSync(':memory:');
  store.exec('pragma temp_store = memory; pragma cache_size = -65536');
  const kept = keptTables(store, postgresRows(client, store), { itemsAtOnce });
  return {
    kept,
    run: () => {
      throw new Error('PostgreSQL runs such queries itself');
    },
    isUnavailable: (error) => {
      if (error instanceof ConnectionLost) void client.end();
      return isConnectionLoss(error) || isOutOfResources(error);
    },
  };
});
