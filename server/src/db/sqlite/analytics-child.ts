import { DatabaseSync } from 'node:sqlite';
import { isStorageFailure, StoreUnavailable } from '../core/errors.ts';
import type { KeptQuery } from '../core/kept-query.ts';
import { LONG_QUERY_LIMITS } from '../core/long-query.ts';
import type { Query, Reply } from './analytics-process.ts';
import { keptTables } from './kept-tables.ts';
import { preparedStatements } from './prepared.ts';
import { readTerms } from './search-index.ts';

const [, , file = ''] = process.argv;
const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
connection.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 2147418112');
const prepare = preparedStatements(connection);
const runOn = (text: string, params: readonly unknown[]) => prepare(text).all(...(params as never[]));
const kept = keptTables(connection);
/** Some time before this process is killed. */
const PATIENCE_MS = LONG_QUERY_LIMITS.timeoutMs - 2_000;
readTerms(connection);

let isAnswering = false;
let isFilling = false;

process.on('message', async (query: Query) => {
  isAnswering = true;
  process.send?.(await replyTo(query));
  isAnswering = false;
  await fillMeanwhile();
});

async function replyTo(query: Query): Promise<Reply> {
  try {
    return { rows: 'kept' in query ? await answerKept(query.kept) : runOn(query.text, query.params) };
  } catch (error) {
    return {
      error: (error as Error).message,
      unavailable: error instanceof StoreUnavailable || isStorageFailure(error),
    };
  }
}

/** Computes the rows first if they are not there. They are not lost if that takes too long. */
async function answerKept(query: KeptQuery): Promise<unknown[]> {
  const until = performance.now() + PATIENCE_MS;
  for (let longestStep = 0; ; ) {
    const rows = kept.answer(query);
    if (rows) return rows;
    const startedAt = performance.now();
    if (startedAt + longestStep > until) throw new StoreUnavailable('the answer is still being computed');
    kept.fillSome(query);
    longestStep = Math.max(longestStep, performance.now() - startedAt);
    await new Promise(setImmediate);
  }
}

/** Goes on until there is a query, or nothing more to do. */
async function fillMeanwhile(): Promise<void> {
  // It may still wait for its next step since the query before.
  if (isFilling) return;
  isFilling = true;
  try {
    while (!isAnswering && kept.fillSome()) await new Promise(setImmediate);
  } catch {
    // The next query computes them again.
  } finally {
    isFilling = false;
  }
}

// Signals are ignored: a terminal and systemd send them to all processes of the server, which still has requests to
// finish. This process ends when the server disconnects.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
process.send?.('ready');
