const ELSEWHERE = 'http://a.invalid';
const UNSAFE = /[\u0000-\u0020\u007f-\u009f\\]/;

/**
 * A path of ours to come back to, query and hash included, or '/'. Whatever a browser could read as another site is
 * not one: two leading slashes, backslashes, controls, and the same written with percent signs, once or more often.
 */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 2_048 || !given.startsWith('/') || !given.isWellFormed()) return '/';
  if (UNSAFE.test(given)) return '/';
  const path = given.split(/[?#]/, 1)[0] ?? '';
  if (leavesUs(path)) return '/';
  const url = new URL(given, ELSEWHERE);
  // As browsers normalise it: "/.//x" becomes "//x".
  if (url.origin !== ELSEWHERE || leavesUs(url.pathname)) return '/';
  return given;
}

/** Peels the percent signs off: some proxy or router on the way may do the same. */
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
