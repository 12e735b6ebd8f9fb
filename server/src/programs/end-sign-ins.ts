// npm run end-sign-ins -- mia@example.com: logs a user out everywhere, revokes their API keys and removes their passkeys and
// the invitations they sent, at once. The server can keep running.
// npm run end-sign-ins -- mia@example.com --second-step: also turns their two-step login off, unlinks providers if they have a
// password, and tells them by email.
// npm run end-sign-ins -- --everyone: logs everyone out and removes all API keys, reset links, passkeys, recovery codes and
// invitations, as restoring a backup does.
import { parseArgs } from 'node:util';
import { revokeApiKeys } from '../api-keys/api-keys.store.ts';
import { readDataLocation, readMailSettings } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import type { Db } from '../db/core/database.ts';
import { OperatorError } from '../db/core/errors.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import {
  deleteInvitationsBy,
  endEverySignIn,
  endResetLinks,
  endSignIns,
  findUserByEmail,
  hasPassword,
  unlinkProviders,
} from '../identity/identity.store.ts';
import { removePasskeys } from '../identity/passkeys.store.ts';
import { turnOffTwoStep } from '../identity/two-step.store.ts';
import { emails } from '../mail/emails.ts';
import { sendNow } from '../mail/mailer.ts';
import { print, runProgram } from './terminal.ts';

await runProgram(async () => {
  const { email, everyone, secondStep } = readArguments();
  const { databaseUrl } = readDataLocation();
  const mailSettings = readMailSettings();
  // First checks the migrations in a snapshot, which only reads. `openDatabase` would create or migrate the database.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const db = await openDatabase(databaseUrl);
  try {
    if (everyone) {
      await endEverySignIn(db);
      print(
        'Everyone is logged out. All API keys, passkeys and recovery codes are removed, and invitations and password-reset ' +
          'links that were already sent no longer work. Two-step login stays on.',
      );
      return;
    }
    const user = await findUserByEmail(db, email);
    if (!user) throw new OperatorError(`No account has the email address ${email}.`);
    // Sessions first: nobody can add a passkey or a key with them after that.
    await endSignIns(db, user.id, null);
    await revokeApiKeys(db, user.id);
    await removePasskeys(db, user.id);
    await endResetLinks(db, user.id);
    await db.change((db) => deleteInvitationsBy(db, user.id));
    print(
      `${user.email} was logged out everywhere, and their API keys and passkeys were removed. Password-reset links and ` +
        'invitations to houses that were already sent no longer work.',
    );
    if (secondStep) await endSecondStep(db, user, mailSettings);
    // Somebody may have logged in with what was removed after the sessions.
    await endSignIns(db, user.id, null);
  } finally {
    await db.close();
  }
});

async function endSecondStep(
  db: Db,
  user: { id: string; email: string },
  { mail, origin }: ReturnType<typeof readMailSettings>,
): Promise<void> {
  // A thief may have linked a provider of their own. Without a password, it would be the only way in.
  if (await hasPassword(db, user.id)) {
    await unlinkProviders(db, user.id);
    print('Linked providers were removed. They can be linked again by logging in through them.');
  }
  if (!(await turnOffTwoStep(db, user.id))) return print('Two-step login was not on.');
  print('Two-step login was turned off, and the recovery codes were removed.');
  if (!mail) return print('No email was sent, because SMTP_URL and MAIL_FROM are not set: tell them yourself.');
  const isSent = await sendNow(mail, emails.twoStepOff(user.email, `${origin}/dashboard/settings`));
  if (!isSent) throw new OperatorError('The email could not be sent: tell them yourself.');
  print('They were told by email.');
}

function readArguments() {
  const { values, positionals } = parse();
  const { everyone, 'second-step': secondStep } = values;
  const [email = '', ...more] = positionals;
  if (more.length > 0 || everyone === (email !== '') || (everyone && secondStep))
    throw new OperatorError(
      'Usage: npm run end-sign-ins -- mia@example.com [--second-step]\n   or: npm run end-sign-ins -- --everyone',
    );
  return { email, everyone, secondStep };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { everyone: { type: 'boolean', default: false }, 'second-step': { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
}
