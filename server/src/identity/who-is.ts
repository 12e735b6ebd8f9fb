import type { User } from '@perfume/contract/identity';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import type { Memory } from '../db/remember.ts';
import { momentOf } from '../http/moment.ts';
import type { WhoIs } from '../http/session.ts';
import type { accessTokens } from './access-token.ts';
import type { SignInCookies } from './cookie.ts';
import { findBySignIn, signInId } from './identity.store.ts';

const LONGEST_TOKEN = 2_000;
const ENTRY_BYTES = 500;

export function whoIsFrom(
  db: Db,
  memory: Memory,
  cookies: SignInCookies,
  clock: () => number,
  tokens: ReturnType<typeof accessTokens>,
): WhoIs {
  /** Looking remembers; a change asks the store itself, which under many changes would have to be asked anyway. */
  async function find(request: FastifyRequest, signIn: string): Promise<User | null> {
    const look = () => findBySignIn(db, signIn);
    const found =
      request.method === 'GET'
        ? await memory.remember(momentOf(memory, request), `sign-in ${signIn}`, look, () => ENTRY_BYTES)
        : await look();
    return found && found.expiresAt > clock() ? found.user : null;
  }

  return {
    async byCookie(request) {
      const token = cookies.tokenOf(request.headers.cookie);
      return token ? find(request, signInId(token)) : null;
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
