/**
 * Whether every typed word is the start of a word of the text: "man inv" matches "Manage Inventory". Ignores accents
 * and case.
 */
export function matches(text: string, typed: string): boolean {
  const words = wordsIn(text);
  return wordsIn(typed).every((part) => words.some((word) => word.startsWith(part)));
}

function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
