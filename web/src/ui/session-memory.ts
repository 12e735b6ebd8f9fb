/** Session storage for one tab. Browsers may refuse storage or run out of it: then nothing is remembered. */
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
    removeStale(name);
  }
}

/** No value is better than a stale one. */
function removeStale(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Without storage there is nothing stale.
  }
}
