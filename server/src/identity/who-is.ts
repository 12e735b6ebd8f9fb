import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { dataVersionOf } from '../http/data-version.ts';
import type { WhoIs } from '../http/session.ts';
import type { accessTokens } from './access-token.ts';
import type { SignInCookies } from './cookie.ts';
import { findBySignIn, signInId } from './identity.store.ts';

const LONGEST_TOKEN = 2_000;
const ENTRY_BYTES = 500;
const MOST_COOKIES = 5_000;

export function whoIsFrom(
  db: Db,
  cache: Cache,
  cookies: SignInCookies,
  clock: () => number,
  tokens: ReturnType<typeof accessTokens>,
): WhoIs {
  /** Looking remembers; a change asks the store itself, which under many changes would have to be asked anyway. */
  async function find(request: FastifyRequest, signIn: string): Promise<User | null> {
    const look = () => findBySignIn(db, signIn);
    const found =
      request.method === 'GET'
        ? await cache.getOrLoad(dataVersionOf(cache, request), `sign-in ${signIn}`, look, () => ENTRY_BYTES)
        : await look();
    return found && found.expiresAt > clock() ? found.user : null;
  }

  // A cookie names the same sign-in for ever, or none: its signature need not be worked out anew each time.
  const named = new Map<string, string | null>();
  function signInOf(cookie: string): string | null {
    const known = named.get(cookie);
    if (known !== undefined) return known;
    const token = cookies.tokenOf(cookie);
    const signIn = token && signInId(token);
    if (named.size >= MOST_COOKIES) named.clear();
    if (cookie.length <= LONGEST_TOKEN) named.set(cookie, signIn);
    return signIn;
  }

  return {
    async byCookie(request) {
      const { cookie } = request.headers;
      const signIn = cookie === undefined ? null : signInOf(cookie);
      return signIn ? find(request, signIn) : null;
    },
    async byToken(request) {
      const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > LONGEST_TOKEN) return null;
      const claims = await tokens.read(token);
      if (!claims) return null;
      const user = await find(request, claims.signIn);
      return user?.id === claims.userId ? user : null;
    },
  };
}
