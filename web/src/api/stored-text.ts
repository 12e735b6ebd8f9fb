/**
 * Texts that local storage did not accept because it is full or refused by the browser. They last as long as the tab.
 */
const inMemory = new Map<string, string>();

/** Stores a text. Returns whether it outlives the tab. */
export function storeText(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text);
    inMemory.delete(name);
    return true;
  } catch {
    inMemory.set(name, text);
    return false;
  }
}

/** Returns the names of the texts that begin like this and that local storage did not accept. */
export function namesOnlyInMemory(start: string): string[] {
  return [...inMemory.keys()].filter((name) => name.startsWith(start));
}

/** Returns a stored text. Memory comes first: local storage that is full still holds the previous text. */
export function storedText(name: string): string | null {
  try {
    return inMemory.get(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Returns the names of all stored texts that begin like this. */
export function storedNames(start: string): string[] {
  const names = new Set(inMemory.keys());
  try {
    for (const name of Object.keys(localStorage)) names.add(name);
  } catch {
    // The browser refuses storage, so everything is in memory.
  }
  return [...names].filter((name) => name.startsWith(start));
}

export function removeText(name: string): void {
  inMemory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // The browser refuses storage, so nothing is stored.
  }
}
