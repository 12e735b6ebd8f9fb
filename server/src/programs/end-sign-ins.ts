// npm run end-sign-ins -- mia@example.com: logs a user out everywhere, at once. The server can keep running.
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { endSignIns, findUserByEmail } from '../identity/identity.store.ts';
import { print, runProgram } from './terminal.ts';

await runProgram(async () => {
  const [, , email] = process.argv;
  if (!email) throw new OperatorError('Usage: npm run end-sign-ins -- mia@example.com');
  const { databaseUrl } = readDataLocation();
  // openDatabase would create or migrate the database. A snapshot only reads it.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    const user = await findUserByEmail(db, email);
    if (!user) throw new OperatorError(`No account has the address ${email}.`);
    await endSignIns(db, user.id, null);
    print(`${user.email} is logged out everywhere.`);
  } finally {
    await db.close();
  }
});
