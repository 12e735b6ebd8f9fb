import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { cookieName, cookieValue, isSecure } from './cookie.ts';
import { passwordSetAt } from './identity.store.ts';

const LIFETIME_S = 365 * 24 * 60 * 60;

/**
 * Recognises browsers that have logged in to an account before, so that they are not locked out when others guess its
 * password. A cookie proves that and nothing else: it logs nobody in and contains no name or address. Each browser has its own
 * id, so its wrong guesses count only against itself. The cookie also names the time the password was set, and is void
 * as soon as the account has another password: whoever knew the old one gets no further attempts.
 */
export function knownBrowsers(config: Config, db: Db) {
  const name = `${cookieName(config)}.known`;
  const signatureOf = (secret: string, account: string, id: string, setAt: string) =>
    createHmac('sha256', secret).update(`known browser\n${account}\n${id}\n${setAt}`).digest();

  /**
   * Returns the id of this browser, or null if it has not logged in to the account with its present password.
   * `isCurrent` is false if the previous secret signed the cookie.
   */
  async function find(
    cookieHeader: string | undefined,
    account: string,
  ): Promise<{ id: string; isCurrent: boolean } | null> {
    const [id = '', setAt = '', signature = ''] = (cookieValue(cookieHeader, name) ?? '').split('.');
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== 32) return null;
    const isSignedWith = (secret: string) => timingSafeEqual(given, signatureOf(secret, account, id, setAt));
    const isCurrent = isSignedWith(config.secret);
    // The signature comes first, so an invented cookie costs no query.
    if (!isCurrent && !(config.previousSecret !== null && isSignedWith(config.previousSecret))) return null;
    return setAt === String(await passwordSetAt(db, account)) ? { id, isCurrent } : null;
  }

  /**
   * Returns a cookie for the account as it is now, or null if it has no password. A browser that is already known keeps
   * its id.
   */
  async function cookieFor(account: string, id = randomBytes(16).toString('base64url')): Promise<string | null> {
    const setAt = await passwordSetAt(db, account);
    if (setAt === null) return null;
    const secure = isSecure(config) ? '; Secure' : '';
    const signature = signatureOf(config.secret, account, id, String(setAt)).toString('base64url');
    return `${name}=${id}.${setAt}.${signature}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  /** Makes the browser forget its mark. */
  const clearedCookie = () =>
    `${name}=; Max-Age=0; Path=/; HttpOnly${isSecure(config) ? '; Secure' : ''}; SameSite=Lax`;

  return { find, cookieFor, clearedCookie };
}
