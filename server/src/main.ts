import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { OperatorError } from './db/core/errors.ts';
import { startPruning } from './db/core/prune.ts';
import { isPostgres, openDatabase } from './db/open.ts';
import { lockDatabaseFile } from './db/sqlite/file-lock.ts';
import { keepIdentityTidy } from './identity/identity.tidy.ts';
import { keepSummed } from './insights/keep-summed.ts';

const CLOSE_WITHIN_MS = 4_500;
/** Who finds no room there tries again after seconds, and longer each time; the system may allow fewer. */
const MOST_AT_THE_DOOR = 4_096;

async function main(): Promise<void> {
  const config = readConfig();
  const unlock = isPostgres(config.databaseUrl) ? () => {} : lockDatabaseFile(config.databaseUrl);
  const db = await openDatabase(config.databaseUrl);
  if (config.demo) await (await import('./demo/seed.ts')).seedDemo(db, Date.now());
  const app = await buildApp({ config, db });
  const stopTidying = [startPruning(db), keepIdentityTidy(db), keepSummed(db)];

  let closing = false;
  async function close(): Promise<void> {
    if (closing) return;
    closing = true;
    // What is in flight is finished; whoever still hangs on after that is let go.
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
    for (const stop of stopTidying) stop();
    await app.close();
    await db.close();
    unlock();
    process.exit(0);
  }
  process.on('SIGINT', close);
  process.on('SIGTERM', close);

  await app.listen({ host: config.host, port: config.port, backlog: MOST_AT_THE_DOOR });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  const shown = config.host.includes(':') ? `[${config.host}]` : config.host;
  console.log(`Perfume Warehouse is open at ${config.publicUrl ?? `http://${shown}:${port}`}`);
  if (config.demo) console.log('Demo: sign in as demo@perfume.example with perfume-demo-1, or press "Live demo".');
}

main().catch((error) => {
  const expected =
    error instanceof ConfigError ||
    error instanceof OperatorError ||
    error?.code === 'EADDRINUSE' ||
    error?.code === 'EACCES';
  console.error(expected ? messageOf(error) : error);
  process.exit(1);
});

function messageOf(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code === 'EADDRINUSE') return `Port ${error.port} is taken. Choose another: PORT=8081 npm start`;
  if (error.code === 'EACCES')
    return `Port ${error.port} needs more rights. Choose one above 1023: PORT=8080 npm start`;
  return error.message;
}
