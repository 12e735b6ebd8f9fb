const ELSEWHERE = 'http://a.invalid';
const UNSAFE = /[\u0000-\u0020\u007f-\u009f\\]/;

/**
 * A path on this site to return to, with query and hash, or '/'. Refuses anything a browser could read as another site:
 * two leading slashes, backslashes, control characters, and the same percent-encoded, once or several times.
 */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 2_048 || !given.startsWith('/') || !given.isWellFormed()) return '/';
  if (UNSAFE.test(given)) return '/';
  const path = given.split(/[?#]/, 1)[0] ?? '';
  if (leavesUs(path)) return '/';
  const url = new URL(given, ELSEWHERE);
  // Browsers normalise "/.//x" to "//x".
  if (url.origin !== ELSEWHERE || leavesUs(url.pathname)) return '/';
  return given;
}

/** Decodes percent-encoding repeatedly, because a proxy or router may do so too. */
function leavesUs(path: string): boolean {
  for (let layer = path, peels = 0; peels < 5; peels++) {
    if (layer.startsWith('//') || UNSAFE.test(layer)) return true;
    let next: string;
    try {
      next = decodeURIComponent(layer);
    } catch {
      return true;
    }
    if (next === layer) return false;
    layer = next;
  }
  return true;
}
