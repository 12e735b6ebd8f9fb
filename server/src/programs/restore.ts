// npm run restore -- FOLDER [--replace] [--replace-secret]: restores a backup into the data folder. Stop the server
// first.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataLocation } from '../config.ts';
import { restore } from '../db/backup/restore.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireIntactLedger } from '../ledger/verify.ts';
import { formatNumber, print, runProgram, secondsSince, showProgress } from './terminal.ts';

await runProgram(async () => {
  const { values, positionals } = readArguments();
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new OperatorError('Usage: npm run restore -- FOLDER [--replace] [--replace-secret]');
  const { dataDir, databaseUrl } = readDataLocation();
  if (isPostgres(databaseUrl)) {
    throw new OperatorError(
      'DATABASE_URL is set, but a backup is an SQLite file. Restore it without DATABASE_URL, then migrate it:\n' +
        'npm run migrate-to-postgres -- postgres://…',
    );
  }
  const startedAt = Date.now();
  const { manifest, keptAside } = await restore({
    from: resolve(folder),
    into: dataDir,
    replace: values.replace,
    replaceSecret: values['replace-secret'],
    now: startedAt,
    verify: (db) => requireIntactLedger(db, showProgress('movements checked')),
    onFile: showProgress('files checked'),
  });
  const { ledger, madeAt, version } = manifest;
  print(
    `Restored in ${secondsSince(startedAt)}: the backup of ${madeAt} (version ${version}), ` +
      `${formatNumber(ledger.items)} items, ${formatNumber(ledger.movements)} movements.`,
  );
  print('Every file and the ledger were checked. The checkpoints in it were not checked: npm run verify checks them.');
  print(
    'Everyone has to log in again, and add passkeys and make API keys and recovery codes again. Two-step login stays on.',
  );
  for (const name of keptAside) print(`The previous file was renamed to ${name}`);
});

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        replace: { type: 'boolean', default: false },
        'replace-secret': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
}
