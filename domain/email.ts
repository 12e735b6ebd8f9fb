import { isSafeLine } from './safe-text.ts';
import { inForm } from './text.ts';

export const EMAIL_MAX = 254;
const MAX_LOCAL = 64;
const LOCAL = /^[^\s@"(),:;<>[\]\\]+$/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX || !isSafeLine(text)) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    local.length <= MAX_LOCAL &&
    LOCAL.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label))
  );
}

/**
 * The key by which addresses are compared. Spellings of one address that differ in width, case or Unicode composition
 * give the same key.
 */
export function emailKey(email: string): string {
  return inForm('NFKC', email).trim().toLowerCase();
}

/** The part of an address after the @, in the spelling by which addresses are compared. */
export function emailDomain(email: string): string {
  const key = emailKey(email);
  return key.slice(key.lastIndexOf('@') + 1);
}
