import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { cookieName, cookieValue, isSecure } from './cookie.ts';

const LASTS_S = 365 * 24 * 60 * 60;

/**
 * A browser that once signed in to an account is not held up by guesses others make on it. The cookie says only that;
 * it signs nobody in, and names nobody.
 */
export function knownBrowsers(config: Config) {
  const name = `${cookieName(config)}.known`;
  const markOf = (account: string) => createHmac('sha256', config.secret).update(`known browser\n${account}`).digest();

  function isKnown(cookieHeader: string | undefined, account: string): boolean {
    const given = Buffer.from(cookieValue(cookieHeader, name) ?? '', 'base64url');
    return given.length === 32 && timingSafeEqual(given, markOf(account));
  }

  function cookieFor(account: string): string {
    const secure = isSecure(config) ? '; Secure' : '';
    const mark = markOf(account).toString('base64url');
    return `${name}=${mark}; Max-Age=${LASTS_S}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  return { isKnown, cookieFor };
}
