// npm run end-sign-ins -- mia@example.com: logs a user out everywhere and revokes their API keys, at once. The server can
// keep running.
// npm run end-sign-ins -- --everyone: logs everyone out, revokes all API keys and makes reset links invalid, as restoring a backup does.
import { revokeApiKeys } from '../api-keys/api-keys.store.ts';
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { endEverySignIn, endSignIns, findUserByEmail } from '../identity/identity.store.ts';
import { print, runProgram } from './terminal.ts';

await runProgram(async () => {
  const [, , email] = process.argv;
  if (!email)
    throw new OperatorError(
      'Usage: npm run end-sign-ins -- mia@example.com\n   or: npm run end-sign-ins -- --everyone',
    );
  const { databaseUrl } = readDataLocation();
  // First checks the migrations in a snapshot, which only reads. `openDatabase` would create or migrate the database.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    if (email === '--everyone') {
      await endEverySignIn(db);
      print(
        'Everyone is logged out, all API keys are revoked, and password-reset links that were already sent no longer work.',
      );
      return;
    }
    const user = await findUserByEmail(db, email);
    if (!user) throw new OperatorError(`No account has the email address ${email}.`);
    await endSignIns(db, user.id, null);
    await revokeApiKeys(db, user.id);
    print(`${user.email} was logged out everywhere, and their API keys were revoked.`);
  } finally {
    await db.close();
  }
});
