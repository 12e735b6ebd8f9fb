// npm run backup [-- FOLDER]: a copy of everything, made while the server runs, in a dated folder inside FOLDER.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readDataLocation } from '../config.ts';
import { backUp } from '../db/backup/backup.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireWholeLedger } from '../ledger/verify.ts';
import { asProgram, megabytes, number, say, seconds, showing } from './terminal.ts';

await asProgram(async () => {
  const { dataDir, databaseUrl } = readDataLocation();
  if (isPostgres(databaseUrl)) {
    throw new OperatorError(
      'The data is in PostgreSQL, which has better tools for this: pgBackRest, or pg_dump. See docs/operating.md.\n' +
        `What is not in it, and wants a copy too: ${join(dataDir, 'uploads')}, and AUTH_SECRET.`,
    );
  }
  const began = Date.now();
  const { folder, manifest } = await backUp({
    from: dataDir,
    into: resolve(process.argv[2] ?? join(dataDir, 'backups')),
    version: versionOfProduct(),
    now: began,
    verify: (db) => requireWholeLedger(db, showing('movements checked')),
    onPages: showing('pages'),
    onCheck: () => say('Copied. Checking the copy…'),
  });
  const { files, ledger } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  say(
    `Made in ${seconds(began)} and checked: ${megabytes(bytes)}, ${number(ledger.items)} items, ` +
      `${number(ledger.movements)} movements, ${number(files.filter(({ name }) => name.startsWith('uploads/')).length)} pictures.`,
  );
  if (!files.some(({ name }) => name === 'secret')) say('AUTH_SECRET is not in it: keep that yourself.');
  say('It holds everything, people and secret too. Keep it private, and on another machine.');
  say(folder);
});

function versionOfProduct(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version;
}
