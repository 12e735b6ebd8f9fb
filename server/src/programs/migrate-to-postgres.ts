// npm run migrate-to-postgres -- postgres://…: moves the warehouse from its SQLite file into an empty PostgreSQL database.
import { join } from 'node:path';
import { readDataLocation } from '../config.ts';
import { moveToPostgres } from '../db/backup/move.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { requireWholeLedger } from '../ledger/verify.ts';
import { asProgram, number, say, seconds, showing } from './terminal.ts';

await asProgram(async () => {
  const [url, ...more] = process.argv.slice(2);
  if (url === undefined || more.length > 0 || !isPostgres(url)) {
    throw new OperatorError('Usage: npm run migrate-to-postgres -- postgres://user:password@host/database');
  }
  const { dataDir, file } = readDataLocation();
  const began = Date.now();
  const { ledger, tables } = await moveToPostgres({
    file,
    url,
    verify: (db) => requireWholeLedger(db, showing('movements checked')),
    onStep: say,
    onRows: (table, done, all) => showing(table)(done, all),
  });
  for (const [table, { rows, sha256 }] of Object.entries(tables)) {
    say(`  ${table.padEnd(16)} ${number(rows).padStart(12)} rows  ${sha256.slice(0, 16)}`);
  }
  say(
    `Moved in ${seconds(began)}, and the same on both sides: ${number(ledger.items)} items, ` +
      `${number(ledger.movements)} movements. The ledger's fingerprint: ${ledger.fingerprint || 'empty'}\n` +
      `Now start with DATABASE_URL set to that database, and AUTH_SECRET to what is in ${join(dataDir, 'secret')}\n` +
      `(or to the AUTH_SECRET you have), so that everybody stays signed in. ${join(dataDir, 'uploads')} stays where it is.\n` +
      `${file} was not changed. Put it away: a server without DATABASE_URL would go on with it.`,
  );
});
