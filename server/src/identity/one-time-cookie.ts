import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { cookieName, cookieValue, isSecure } from './cookie.ts';
import type { Identity } from './identity.ts';

/**
 * Keeps something for a browser for a few minutes: a login that waits for its second step, or the challenge for a
 * passkey. The browser has a random cookie, the database its hash and the value. It works once, and opens nothing else.
 */
export function oneTimeCookie<T>(identity: Identity, kind: 'two-step' | 'passkey', lifetimeMs: number) {
  const { config, clock } = identity;
  const name = `${cookieName(config)}.${kind}`;
  const attributes = `Path=/; HttpOnly${isSecure(config) ? '; Secure' : ''}; SameSite=Lax`;
  const store = async () => (await (await identity.auth(identity.origin())).$context).internalAdapter;
  const identifierIn = (request: FastifyRequest) => `${kind}:${cookieValue(request.headers.cookie, name)}`;

  return {
    /** Stores the value and returns the cookie. */
    async create(value: T): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock() + lifetimeMs);
      await (await store()).createVerificationValue({
        identifier: `${kind}:${token}`,
        value: JSON.stringify(value),
        expiresAt,
      });
      return `${name}=${token}; Max-Age=${lifetimeMs / 1_000}; ${attributes}`;
    },
    async find(request: FastifyRequest): Promise<T | null> {
      return unexpired(await (await store()).findVerificationValue(identifierIn(request)));
    },
    /** Returns the value the first time only. */
    async consume(request: FastifyRequest): Promise<T | null> {
      return unexpired(await (await store()).consumeVerificationValue(identifierIn(request)));
    },
    /** The cookie that deletes this one. */
    gone: `${name}=; Max-Age=0; ${attributes}`,
  };

  function unexpired(row: { value: string; expiresAt: Date } | null): T | null {
    return row && row.expiresAt.getTime() > clock() ? (JSON.parse(row.value) as T) : null;
  }
}
