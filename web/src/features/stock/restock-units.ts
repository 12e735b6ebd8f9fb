import { MAX_QUANTITY, parseUnits } from '@perfume/domain/quantity';

export type RestockUnits =
  | { ok: true; units: number }
  | { ok: false; reason: 'empty' | 'notPositive' | 'notWhole' }
  | { ok: false; reason: 'tooMany'; most: number };

/**
 * What a person entered as imported stock. `unreadable` is the browser's word that there is something in the field
 * that is not a number; it then gives the text as ''.
 */
export function readRestock(text: string, unreadable: boolean, onHand: number): RestockUnits {
  const entered = text.trim();
  if (unreadable) return { ok: false, reason: 'notWhole' };
  if (entered === '') return { ok: false, reason: 'empty' };
  if (Number(entered) <= 0) return { ok: false, reason: 'notPositive' };
  const most = MAX_QUANTITY - onHand;
  const units = parseUnits(entered);
  if (units === null) {
    const isPlain = /^[1-9][0-9]*$/.test(entered);
    return isPlain ? { ok: false, reason: 'tooMany', most } : { ok: false, reason: 'notWhole' };
  }
  return units > most ? { ok: false, reason: 'tooMany', most } : { ok: true, units };
}
