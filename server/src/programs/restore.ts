// npm run restore -- FOLDER [--replace]: puts a backup into the data folder. The server must not be running.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDataLocation } from '../config.ts';
import { restore } from '../db/backup/restore.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireWholeLedger } from '../ledger/verify.ts';
import { asProgram, number, say, seconds, showing } from './terminal.ts';

await asProgram(async () => {
  const { values, positionals } = readArguments();
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new OperatorError('Usage: npm run restore -- FOLDER [--replace]');
  const { dataDir, databaseUrl } = readDataLocation();
  if (isPostgres(databaseUrl)) {
    throw new OperatorError(
      'DATABASE_URL is set, and a backup is of an SQLite file. Restore it without DATABASE_URL, then move it:\n' +
        'npm run migrate-to-postgres -- postgres://…',
    );
  }
  const began = Date.now();
  const { manifest, keptAside } = await restore({
    from: resolve(folder),
    into: dataDir,
    replace: values.replace,
    now: began,
    verify: (db) => requireWholeLedger(db, showing('movements checked')),
    onFile: showing('files checked'),
  });
  const { ledger, madeAt, version } = manifest;
  say(
    `Restored in ${seconds(began)} and checked: the warehouse of ${madeAt} (version ${version}), ` +
      `${number(ledger.items)} items, ${number(ledger.movements)} movements.`,
  );
  for (const name of keptAside) say(`What was there is kept: ${name}`);
});

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { replace: { type: 'boolean', default: false } } });
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
}
