import { DatabaseSync } from 'node:sqlite';
import { isStorageFailure } from '../core/errors.ts';
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
readTerms(connection);

process.on('message', (query: Query) => {
  let reply: Reply;
  try {
    reply = { rows: 'kept' in query ? kept.answer(query.kept) : runOn(query.text, query.params) };
  } catch (error) {
    reply = { error: (error as Error).message, unavailable: isStorageFailure(error) };
  }
  process.send?.(reply);
  if (filling === null) fillWhenIdle();
});

let filling: NodeJS.Immediate | null = null;
function fillWhenIdle(): void {
  filling = kept.fillSome() ? setImmediate(fillWhenIdle) : null;
}

// Signals are ignored: a terminal and systemd send them to all processes of the server, which still has requests to
// finish. This process ends when the server disconnects.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
process.send?.('ready');
