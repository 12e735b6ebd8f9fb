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

/** More marks than any language puts on a letter. The last two become marks in the forms NFKC and NFKD. */
const TOO_MANY_MARKS = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;

/**
 * Returns the text in a normal form of Unicode. The time for that grows with the square of the number of marks on one
 * letter, so text with absurdly many stays as it is. `isSafeText` refuses it.
 */
export function inForm(form: 'NFC' | 'NFKC' | 'NFKD', text: string): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form);
}

/**
 * Whether a text is an address that `URL` can read. A host has at most 253 characters, and the time to read a longer one
 * grows with the square of its length, so those are refused first.
 */
export function isUrl(text: string): boolean {
  return !LONG_HOST.test(text) && !/[\t\n\r]/.test(text) && URL.canParse(text);
}
const LONG_HOST = /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]{300}/i;

/** The form in which text is stored and compared: composed (NFC) and trimmed. */
export function normalText(text: string): string {
  return inForm('NFC', text).trim();
}

// Characters that are never allowed: control characters except tab and line break, and marks that change the direction
// of text.
const NEVER = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const LINE_OR_TAB = /[\t\n\u2028\u2029]/;
const VISIBLE = /[^\s\p{Z}\p{Cf}]/u;

export function isSafeText(text: string): boolean {
  return !NEVER.test(text) && text.isWellFormed() && !TOO_MANY_MARKS.test(text);
}

export function isSafeLine(text: string): boolean {
  return isSafeText(text) && !LINE_OR_TAB.test(text);
}

/** Whether the text contains more than spaces and zero-width characters. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Text as search compares it: without case, accents or width, so "cotier" finds "Côtier". */
export function foldForSearch(text: string): string {
  return inForm('NFKD', text).replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
