/** Reads from the tab's session storage. Returns null if nothing is saved or the browser refuses access to storage. */
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

/** Removes the old value after a failed write, because no value is better than a stale one. */
function removeStale(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // The browser refuses access to storage, so there is no stale value either.
  }
}
