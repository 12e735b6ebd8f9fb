import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

/** How the rest of the server finds out who is calling. Identity provides it; nothing else knows how. */
export type WhoIs = {
  /** By the sign-in cookie. */
  byCookie(request: FastifyRequest): Promise<User | null>;
  /** By the bearer access token, which is good for one's own list alone. */
  byToken(request: FastifyRequest): Promise<User | null>;
};

export async function requireSignedIn(whoIs: WhoIs, request: FastifyRequest): Promise<User> {
  const user = await whoIs.byCookie(request);
  if (!user) throw new Problem('not_signed_in');
  return user;
}

/** Signed in, and the address is theirs. */
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
