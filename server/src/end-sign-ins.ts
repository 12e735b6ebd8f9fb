// npm run end-sign-ins -- mia@example.com: signs somebody out everywhere, at once, while the server runs.
import { readPlace } from './config.ts';
import { openDatabase } from './db/database.ts';
import { Refusal } from './db/errors.ts';
import { endSignIns, findUserByEmail } from './identity/identity.store.ts';
import { asProgram, number, say } from './terminal.ts';

await asProgram(async () => {
  const [, , email] = process.argv;
  if (!email) throw new Refusal('Whose? npm run end-sign-ins -- mia@example.com');
  const db = await openDatabase(readPlace().databaseUrl);
  try {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Refusal(`Nobody here has the address ${email}.`);
    const ended = await endSignIns(db, user.id, null);
    say(
      `${user.email} was signed in ${ended === 1 ? 'once' : `${number(ended)} times`}, and is signed out everywhere.`,
    );
  } finally {
    await db.close();
  }
});
