/**
 * Texts that local storage did not accept because it is full or refused by the browser. They last as long as the tab.
 */
const inMemory = new Map<string, string>();

export function storeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
    inMemory.delete(name);
  } catch {
    inMemory.set(name, text);
  }
}

/** Returns a stored text. Memory comes first: local storage that is full still holds the previous text. */
export function storedText(name: string): string | null {
  try {
    return inMemory.get(name) ?? localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function removeText(name: string): void {
  inMemory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // The browser refuses storage, so nothing is stored.
  }
}
