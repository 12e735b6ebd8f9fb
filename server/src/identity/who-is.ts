import type { FastifyRequest } from 'fastify';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { lookUpSender } from '../http/data-version.ts';
import { keyIn, type WhoIs } from '../http/session.ts';
import type { accessTokens } from './access-token.ts';
import type { SignInCookies } from './cookie.ts';
import { extendSignIn, findBySignIn, isExtendedBy, signInId } from './identity.store.ts';

const MAX_TOKEN_LENGTH = 2_000;
const MAX_COOKIES = 5_000;

export function whoIsFrom(
  db: Db,
  cache: Cache,
  cookies: SignInCookies,
  clock: () => number,
  tokens: ReturnType<typeof accessTokens>,
  afterResponse: (work: () => Promise<void>) => void,
): Pick<WhoIs, 'byCookie' | 'byToken'> {
  /** Sessions whose new end is being written. */
  const extending = new Set<string>();

  /** Finds the user of a session. */
  async function find(request: FastifyRequest, signIn: string) {
    const found = await lookUpSender({ db, cache }, request, `sign-in ${signIn}`, () => findBySignIn(db, signIn));
    const now = clock();
    if (!found || found.expiresAt <= now) return null;
    if (isExtendedBy(found, now) && !extending.has(signIn)) {
      extending.add(signIn);
      afterResponse(() => extendSignIn(db, signIn, found.createdAt, now).finally(() => extending.delete(signIn)));
    }
    return found;
  }

  // A cookie always belongs to the same session, so its signature is verified only once.
  const signInByCookie = new Map<string, string | null>();
  function signInOf(cookie: string): string | null {
    const known = signInByCookie.get(cookie);
    if (known !== undefined) return known;
    const token = cookies.tokenOf(cookie);
    const signIn = token && signInId(token);
    if (signInByCookie.size >= MAX_COOKIES) signInByCookie.clear();
    if (cookie.length <= MAX_TOKEN_LENGTH) signInByCookie.set(cookie, signIn);
    return signIn;
  }

  return {
    async byCookie(request) {
      // A request with an API key is judged by the key alone.
      if (keyIn(request) !== null) return null;
      const { cookie } = request.headers;
      const signIn = cookie === undefined ? null : signInOf(cookie);
      const found = signIn && (await find(request, signIn));
      if (!found) return null;
      request.provenAt = found.provenAt;
      return found.user;
    },
    async byToken(request) {
      const [scheme, token, ...rest] = (request.headers.authorization ?? '').split(' ');
      if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0 || token.length > MAX_TOKEN_LENGTH)
        return null;
      const claims = await tokens.read(token);
      if (!claims) return null;
      const found = await find(request, claims.signIn);
      return found?.user.id === claims.userId ? found.user : null;
    },
  };
}
