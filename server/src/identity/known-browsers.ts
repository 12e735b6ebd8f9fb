import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { cookieName, cookieValue, isSecure } from './cookie.ts';

const LIFETIME_S = 365 * 24 * 60 * 60;

/**
 * Recognises browsers that have logged in to an account before, so that they are not locked out when others guess its
 * password. A cookie proves that and nothing else: it logs nobody in and contains no name or address. Each browser has its own
 * id, so its wrong guesses count only against itself.
 */
export function knownBrowsers(config: Config) {
  const name = `${cookieName(config)}.known`;
  const signatureOf = (account: string, id: string) =>
    createHmac('sha256', config.secret).update(`known browser\n${account}\n${id}`).digest();

  /** Returns the id of this browser, or null if it has not logged in to the account before. */
  function idOf(cookieHeader: string | undefined, account: string): string | null {
    const [id = '', signature = ''] = (cookieValue(cookieHeader, name) ?? '').split('.');
    const given = Buffer.from(signature, 'base64url');
    return given.length === 32 && timingSafeEqual(given, signatureOf(account, id)) ? id : null;
  }

  function cookieFor(account: string): string {
    const secure = isSecure(config) ? '; Secure' : '';
    const id = randomBytes(16).toString('base64url');
    const signature = signatureOf(account, id).toString('base64url');
    return `${name}=${id}.${signature}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  return { idOf, cookieFor };
}
