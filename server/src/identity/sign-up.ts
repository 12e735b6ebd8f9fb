import { randomUUID } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/core/database.ts';
import { emails } from '../mail/emails.ts';
import { VERIFY_LINK_LASTS_S } from './auth.ts';
import { type Answered, askAuth, refuseIfRefused } from './bridge.ts';
import { claimEmail, ownsEmail } from './identity.store.ts';
import type { Identity } from './identity.ts';

type NewPerson = {
  name: string;
  email: string;
  password: string;
  rememberMe?: boolean | undefined;
  image?: string | undefined;
  /** A path of ours. */
  returnTo: string;
};

/**
 * Opens an account under a name of no address, then claims the address for it. If it is taken, the account stays
 * without: the same work, the same answer, the same sign-in at the gate. Only the mail differs, and that goes to the
 * address's owner.
 */
export async function openAccount(
  identity: Identity,
  db: Db,
  request: FastifyRequest,
  person: NewPerson,
): Promise<{ answered: Answered; user: User }> {
  const address = identity.addressOf(request);
  const { name, password, image, rememberMe = true } = person;
  const answered = await askAuth(await identity.auth(address), address, request, {
    method: 'POST',
    path: '/sign-up/email',
    body: { name, password, image, rememberMe, email: `${randomUUID()}@unclaimed.invalid` },
  });
  refuseIfRefused(answered);
  const { id } = answered.body.user as { id: string };
  const email = emailKey(person.email);
  await claimEmail(db, id, email);
  const user = { id, email, name, image: image ?? null, emailVerified: false };
  await sendVerification(identity, db, user, person.returnTo);
  return { answered, user };
}

export async function sendVerification(identity: Identity, db: Db, user: User, returnTo: string): Promise<void> {
  const address = identity.address();
  const token = await createEmailVerificationToken(identity.secret, user.email, undefined, VERIFY_LINK_LASTS_S, {
    userId: user.id,
  });
  const back = encodeURIComponent(returnTo);
  const isTheirs = await ownsEmail(db, user.id, user.email);
  identity.mailer.send(
    isTheirs
      ? emails.verify(user.email, `${address}/api/auth/verify-email?token=${token}&returnTo=${back}`)
      : emails.alreadyYours(user.email, `${address}/login`),
  );
}
