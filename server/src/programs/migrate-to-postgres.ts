// npm run migrate-to-postgres -- postgres://…: copies the SQLite database into an empty PostgreSQL database.
import { join } from 'node:path';
import { readDataLocation } from '../config.ts';
import { moveToPostgres } from '../db/backup/move.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireIntactLedger } from '../ledger/verify.ts';
import { formatNumber, print, runProgram, secondsSince, showProgress } from './terminal.ts';

await runProgram(async () => {
  const [url, ...more] = process.argv.slice(2);
  if (url === undefined || more.length > 0 || !isPostgres(url)) {
    throw new OperatorError('Usage: npm run migrate-to-postgres -- postgres://user:password@host/database');
  }
  const { dataDir, file } = readDataLocation();
  const startedAt = Date.now();
  const { ledger, tables } = await moveToPostgres({
    file,
    url,
    verify: (db) => requireIntactLedger(db, showProgress('movements checked')),
    onStep: print,
    onRows: (table, done, total) => showProgress(table)(done, total),
  });
  for (const [table, { rows, sha256 }] of Object.entries(tables)) {
    print(`  ${table.padEnd(16)} ${formatNumber(rows).padStart(12)} rows  ${sha256.slice(0, 16)}`);
  }
  print(
    `Copied and verified in ${secondsSince(startedAt)}: ${formatNumber(ledger.items)} items, ` +
      `${formatNumber(ledger.movements)} movements. Ledger fingerprint: ${ledger.fingerprint || 'empty'}\n` +
      'Next: start the server with DATABASE_URL set to the new database. Set AUTH_SECRET to the one you use now, or to ' +
      `the content of ${join(dataDir, 'secret')}, so that everyone stays logged in.\n` +
      `Pictures stay in ${join(dataDir, 'uploads')}.\n` +
      `${file} was not changed. Move it to another folder: a server started without DATABASE_URL would use it.`,
  );
});
