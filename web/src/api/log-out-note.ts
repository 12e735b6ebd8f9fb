import { removeText, storedText, storeText } from './stored-text.ts';

/** Holds the id of the user who logs out, until the server has ended the session. The id is random. */
const NAME = 'loggingOut';
/** Longer than any session lasts. */
const YEAR = 31_536_000;

/**
 * Notes that this user logs out. If local storage has no room, the note is a cookie: a reload without it would open the
 * session for the next person.
 */
export function noteLoggingOut(userId: string): void {
  if (!storeText(NAME, userId)) setCookie(encodeURIComponent(userId), YEAR);
}

/** Returns the id of the user who logs out; null if nobody does. */
export function loggingOut(): string | null {
  return storedText(NAME) ?? noteInCookie();
}

/** Whether the note is also there after a reload. */
export function isLogOutKept(): boolean {
  try {
    return localStorage.getItem(NAME) !== null || noteInCookie() !== null;
  } catch {
    return noteInCookie() !== null;
  }
}

export function forgetLoggingOut(): void {
  removeText(NAME);
  if (noteInCookie() !== null) setCookie('', 0);
}

/** The name of the cookie. Over https, the `__Host-` prefix makes browsers refuse a cookie set by a sibling domain. */
function cookieName(): string {
  return location.protocol === 'https:' ? `__Host-${NAME}` : NAME;
}

function setCookie(value: string, maxAge: number): void {
  if (typeof document === 'undefined') return;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in two of the browsers we support
  document.cookie = `${cookieName()}=${value}; path=/; max-age=${maxAge}; samesite=strict${secure}`;
}

function noteInCookie(): string | null {
  if (typeof document === 'undefined') return null;
  const found = new RegExp(`(?:^|; )${cookieName()}=([^;]+)`).exec(document.cookie)?.[1];
  return found === undefined ? null : decodeURIComponent(found);
}
