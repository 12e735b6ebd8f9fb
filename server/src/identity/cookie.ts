import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { SIGN_IN_LIFETIME_MS } from './identity.store.ts';

/** Returns the key that signs cookies and links. Access tokens are signed with another key. */
export function identitySecret(config: Config): string {
  return createHmac('sha256', config.secret).update('identity').digest('base64url');
}

export function isSecure(config: Config): boolean {
  return config.publicUrl?.startsWith('https://') === true;
}

/**
 * Returns the name of the session cookie. The __Host- prefix, which needs https, keeps sibling subdomains from setting
 * it.
 */
export function cookieName(config: Config): string {
  return isSecure(config) ? '__Host-perfume' : 'perfume';
}

const MAX_COOKIE_LENGTH = 2_000;

/** Reads and writes the session cookie in better-auth's format: the token, a dot and its signature. */
export function signInCookies(config: Config) {
  const name = cookieName(config);
  const secret = identitySecret(config);
  const signatureOf = (text: string) => createHmac('sha256', secret).update(text).digest();

  /** Returns the token of a session cookie with a valid signature, else null. */
  function tokenOf(cookieHeader: string | undefined | null): string | null {
    const value = cookieValue(cookieHeader, name);
    if (!value || value.length > MAX_COOKIE_LENGTH) return null;
    const dot = value.lastIndexOf('.');
    const given = Buffer.from(value.slice(dot + 1), 'base64');
    const token = value.slice(0, dot);
    if (dot < 1 || given.length !== 32) return null;
    return timingSafeEqual(given, signatureOf(token)) ? token : null;
  }

  function signed(token: string): string {
    return `${name}=${encodeURIComponent(`${token}.${signatureOf(token).toString('base64')}`)}`;
  }

  function setCookie(token: string): string {
    const secure = isSecure(config) ? '; Secure' : '';
    return `${signed(token)}; Max-Age=${SIGN_IN_LIFETIME_MS / 1_000}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  }

  return { tokenOf, signed, setCookie };
}

export type SignInCookies = ReturnType<typeof signInCookies>;

/** Returns the value of the first cookie with that name, because browsers send the most specific one first. */
export function cookieValue(header: string | undefined | null, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const cookie = part.trim();
    if (!cookie.startsWith(`${name}=`)) continue;
    try {
      return decodeURIComponent(cookie.slice(name.length + 1)) || null;
    } catch {
      return null;
    }
  }
  return null;
}
