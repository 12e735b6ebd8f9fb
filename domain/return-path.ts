const ANY_ORIGIN = 'http://a.invalid';
const UNSAFE = /[\u0000-\u0020\u007f-\u009f\\]/;

/**
 * The given path if it is on this site, with query and hash; otherwise '/'. Refuses anything a browser could read as
 * another site: two leading slashes, backslashes, control characters, and the same percent-encoded, once or several
 * times.
 */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 2_048 || !given.startsWith('/') || !given.isWellFormed()) return '/';
  if (UNSAFE.test(given)) return '/';
  const path = given.split(/[?#]/, 1)[0] ?? '';
  if (leavesSite(path)) return '/';
  const url = new URL(given, ANY_ORIGIN);
  // Browsers normalise "/.//x" to "//x".
  if (url.origin !== ANY_ORIGIN || leavesSite(url.pathname)) return '/';
  return given;
}

/**
 * Whether a browser could read the path as another site. Decodes percent-encoding several times, because a proxy or
 * router may do so too.
 */
function leavesSite(path: string): boolean {
  for (let decoded = path, round = 0; round < 5; round++) {
    if (decoded.startsWith('//') || UNSAFE.test(decoded)) return true;
    let next: string;
    try {
      next = decodeURIComponent(decoded);
    } catch {
      return true;
    }
    if (next === decoded) return false;
    decoded = next;
  }
  return true;
}
