import { buildApp, ownOrigin } from './app.ts';
import { ConfigError, readCheckpointKey, readConfig, takeDatabaseOwnerUrl } from './config.ts';
import { OperatorError } from './db/core/errors.ts';
import { startPruning } from './db/core/prune.ts';
import { mayMigrate } from './db/migrations/migrate.ts';
import { isPostgres, openDatabase } from './db/open.ts';
import { lockDatabaseFile } from './db/sqlite/file-lock.ts';
import { setDemoAccounts } from './houses/demo-accounts.ts';
import { scheduleIdentityCleanup } from './identity/identity.cleanup.ts';
import { scheduleSums } from './insights/sum-scheduler.ts';
import { signingKey } from './ledger/checkpoint.ts';
import { scheduleCheckpoints } from './ledger/checkpoint-scheduler.ts';
import { lastCheckpoint } from './ledger/last-checkpoint.ts';
import { uploadsFolder } from './pictures/pictures.routes.ts';
import { scheduleUploadCleanup } from './pictures/uploads.store.ts';

const SHUTDOWN_TIMEOUT_MS = 4_500;
/**
 * How many connections the kernel queues before they are accepted. A client that finds the queue full retries only
 * after seconds.
 */
const MAX_BACKLOG = 4_096;

async function main(): Promise<void> {
  const config = readConfig();
  const checkpointKey = signingKey(readCheckpointKey(true));
  const unlock = isPostgres(config.databaseUrl) ? () => {} : lockDatabaseFile(config.databaseUrl);
  const db = await openDatabase(config.databaseUrl, takeDatabaseOwnerUrl());
  if (config.demo) await (await import('./demo/seed.ts')).seedDemo(db, Date.now(), config.access);
  const demoAccounts = await setDemoAccounts(db, config.demo, Date.now());
  const app = await buildApp({ config, db });
  const stopJobs = [
    startPruning(db),
    scheduleIdentityCleanup(db),
    scheduleSums(db),
    scheduleCheckpoints(db, checkpointKey, lastCheckpoint(config.dataDir), app.log),
    scheduleUploadCleanup(db, uploadsFolder(config)),
  ];

  let closing = false;
  async function close(): Promise<void> {
    if (closing) return;
    closing = true;
    // Requests in flight can finish. Connections still open after the timeout are dropped.
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    for (const stop of stopJobs) stop();
    await app.close();
    await db.close();
    unlock();
    process.exit(0);
  }
  process.on('SIGINT', close);
  process.on('SIGTERM', close);

  await app.listen({ host: config.host, port: config.port, backlog: MAX_BACKLOG });
  console.log(`Perfume Warehouse is running at ${ownOrigin(app, config)}`);
  if (!config.demo && isPostgres(config.databaseUrl) && (await mayMigrate(db.query)))
    console.log(
      'The role of DATABASE_URL can change tables and triggers. Safer with two roles: see docs/operating.md.',
    );
  if (!config.demo && demoAccounts > 0)
    console.log('The accounts of the demo are disabled: everybody knows their password. Its stock is kept.');
  if (config.demo)
    console.log('Demo: log in as demo@perfume.example with the password perfume-demo-1, or click "Live demo".');
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
  if (error.code === 'EADDRINUSE')
    return `Port ${error.port} is already in use. Choose another port: PORT=8081 npm start`;
  if (error.code === 'EACCES')
    return `Port ${error.port} needs root rights. Choose a port above 1023: PORT=8080 npm start`;
  return error.message;
}
