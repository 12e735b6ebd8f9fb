import { inForm } from '@perfume/domain/text';
import { dictionary } from '@zxcvbn-ts/language-common';

/** The 49,000 most common passwords of published breaches, most common first, in lower case. */
const BREACHED = dictionary['passwords-common'];

/** Words that an attacker would try for this product, and a few that the list above lacks. */
const OWN_WORDS = [
  ...['perfume', 'perfumes', 'perfumer', 'parfum', 'fragrance', 'scent', 'musk', 'cologne', 'bottle'],
  ...['warehouse', 'inventory', 'stock', 'storage', 'dealer', 'supplier'],
  ...['login', 'passphrase', 'superuser', 'welcomeback', 'pwd', 'abc', 'may', 'red', 'god'],
  ...['twitter', 'instagram', 'linkedin', 'fortnite', 'roblox', 'bmw'],
];
const common = new Set([...BREACHED, ...OWN_WORDS]);
/** Two of these in a row make a common password. Pairs from the whole list would rule out too many good ones. */
const commonInPairs = new Set([...BREACHED.slice(0, 10_000), ...OWN_WORDS]);

const KEYBOARD_WALKS = [
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  'qazwsxedcrfvtgbyhnujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8',
  '1a2b3c4d5e6f7g8h',
  '147258369',
  '789456123',
  '741852963',
  '159753456852',
];
const paths = KEYBOARD_WALKS.flatMap((walk) => [walk.repeat(2), [...walk].reverse().join('').repeat(2)]);

/** Substitutions people use for letters. */
const SUBSTITUTES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};

/**
 * Whether a password is common or a variation of a common one: in upper or lower case, with a few digits or signs
 * around it, with the usual substitutions (@ for a, 0 for o), two common ones in a row, a repetition, a walk over the
 * keyboard, or a date.
 */
export function isCommonPassword(password: string): boolean {
  const text = inForm('NFKC', password).toLowerCase().replace(/\s/g, '');
  const word = withoutAffixes(text);
  return (
    common.has(text) ||
    isDate(text) ||
    isRepeated(text) ||
    isWalk(text) ||
    isWalk(word) ||
    isCommonWord(word) ||
    isCommonWord(withoutSubstitutes(word))
  );
}

function withoutSubstitutes(word: string): string {
  return withoutAffixes(word.replace(/[@4310!$5]/g, (sign) => SUBSTITUTES[sign] ?? sign));
}

function isCommonWord(word: string): boolean {
  if (word === '' || common.has(word)) return true;
  for (let cut = 3; cut <= word.length - 3; cut++) {
    if (commonInPairs.has(word.slice(0, cut)) && commonInPairs.has(word.slice(cut))) return true;
  }
  return false;
}

function isRepeated(text: string): boolean {
  return /^(.{1,10}?)\1+$/u.test(text);
}

/** Removes the few digits and signs that people put around a word. */
function withoutAffixes(text: string): string {
  return text.replace(/^[!-@[-`{-~]{0,4}/, '').replace(/[!-@[-`{-~]{0,6}$/, '');
}

function isWalk(text: string): boolean {
  if (text.length >= 4 && paths.some((path) => path.includes(text))) return true;
  // Several short walks in a row, such as qwerty12345 and abc123456.
  const pieces = text.match(/[a-z]+|[0-9]+|[^a-z0-9]+/g) ?? [];
  return (
    pieces.length > 1 &&
    pieces.every((piece) => piece.length <= 1 || /^(.)\1+$/.test(piece) || paths.some((path) => path.includes(piece)))
  );
}

function isDate(text: string): boolean {
  return /^(?:[0-9]{8}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|[0-9]{4}[./-][0-9]{1,2}[./-][0-9]{1,2})$/.test(text);
}

/** Whether the whole password is the person's name, their email address, or the part before or after its @. */
export function isPersonal(password: string, person: { email: string; name: string }): boolean {
  const fold = (text: string) =>
    inForm('NFKC', text)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const [local = '', domain = ''] = person.email.split('@');
  const given = fold(password);
  return [person.email, local, domain, person.name].some((own) => fold(own) !== '' && fold(own) === given);
}
