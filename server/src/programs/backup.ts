// npm run backup [-- FOLDER]: copies everything into a dated folder inside FOLDER. The server can keep running.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readDataLocation } from '../config.ts';
import { backUp } from '../db/backup/backup.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireIntactLedger } from '../ledger/verify.ts';
import { formatMegabytes, formatNumber, print, runProgram, secondsSince, showProgress } from './terminal.ts';

await runProgram(async () => {
  const { dataDir, databaseUrl } = readDataLocation();
  if (isPostgres(databaseUrl)) {
    throw new OperatorError(
      'The data is in PostgreSQL. Back it up with pgBackRest or pg_dump: see docs/operating.md.\n' +
        `Also back up what is not in PostgreSQL: ${join(dataDir, 'uploads')} and AUTH_SECRET.`,
    );
  }
  const startedAt = Date.now();
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
    `Backup made and checked in ${secondsSince(startedAt)}: ${formatMegabytes(bytes)}, ${formatNumber(ledger.items)} items, ` +
      `${formatNumber(ledger.movements)} movements, ${formatNumber(files.filter(({ name }) => name.startsWith('uploads/')).length)} pictures.`,
  );
  if (!files.some(({ name }) => name === 'secret'))
    print('AUTH_SECRET is not in the backup: keep a copy of it yourself.');
  print('The backup contains all data, including accounts. Keep it private, and keep a copy on another machine.');
  print(folder);
});

function productVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version;
}
