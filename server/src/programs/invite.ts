// npm run invite -- mia@example.com: lets this address sign up when SIGN_UP=invited, and sends the invitation. The server
// can keep running. Inviting an address again renews its invitation.
import { pathOf } from '@perfume/contract/page-paths';
import { isEmail } from '@perfume/domain/email';
import { originOf, readConfig, readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { findUserByEmail } from '../identity/identity.store.ts';
import { inviteAddress } from '../identity/invitations.store.ts';
import { isDomainAllowed } from '../identity/sign-up-rules.ts';
import { emails } from '../mail/emails.ts';
import { sendNow } from '../mail/mailer.ts';
import { print, runProgram } from './terminal.ts';

await runProgram(async () => {
  const [email, ...more] = process.argv.slice(2);
  if (email === undefined || more.length > 0 || !isEmail(email))
    throw new OperatorError('Usage: npm run invite -- mia@example.com');
  // First checks the migrations in a snapshot, which only reads. `openDatabase` would create or migrate the database.
  const { dialect, migrations, close } = await openSnapshot(readDataLocation().databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const config = readConfig();
  if (config.signUp === 'closed')
    throw new OperatorError('SIGN_UP is closed, so nobody can sign up. Set SIGN_UP=invited to invite people.');
  if (!isDomainAllowed(config.signUpDomains, email))
    throw new OperatorError(`SIGN_UP_DOMAINS does not contain the domain of ${email}, so this address cannot sign up.`);
  const link = originOf(config) + pathOf.register;
  const db = await openDatabase(config.databaseUrl);
  try {
    if (await findUserByEmail(db, email)) throw new OperatorError(`${email} already has an account.`);
    await inviteAddress(db, email, Date.now());
  } finally {
    await db.close();
  }
  const isSent = config.mail !== null && (await sendNow(config.mail, emails.invitation(email, link)));
  print(`${email} can sign up within 14 days: ${link}`);
  if (isSent) return print('The invitation was sent by email.');
  if (config.mail !== null)
    throw new OperatorError('The email could not be sent. Give them the link yourself, or try again.');
  print('No email was sent, because SMTP_URL is not set. The demo shows the invitation in its outbox.');
});
