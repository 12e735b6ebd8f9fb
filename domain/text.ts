/** Counts Unicode characters, so that an emoji such as 🌸 is one character, although JavaScript stores it as two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The first `count` characters; an emoji is never cut in half. */
export function firstCharacters(text: string, count: number): string {
  let end = 0;
  for (const character of text) {
    if (count-- <= 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

const PREVIEW_LENGTH = 50;

/** The preview of a description on an item's card: the first 50 characters and an ellipsis. */
export function descriptionPreview(description: string): string {
  return `${firstCharacters(description, PREVIEW_LENGTH)}…`;
}

/** More marks than any language puts on a letter. The last two become marks in the forms NFKC and NFKD. */
const TOO_MANY_MARKS = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;
/** No mark comes before U+0300, and this is much faster to find. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Returns the text in a normal form of Unicode. The time for that grows with the square of the number of marks on one
 * letter, so text with absurdly many stays as it is. `isSafeText` refuses it.
 */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return hasTooManyMarks(text) ? text : text.normalize(form);
}

export function hasTooManyMarks(text: string): boolean {
  return MAY_HAVE_MARKS.test(text) && TOO_MANY_MARKS.test(text);
}

/** The form in which text is stored and compared: composed (NFC) and trimmed. */
export function normalText(text: string): string {
  return inForm('NFC', text).trim();
}

/** Text as search compares it: without case, accents or width, so "cotier" finds "Côtier". */
export function foldForSearch(text: string): string {
  const bare = BEYOND_ASCII.test(text) ? inForm('NFKD', text).replace(/\p{M}/gu, '') : text;
  return bare.toLowerCase().replace(/\s+/g, ' ').trim();
}
