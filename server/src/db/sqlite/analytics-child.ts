import { DatabaseSync } from 'node:sqlite';
import { isStorageFailure } from '../core/errors.ts';
import { runner } from '../core/prepared.ts';
import { answerQueries } from '../kept/answer-queries.ts';
import { keptTables } from '../kept/kept-tables.ts';
import { readTerms } from './search-index.ts';
import { sqliteRows } from './sqlite-rows.ts';

await answerQueries(({ database }) => {
  const connection = new DatabaseSync(database, { readOnly: true, timeout: 5_000 });
  connection.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 2147418112');
  readTerms(connection);
  return {
    kept: keptTables(connection, sqliteRows(connection)),
    run: runner(connection),
    isUnavailable: isStorageFailure,
  };
});
