// npm run end-sign-ins -- mia@example.com: signs somebody out everywhere, at once, while the server runs.
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { endSignIns, findUserByEmail } from '../identity/identity.store.ts';
import { asProgram, say } from './terminal.ts';

await asProgram(async () => {
  const [, , email] = process.argv;
  if (!email) throw new OperatorError('Whose? npm run end-sign-ins -- mia@example.com');
  const { databaseUrl } = readDataLocation();
  // To open it makes or migrates what is not there; to look does not.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    const user = await findUserByEmail(db, email);
    if (!user) throw new OperatorError(`Nobody here has the address ${email}.`);
    await endSignIns(db, user.id, null);
    say(`${user.email} is signed out everywhere.`);
  } finally {
    await db.close();
  }
});
