import { type Endpoint, type KeyScope, keyScopeOf, keyScopes } from '@perfume/contract/endpoint';
import type { User } from '@perfume/contract/identity';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { annotateLog } from './access-log.ts';
import { Problem } from './problem.ts';

/** Finds the user who sent a request. Implemented in src/identity and src/api-keys. */
export type WhoIs = {
  /** Finds the user by the session cookie. */
  byCookie(request: FastifyRequest): Promise<User | null>;
  /** Finds the user by the bearer access token, which only allows reading one's own items. */
  byToken(request: FastifyRequest): Promise<User | null>;
  /** Finds the owner of an API key. Returns the seconds to wait if its IP address has sent too many wrong keys. */
  byKey(request: FastifyRequest, key: string): Promise<KeyHolder | null | { secondsToWait: number }>;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** When its session was last proven. Requests without a session are never proven. */
    provenAt: number;
    /** The house that its API key works in; null without a key. */
    keyHouse: number | null;
  }
}

/** Gives every request a place for what is known of its sender. */
export function rememberSenders(app: FastifyInstance): void {
  app.decorateRequest('provenAt', 0);
  app.decorateRequest('keyHouse', null);
}

const PROOF_LIFETIME_MS = 10 * 60 * 1_000;

/** Requires that the user has logged in, or proved again who they are, in the last ten minutes. */
export function requireProof(request: FastifyRequest, now: number): void {
  if (!(request.provenAt + PROOF_LIFETIME_MS > now)) throw new Problem('proof_needed');
}

/** The owner of an API key, what the key allows, and the house it works in. */
export type KeyHolder = { user: User; keyId: string; scope: KeyScope; house: number };

const BEARER_KEY = /^bearer +(pw_.*)$/i;

/** Returns the API key that a request carries, valid or not. It then decides alone: cookies are ignored. */
export function keyIn(request: FastifyRequest): string | null {
  const { authorization } = request.headers;
  return authorization === undefined ? null : (BEARER_KEY.exec(authorization)?.[1] ?? null);
}

/**
 * Finds the user who sent a request and checks that they may call the endpoint. Returns null where anyone may, unless
 * the request carries an API key that is not valid.
 */
export async function identify<E extends Endpoint>(
  whoIs: WhoIs,
  endpoint: E,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<E['who'] extends 'anyone' ? null : User>;
export async function identify(
  whoIs: WhoIs,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User | null> {
  const { who } = endpoint;
  const key = keyIn(request);
  if (key === null && who === 'anyone') return null;
  const user = key === null ? await bySession(whoIs, who, request) : await byKey(whoIs, endpoint, request, reply, key);
  annotateLog(request, { user: user.id });
  if (who === 'anyone') return null;
  if (who !== 'signed-in' && !user.emailVerified) throw new Problem('email_not_verified');
  return user;
}

/** Finds the user of a request that was allowed before; null if they have logged out or their key has ended. */
export async function currentUser(whoIs: WhoIs, request: FastifyRequest): Promise<User | null> {
  const key = keyIn(request);
  if (key === null) return whoIs.byCookie(request);
  const holder = await whoIs.byKey(request, key);
  return holder && 'user' in holder ? holder.user : null;
}

async function bySession(whoIs: WhoIs, who: Endpoint['who'], request: FastifyRequest): Promise<User> {
  const user = who === 'bearer' ? await whoIs.byToken(request) : await whoIs.byCookie(request);
  if (!user) throw new Problem(who === 'bearer' ? 'invalid_token' : 'not_signed_in');
  // A change that waited on a device is made only for the person who made it, whoever has logged in there since.
  const expected = request.headers['expected-user'];
  if (expected !== undefined && expected !== user.id) throw new Problem('not_signed_in');
  return user;
}

async function byKey(
  whoIs: WhoIs,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
): Promise<User> {
  const holder = await whoIs.byKey(request, key);
  if (!holder) throw new Problem('invalid_key');
  if ('secondsToWait' in holder) {
    reply.header('retry-after', String(holder.secondsToWait));
    throw new Problem('too_many');
  }
  annotateLog(request, { user: holder.user.id, key: holder.keyId });
  request.keyHouse = holder.house;
  const needed = keyScopeOf(endpoint);
  if (needed === null || keyScopes.indexOf(holder.scope) < keyScopes.indexOf(needed))
    throw new Problem('key_not_allowed');
  return holder.user;
}
