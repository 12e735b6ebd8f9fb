import { parseUnits } from '@perfume/domain/quantity';
import { foldForSearch } from '@perfume/domain/text';
import { readTypedNumber } from '@perfume/domain/typed-number';

export const verbs = ['deliver', 'receive', 'count', 'open'] as const;
type Verb = (typeof verbs)[number];

/** The words that start a command, as the catalogues list them: "restock, receive". */
export type VerbWords = Record<Verb, string>;

/** What a person typed after a verb. `units` is null if the number is not a whole number from 1 up. */
export type TypedCommand = { [One in Verb]: { verb: One; units: number | null; q: string } }[Verb];
/** A command about the stock of an item. */
export type StockCommand = Exclude<TypedCommand, { verb: 'open' }>;

/**
 * Reads a command such as "deliver 5 oud": a verb, for a delivery or restock a number, and what to look for. Without a
 * number it is one unit. Returns null for any other text, which is a search.
 */
export function readCommand(typed: string, spellings: VerbWords): TypedCommand | null {
  const typedWords = typed.trim().split(/\s+/);
  const found = verbs
    .flatMap((verb) => spellingsOf(spellings[verb]).map((words) => ({ verb, words })))
    .find(({ words }) => words.every((word, at) => foldForSearch(typedWords[at] ?? '') === word));
  if (!found) return null;
  const { verb } = found;
  const rest = typedWords.slice(found.words.length);
  const [first = '', ...others] = rest;
  const hasUnits = (verb === 'deliver' || verb === 'receive') && NUMBER.test(first);
  return {
    verb,
    units: hasUnits ? readUnits(first) : 1,
    q: (hasUnits ? others : rest).join(' '),
  };
}

/** The first word of each list, for the text that a command starts with. */
export function firstSpelling(spellings: string): string {
  return spellings.split(',', 1)[0] ?? '';
}

function spellingsOf(list: string): string[][] {
  return list.split(',').map((spelling) => foldForSearch(spelling).split(' '));
}

/** A number, also as "5x" or "x5", and with a sign, so that "-3" is refused and not looked for. */
const NUMBER = /^[x×]?[-−+]?\p{Nd}[\p{Nd}.,٬٫'’]*[x×]?$/iu;

function readUnits(text: string): number | null {
  const number = readTypedNumber(text.replace(/[x×]/giu, ''));
  return number.ok ? parseUnits(number.plain) : null;
}
