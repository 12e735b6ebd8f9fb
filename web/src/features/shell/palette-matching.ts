import { foldForSearch } from '@perfume/domain/text';

/**
 * Whether every typed word is the start of a word of the text: "man inv" matches "Manage Inventory". Ignores accents
 * and case.
 */
export function matches(text: string, typed: string): boolean {
  const words = wordsIn(text);
  return wordsIn(typed).every((part) => words.some((word) => word.startsWith(part)));
}

function wordsIn(text: string): string[] {
  return foldForSearch(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
