export const MAX_QUANTITY = 1_000_000_000;

const PLAIN_WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,9})$/;

/** Reads "0" or a whole number without sign, leading zero, point or exponent. Anything else is null. */
export function parseQuantity(input: unknown): number | null {
  const text = plainNumberText(input, 10);
  if (text === null || !PLAIN_WHOLE_NUMBER.test(text)) return null;
  const quantity = Number(text);
  return quantity <= MAX_QUANTITY ? quantity : null;
}

/** Reads the units of a stock movement: a whole number, at least one. Anything else is null. */
export function parseUnits(input: unknown): number | null {
  const units = parseQuantity(input);
  return units === 0 ? null : units;
}

/**
 * The text of a number or a string; null for anything else, and for a text that is too long. Numbers are converted to
 * text, so that both follow one rule and the lenient conversions of `Number` ("", null, true, " 1", "0x10" …) never
 * apply.
 */
export function plainNumberText(input: unknown, maxLength: number): string | null {
  const text = typeof input === 'number' ? String(input) : input;
  return typeof text === 'string' && text.length <= maxLength ? text : null;
}
