// npm run end-sign-ins -- mia@example.com: signs somebody out everywhere, at once, while the server runs.
import { readPlace } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { Refusal } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { endSignIns, findUserByEmail } from '../identity/identity.store.ts';
import { asProgram, say } from './terminal.ts';

await asProgram(async () => {
  const [, , email] = process.argv;
  if (!email) throw new Refusal('Whose? npm run end-sign-ins -- mia@example.com');
  const { databaseUrl } = readPlace();
  // To open it makes or migrates what is not there; to look does not.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Refusal(`Nobody here has the address ${email}.`);
    await endSignIns(db, user.id, null);
    say(`${user.email} is signed out everywhere.`);
  } finally {
    await db.close();
  }
});
