/** A number as somebody typed it, rewritten in plain digits with a point ("1234.5"), or why it cannot be read. */
export type TypedNumber = { ok: true; plain: string } | { ok: false; reason: 'ambiguous' | 'unreadable' };

// Characters that can only separate thousands: spaces, apostrophes and the Arabic thousands separator.
const THOUSANDS = " \u00a0\u2009\u202f'’٬";
const GROUPED = `[1-9][0-9]{0,2}(?<group>[${THOUSANDS}.,])[0-9]{3}(?:\\k<group>[0-9]{3})*`;
const NUMBER = new RegExp(`^(?<whole>[0-9]+|${GROUPED})?(?:(?<decimal>[.,٫])(?<fraction>[0-9]+))?$`);
const TWO_READINGS = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/;
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/**
 * Reads a number as people write it, by one rule for every language, so the same text never means two numbers:
 * - a point or a comma separates decimals or thousands, whichever is the only possible reading:
 *   "58,50" and "58.50" are equal, and so are "1,234.50" and "1.234,50";
 * - "1,234" and "1.234" have two readings and are refused;
 * - spaces, apostrophes and "٬" separate thousands, "٫" separates decimals;
 * - Arabic, Persian and full-width digits count as digits.
 */
export function readTypedNumber(typed: string): TypedNumber {
  const text = typed
    .replace(DIRECTION_MARKS, '')
    .trim()
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('،', ',');
  if (TWO_READINGS.test(text)) return { ok: false, reason: 'ambiguous' };
  const { whole = '', group, decimal, fraction } = NUMBER.exec(text)?.groups ?? {};
  if ((whole === '' && fraction === undefined) || (group !== undefined && group === decimal))
    return { ok: false, reason: 'unreadable' };
  const digits = whole.replace(/[^0-9]/g, '').replace(/^0+/, '') || '0';
  return { ok: true, plain: fraction === undefined ? digits : `${digits}.${fraction}` };
}
