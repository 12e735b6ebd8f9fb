/** Fallback for when local storage is full or refused by the browser. It lasts as long as the tab. */
const inMemory = new Map<string, string>();

export function storeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
    inMemory.delete(name);
  } catch {
    inMemory.set(name, text);
  }
}

/** Memory comes first: storage that is full still holds the previous text. */
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
