// npm run backup [-- FOLDER]: copies everything into a dated folder inside FOLDER. The server can keep running.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCheckpointKey, readDataLocation } from '../config.ts';
import { backUp } from '../db/backup/backup.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isUpToDate } from '../db/migrations/migrate.ts';
import { isPostgres, openDatabase } from '../db/open.ts';
import { type Checkpoint, signingKey } from '../ledger/checkpoint.ts';
import { makeCheckpoints, NotContinued, newestCheckpoint } from '../ledger/checkpoints.store.ts';
import { readLastCheckpoint } from '../ledger/last-checkpoint.ts';
import { requireIntactLedger } from '../ledger/verify.ts';
import {
  formatMegabytes,
  formatNumber,
  print,
  printCheckpoint,
  runProgram,
  secondsSince,
  showProgress,
} from './terminal.ts';

await runProgram(async () => {
  const { dataDir, databaseUrl } = readDataLocation();
  if (isPostgres(databaseUrl)) {
    throw new OperatorError(
      'The data is in PostgreSQL. Back it up with pgBackRest or pg_dump: see docs/operating.md.\n' +
        `Also back up what is not in PostgreSQL: ${join(dataDir, 'uploads')} and AUTH_SECRET, and the key in CHECKPOINT_KEY or ${join(dataDir, 'checkpoint-key')}.`,
    );
  }
  const startedAt = Date.now();
  const checkpoint = await makeCheckpoint(databaseUrl, dataDir, startedAt);
  const { folder, manifest } = await backUp({
    from: dataDir,
    into: resolve(process.argv[2] ?? join(dataDir, 'backups')),
    version: productVersion(),
    now: startedAt,
    verify: (db) => requireIntactLedger(db, showProgress('movements checked')),
    onPages: showProgress('pages'),
    onCheck: () => print('Copied. Checking the copy…'),
  });
  const { files, ledger } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  print(
    `Backup made in ${secondsSince(startedAt)}: ${formatMegabytes(bytes)}, ${formatNumber(ledger.items)} items, ` +
      `${formatNumber(ledger.movements)} movements, ${formatNumber(files.filter(({ name }) => name.startsWith('uploads/')).length)} pictures.`,
  );
  print(
    'The copy and its ledger were checked. The checkpoints in it were not checked: npm run verify checks those of the database.',
  );
  if (!files.some(({ name }) => name === 'secret'))
    print('AUTH_SECRET is not in the backup: keep a copy of it yourself.');
  if (checkpoint) printCheckpoint(checkpoint);
  print('The backup contains all data, including accounts. Keep it private, and keep a copy on another machine.');
  print(folder);
});

/**
 * Makes a checkpoint, so that the backup ends with one, and returns the newest. Returns null for a database that the
 * server has not migrated yet. Only the server creates the key: one made here could differ from the server's. A backup
 * matters more than a checkpoint, so it goes on without one.
 */
async function makeCheckpoint(databaseUrl: string, dataDir: string, now: number): Promise<Checkpoint | null> {
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  if (!isUpToDate(migrations, dialect)) return null;
  try {
    const digits = readCheckpointKey(false);
    const db = await openDatabase(databaseUrl);
    try {
      const remembered = readLastCheckpoint(dataDir);
      if (digits) await makeCheckpoints({ db, key: signingKey(digits), now, remembered });
      else print('No checkpoint was made: set CHECKPOINT_KEY to that of the server.');
      return await newestCheckpoint(db.query);
    } finally {
      await db.close();
    }
  } catch (error) {
    print(`No checkpoint could be made: ${(error as Error).message}`);
    // Whoever runs this every night must notice.
    if (error instanceof NotContinued) process.exitCode = 1;
    return null;
  }
}

function productVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version;
}
