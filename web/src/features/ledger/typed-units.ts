import { checkTypedQuantity } from '@perfume/domain/items';
import { MAX_QUANTITY, parseUnits } from '@perfume/domain/quantity';
import { readTypedNumber } from '@perfume/domain/typed-number';

export type TypedUnits =
  | { ok: true; units: number }
  | { ok: false; reason: 'empty' | 'notPositive' | 'notWhole' }
  | { ok: false; reason: 'tooMany'; most: number };

/** Parses the units that a person typed to deliver or receive. `most` is how many can be added. */
export function readUnits(text: string, most: number = MAX_QUANTITY): TypedUnits {
  const entered = text.trim();
  if (entered === '') return { ok: false, reason: 'empty' };
  const number = readTypedNumber(entered);
  if (/^[-−]/.test(entered) || (number.ok && Number(number.plain) === 0)) return { ok: false, reason: 'notPositive' };
  if (!number.ok || number.plain.includes('.')) return { ok: false, reason: 'notWhole' };
  const units = parseUnits(number.plain);
  return units === null || units > most ? { ok: false, reason: 'tooMany', most } : { ok: true, units };
}

/** What a count says about the recorded quantity: `difference` is negative when units are missing. */
export type TypedCount = { ok: true; counted: number; difference: number } | { ok: false; empty: boolean };

/** Parses the quantity that a person counted. Zero is a count, too. */
export function readCount(text: string, recorded: number): TypedCount {
  const counted = checkTypedQuantity(text);
  if (!counted.ok) return { ok: false, empty: text.trim() === '' };
  return { ok: true, counted: counted.value, difference: counted.value - recorded };
}
