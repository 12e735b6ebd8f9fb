import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { cookieName, cookieValue, isSecure } from './cookie.ts';
import { passwordSetAt } from './identity.store.ts';

const LIFETIME_S = 365 * 24 * 60 * 60;
/** How many accounts one browser is known for: people in a warehouse share computers. */
const MAX_ACCOUNTS = 8;
const MAX_MARK_LENGTH = 120;

/**
 * Recognises browsers that have logged in to an account before, so that they are not locked out when others guess its
 * password, and so that the owner hears of a login from any other. A cookie proves that and nothing else: it logs
 * nobody in and contains no name or address. It has one mark per account. Each browser has its own id, so its wrong
 * guesses count only against itself. A mark also names the time the password was set, and is void as soon as the
 * account has another password: whoever knew the old one gets no further attempts.
 */
export function knownBrowsers(config: Config, db: Db) {
  const name = `${cookieName(config)}.known`;
  const signatureOf = (secret: string, account: string, id: string, setAt: string) =>
    createHmac('sha256', secret).update(`known browser\n${account}\n${id}\n${setAt}`).digest();

  function marksIn(cookieHeader: string | undefined): string[] {
    const marks = (cookieValue(cookieHeader, name) ?? '').split('~');
    return marks.filter((mark) => mark !== '' && mark.length <= MAX_MARK_LENGTH).slice(0, MAX_ACCOUNTS);
  }

  /** Returns the parts of a mark if it was signed for this account. */
  function readMark(mark: string, account: string): { id: string; setAt: string; isCurrent: boolean } | null {
    const [id = '', setAt = '', signature = ''] = mark.split('.');
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== 32) return null;
    const isSignedWith = (secret: string) => timingSafeEqual(given, signatureOf(secret, account, id, setAt));
    const isCurrent = isSignedWith(config.secret);
    const isValid = isCurrent || (config.previousSecret !== null && isSignedWith(config.previousSecret));
    return isValid ? { id, setAt, isCurrent } : null;
  }

  /**
   * Returns the id of this browser, or null if it has not logged in to the account with its present password.
   * `isCurrent` is false if the previous secret signed the mark.
   */
  async function find(
    cookieHeader: string | undefined,
    account: string,
  ): Promise<{ id: string; isCurrent: boolean } | null> {
    const marks = marksIn(cookieHeader).flatMap((mark) => readMark(mark, account) ?? []);
    // The signature comes first, so an invented cookie costs no query.
    if (marks.length === 0) return null;
    const setAt = String(await passwordSetAt(db, account));
    return marks.find((mark) => mark.setAt === setAt) ?? null;
  }

  /**
   * Returns a cookie that makes this browser known to the account, and keeps it known to others. `setAt` is the time
   * the password was set, or null if the account has none. A browser that is already known keeps its id.
   */
  function cookieFor(
    cookieHeader: string | undefined,
    account: string,
    setAt: number | null,
    id = randomBytes(16).toString('base64url'),
  ): string {
    const mark = `${id}.${setAt}.${signatureOf(config.secret, account, id, String(setAt)).toString('base64url')}`;
    const others = marksIn(cookieHeader).filter((other) => readMark(other, account) === null);
    const secure = isSecure(config) ? '; Secure' : '';
    const value = [mark, ...others].slice(0, MAX_ACCOUNTS).join('~');
    return `${name}=${value}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  /** Makes the browser forget its mark. */
  const clearedCookie = () =>
    `${name}=; Max-Age=0; Path=/; HttpOnly${isSecure(config) ? '; Secure' : ''}; SameSite=Lax`;

  return { find, cookieFor, clearedCookie };
}
