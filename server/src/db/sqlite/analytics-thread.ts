import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { isStorageFailure } from '../core/errors.ts';
import type { Query, Reply } from './analytics-worker.ts';
import { preparedStatements } from './prepared.ts';

const connection = new DatabaseSync(workerData as string, { readOnly: true, timeout: 5_000 });
connection.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824');
const prepare = preparedStatements(connection);

parentPort?.on('message', ({ id, text, params }: Query) => {
  let reply: Reply;
  try {
    reply = { id, rows: prepare(text).all(...(params as never[])) };
  } catch (error) {
    reply = { id, error: (error as Error).message, unavailable: isStorageFailure(error) };
  }
  parentPort?.postMessage(reply);
});
