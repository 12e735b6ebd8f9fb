import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { cookieName, cookieValue, isSecure } from './cookie.ts';

const LASTS_S = 365 * 24 * 60 * 60;

/**
 * A browser that once signed in to an account is not held up by guesses others make on it. The cookie says only that;
 * it signs nobody in, and names nobody. Each browser has a mark of its own: its guesses count against itself alone.
 */
export function knownBrowsers(config: Config) {
  const name = `${cookieName(config)}.known`;
  const sealOf = (account: string, mark: string) =>
    createHmac('sha256', config.secret).update(`known browser\n${account}\n${mark}`).digest();

  /** Null: this browser has not signed in to the account before. */
  function markOf(cookieHeader: string | undefined, account: string): string | null {
    const [mark = '', seal = ''] = (cookieValue(cookieHeader, name) ?? '').split('.');
    const given = Buffer.from(seal, 'base64url');
    return given.length === 32 && timingSafeEqual(given, sealOf(account, mark)) ? mark : null;
  }

  function cookieFor(account: string): string {
    const secure = isSecure(config) ? '; Secure' : '';
    const mark = randomBytes(16).toString('base64url');
    const seal = sealOf(account, mark).toString('base64url');
    return `${name}=${mark}.${seal}; Max-Age=${LASTS_S}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  return { markOf, cookieFor };
}
