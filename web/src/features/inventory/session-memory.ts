/** What this tab remembers while it is open. A browser that refuses storage, or has none left, forgets sooner. */
export function readSession(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writeSession(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    forgetKept(name);
  }
}

/** An old text is worse than none. */
function forgetKept(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // There is no storage, so nothing old is in it.
  }
}
