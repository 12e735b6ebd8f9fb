import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

/** Finds the user who sent a request. Implemented in src/identity. */
export type WhoIs = {
  /** Finds the user by the session cookie. */
  byCookie(request: FastifyRequest): Promise<User | null>;
  /** Finds the user by the bearer access token, which only allows reading one's own items. */
  byToken(request: FastifyRequest): Promise<User | null>;
};

export async function requireSignedIn(whoIs: WhoIs, request: FastifyRequest): Promise<User> {
  const user = await whoIs.byCookie(request);
  if (!user) throw new Problem('not_signed_in');
  return user;
}

/** Requires a login with a verified email address. */
export async function requireUser(whoIs: WhoIs, request: FastifyRequest): Promise<User> {
  const user = await requireSignedIn(whoIs, request);
  if (!user.emailVerified) throw new Problem('email_not_verified');
  return user;
}

export async function requireToken(whoIs: WhoIs, request: FastifyRequest): Promise<User> {
  const user = await whoIs.byToken(request);
  if (!user) throw new Problem('invalid_token');
  if (!user.emailVerified) throw new Problem('email_not_verified');
  return user;
}
