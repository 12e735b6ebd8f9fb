// npm run operator -- mia@example.com: makes this account the operator, for a server that had accounts before it had one. A
// server has one operator: whoever it was before no longer is. The server can keep running.
// npm run operator -- mia@example.com --remove: this account is no longer the operator.
import { parseArgs } from 'node:util';
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { appointOperator, dismissOperator } from '../houses/operator.store.ts';
import { findUserByEmail } from '../identity/identity.store.ts';
import { print, runProgram } from './terminal.ts';

const USAGE = 'Usage: npm run operator -- mia@example.com [--remove]';

await runProgram(async () => {
  const { email, remove } = readArguments();
  const { databaseUrl } = readDataLocation();
  // First checks the migrations in a snapshot, which only reads. `openDatabase` would create or migrate the database.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    const user = await findUserByEmail(db, email);
    if (!user) throw new OperatorError(`No account has the email address ${email}.`);
    if (remove) {
      if (!(await dismissOperator(db, user.id))) throw new OperatorError(`${user.email} is not the operator.`);
      return print(`${user.email} is no longer the operator.`);
    }
    const appointed = await appointOperator(db, user.id);
    if (!appointed) throw new OperatorError(`${user.email} is not verified or was disabled.`);
    for (const former of appointed.former) print(`${former} is no longer the operator.`);
    print(`${user.email} is the operator.`);
  } finally {
    await db.close();
  }
});

function readArguments(): { email: string; remove: boolean } {
  const { values, positionals } = parse();
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) throw new OperatorError(USAGE);
  return { email, remove: values.remove };
}

function parse() {
  try {
    return parseArgs({ allowPositionals: true, options: { remove: { type: 'boolean', default: false } } });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${USAGE}`);
  }
}
