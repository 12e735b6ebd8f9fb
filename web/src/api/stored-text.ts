/** Texts that local storage did not take, because it is full or the browser refuses it. They last as long as the tab. */
const inMemory = new Map<string, string>();

export function storeText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
    inMemory.delete(name);
  } catch {
    inMemory.set(name, text);
  }
}

/** Full storage still holds the text before, so memory comes first. */
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
    // The browser refuses storage, so there is nothing in it.
  }
}
