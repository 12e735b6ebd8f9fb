import { plainNumberText } from './quantity.ts';

export const MAX_PRICE_CENTS = 1_000_000_000;

const PLAIN_PRICE = /^(0|[1-9][0-9]{0,7})(?:\.([0-9]{1,2}))?$/;

/** Reads a plain decimal with at most two places as cents, without floating point; null for anything else. */
export function parsePrice(input: unknown): number | null {
  const text = plainNumberText(input, 11);
  const match = text === null ? null : PLAIN_PRICE.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return cents <= MAX_PRICE_CENTS ? cents : null;
}

/** The price as a number on the wire: the double nearest to the cents, which prints with at most two decimals. */
export function priceNumber(cents: number): number {
  return cents / 100;
}

/** Writes a price such as "148.00": always two decimals, no grouping, whatever the language. */
export function priceText(cents: number): string {
  const whole = Math.trunc(cents / 100);
  return `${whole}.${String(cents % 100).padStart(2, '0')}`;
}

/** The database sums values in cents in two parts, billions and the remainder, so that neither sum overflows. */
export const BILLION = 1_000_000_000;

/** Joins the two parts of a sum. Exact up to 2^53, rounded beyond. */
export function centsOf(parts: { worth_e9: number; worth: number }): number {
  return parts.worth_e9 * BILLION + parts.worth;
}
