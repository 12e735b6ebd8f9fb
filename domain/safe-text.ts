import { hasTooManyMarks } from './text.ts';

// Characters that are never allowed: control characters except tab and line break, and marks that change the direction
// of text.
const NEVER = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const LINE_OR_TAB = /[\t\n\u2028\u2029]/;
const VISIBLE = /[^\s\p{Z}\p{Cf}]/u;

export function isSafeText(text: string): boolean {
  return !NEVER.test(text) && text.isWellFormed() && !hasTooManyMarks(text);
}

export function isSafeLine(text: string): boolean {
  return isSafeText(text) && !LINE_OR_TAB.test(text);
}

/** Whether the text contains more than spaces and zero-width characters. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * Whether a text is an address that `URL` can read. A host has at most 253 characters, and the time to read a longer one
 * grows with the square of its length, so those are refused first.
 */
export function isUrl(text: string): boolean {
  return !LONG_HOST.test(text) && !/[\t\n\r]/.test(text) && URL.canParse(text);
}
const LONG_HOST = /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]{300}/i;
