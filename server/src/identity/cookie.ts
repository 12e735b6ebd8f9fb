import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';
import { SIGN_IN_LIFETIME_MS } from './identity.store.ts';

/** Derives the key that signs cookies and links. Access tokens are signed with another key. */
export function identitySecret(secret: string): string {
  return createHmac('sha256', secret).update('identity').digest('base64url');
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

/** better-auth waits as long for the answer of a provider. */
const PROVIDER_SECONDS = 600;

/** Reads and writes the session cookie in better-auth's format: the token, a dot and its signature. */
export function signInCookies(config: Config) {
  const name = cookieName(config);
  const secret = identitySecret(config.secret);
  const previousSecret = config.previousSecret && identitySecret(config.previousSecret);
  const signatureOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest();
  const isSignedWith = (key: string, { text, signature }: SignedValue) =>
    timingSafeEqual(signature, signatureOf(text, key));

  /** Returns the token of a session cookie with a valid signature, else null. */
  function tokenOf(cookieHeader: string | undefined | null): string | null {
    const value = signedValue(cookieHeader, name);
    if (!value) return null;
    const isValid = isSignedWith(secret, value) || (previousSecret !== null && isSignedWith(previousSecret, value));
    return isValid ? value.text : null;
  }

  function signed(text: string, cookie = name): string {
    return `${cookie}=${encodeURIComponent(`${text}.${signatureOf(text, secret).toString('base64')}`)}`;
  }

  /**
   * Replaces the signatures made with the previous secret in a Cookie header by current ones, because better-auth
   * accepts only the current secret.
   */
  function withCurrentSignatures(cookieHeader: string): string {
    if (previousSecret === null) return cookieHeader;
    return cookieHeader
      .split(';')
      .map((part) => {
        const cookie = part.slice(0, part.indexOf('=')).trim();
        const value = signedValue(part, cookie);
        return value && isSignedWith(previousSecret, value) ? signed(value.text, cookie) : part.trim();
      })
      .join('; ');
  }

  const attributes = `Path=/; HttpOnly${isSecure(config) ? '; Secure' : ''}; SameSite=Lax`;

  /** Without `rememberMe`, the cookie ends with the browser. */
  function setCookie(token: string, rememberMe = true): string {
    const lifetime = rememberMe ? `; Max-Age=${SIGN_IN_LIFETIME_MS / 1_000}` : '';
    return `${signed(token)}${lifetime}; ${attributes}`;
  }

  const briefName = `${name}.brief`;

  /** Notes, while a provider asks somebody to log in, that they do not want to be remembered. */
  function setBriefCookie(isBrief: boolean): string {
    return `${briefName}=yes; Max-Age=${isBrief ? PROVIDER_SECONDS : 0}; ${attributes}`;
  }

  function isBrief(cookieHeader: string | undefined): boolean {
    return cookieValue(cookieHeader, briefName) !== null;
  }

  return { tokenOf, signed, setCookie, setBriefCookie, isBrief, withCurrentSignatures };
}

export type SignInCookies = ReturnType<typeof signInCookies>;

type SignedValue = { text: string; signature: Buffer };

/** Splits the value of a cookie into text and signature, which is not verified here. */
function signedValue(cookieHeader: string | undefined | null, name: string): SignedValue | null {
  const value = cookieValue(cookieHeader, name);
  if (!value || value.length > MAX_COOKIE_LENGTH) return null;
  const dot = value.lastIndexOf('.');
  const signature = Buffer.from(value.slice(dot + 1), 'base64');
  return dot < 1 || signature.length !== 32 ? null : { text: value.slice(0, dot), signature };
}

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
