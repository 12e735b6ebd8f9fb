import { DatabaseSync } from 'node:sqlite';
import { isStorageFailure } from '../core/errors.ts';
import type { Query, Reply } from './analytics-process.ts';
import { preparedStatements } from './prepared.ts';

const [, , file = ''] = process.argv;
const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
connection.exec('pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824');
const prepare = preparedStatements(connection);

process.on('message', ({ text, params }: Query) => {
  let reply: Reply;
  try {
    reply = { rows: prepare(text).all(...(params as never[])) };
  } catch (error) {
    reply = { error: (error as Error).message, unavailable: isStorageFailure(error) };
  }
  process.send?.(reply);
});
// Signals are ignored: a terminal and systemd send them to all processes of the server, which still has requests to
// finish. This process ends when the server disconnects.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
for (const event of ['disconnect', 'error']) process.on(event, () => process.exit());
process.send?.('ready');
