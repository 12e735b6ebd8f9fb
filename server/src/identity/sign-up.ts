import { randomUUID } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import { pathOf } from '@perfume/contract/page-paths';
import { emailKey } from '@perfume/domain/email';
import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyRequest } from 'fastify';
import { jwtVerify } from 'jose';
import type { Db } from '../db/core/database.ts';
import type { Queries } from '../db/core/statement.ts';
import { Problem } from '../http/problem.ts';
import { emails } from '../mail/emails.ts';
import { VERIFY_LINK_LIFETIME_S } from './auth.ts';
import { type AuthResponse, callBetterAuth, throwIfRefused } from './call-better-auth.ts';
import { identitySecret } from './cookie.ts';
import { claimEmail, claimInvitedEmail, findUserByEmail, type HouseInvitations, ownsEmail } from './identity.store.ts';
import type { Identity } from './identity.ts';
import { signUpRefusal } from './sign-up-rules.ts';

type NewPerson = {
  name: string;
  email: string;
  password: string;
  rememberMe?: boolean | undefined;
  image?: string | undefined;
  /** The token of an invitation into a house. */
  invitation?: string | undefined;
  /** The path on our own origin to open after the address is verified. */
  returnTo: string;
};

/**
 * Creates an account under a placeholder address, then claims the real address for it. If someone else has the real
 * address, the work, the response and the unverified session are the same, so a stranger does not learn who has an
 * account. Only the email differs, and it goes to the owner of the address. Whoever has an invitation reads the email of
 * the address, and is told if it has an account.
 */
export async function openAccount(
  identity: Identity,
  db: Db,
  request: FastifyRequest,
  person: NewPerson,
  invitations: HouseInvitations,
): Promise<{ response: AuthResponse; user: User }> {
  const refusal = await signUpRefusal(identity.config, db, person.email, identity.clock());
  if (refusal) throw new Problem(refusal);
  const { invitation } = person;
  if (invitation !== undefined) await requireInvited(invitation);
  const origin = identity.originOf(request);
  const { name, password, image, rememberMe = true } = person;
  const response = await callBetterAuth(identity, origin, request, {
    method: 'POST',
    path: '/sign-up/email',
    body: { name, password, image, rememberMe, email: `${randomUUID()}@unclaimed.invalid` },
  });
  throwIfRefused(response);
  const { id } = response.body.user as { id: string };
  const user = { id, email: emailKey(person.email), name, image: image ?? null, emailVerified: false };
  if (invitation !== undefined) return { response, user: await join(user, invitation) };
  await claimEmail(db, id, user.email);
  await sendVerification(identity, db, user, person.returnTo);
  return { response, user };

  async function requireInvited(token: string): Promise<void> {
    const invited = await invitations.emailOf(db.query, token, identity.clock());
    if (invited === null || emailKey(invited) !== emailKey(person.email)) throw new Problem('invalid_link');
    if ((await findUserByEmail(db, person.email))?.emailVerified) throw new Problem('already_verified');
  }

  async function join(user: User, token: string): Promise<User> {
    const now = identity.clock();
    const accept = (db: Queries) => invitations.accept(db, token, user, now);
    const outcome = await claimInvitedEmail(db, user, { now, accept });
    if (outcome !== 'claimed') throw new Problem(outcome === 'taken' ? 'already_verified' : 'invalid_link');
    return { ...user, emailVerified: true };
  }
}

export async function sendVerification(identity: Identity, db: Db, user: User, returnTo: string): Promise<void> {
  const origin = identity.origin();
  const token = await createEmailVerificationToken(identity.secret, user.email, undefined, VERIFY_LINK_LIFETIME_S, {
    userId: user.id,
  });
  const isOwner = await ownsEmail(db, user.id, user.email);
  identity.mailer.send(
    isOwner
      ? emails.verify(user.email, origin + verificationPage(token, returnTo))
      : emails.alreadyYours(user.email, `${origin}/login`),
  );
}

/** The token is in the fragment, which no browser sends to a server, so it is in nobody's log. */
export function verificationPage(token: string, returnTo: string): string {
  return `${pathOf.verifyEmail}#token=${encodeURIComponent(token)}&returnTo=${encodeURIComponent(returnTo)}`;
}

/** Returns the account and the address of a verification link, or null if we did not sign it or it has expired. */
export async function readVerificationToken(
  { config, secret }: Identity,
  token: string,
): Promise<{ userId: string; email: string } | null> {
  const secrets = [secret, ...(config.previousSecret === null ? [] : [identitySecret(config.previousSecret)])];
  for (const one of secrets) {
    try {
      const { payload } = await jwtVerify(token, Buffer.from(one), { algorithms: ['HS256'] });
      const { userId, email } = payload;
      return typeof userId === 'string' && typeof email === 'string' ? { userId, email } : null;
    } catch {
      // Not signed with this secret, or expired.
    }
  }
  return null;
}
