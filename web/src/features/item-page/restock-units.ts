import { MAX_QUANTITY, parseUnits } from '@perfume/domain/quantity';
import { readTypedNumber } from '@perfume/domain/typed-number';

export type RestockUnits =
  | { ok: true; units: number }
  | { ok: false; reason: 'empty' | 'notPositive' | 'notWhole' }
  | { ok: false; reason: 'tooMany'; most: number };

/** Parses the units a person entered to restock. */
export function readRestock(text: string, onHand: number): RestockUnits {
  const entered = text.trim();
  if (entered === '') return { ok: false, reason: 'empty' };
  const number = readTypedNumber(entered);
  if (/^[-−]/.test(entered) || (number.ok && Number(number.plain) === 0)) return { ok: false, reason: 'notPositive' };
  if (!number.ok || number.plain.includes('.')) return { ok: false, reason: 'notWhole' };
  const most = MAX_QUANTITY - onHand;
  const units = parseUnits(number.plain);
  return units === null || units > most ? { ok: false, reason: 'tooMany', most } : { ok: true, units };
}
