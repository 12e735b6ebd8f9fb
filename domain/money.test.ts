import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PRICE_CENTS, parsePrice, priceNumber, priceText } from './money.ts';

const anyCents = fc.integer({ min: 0, max: MAX_PRICE_CENTS });

describe('a price', () => {
  test('is the same cents after conversion to a number or a text and back', () => {
    fc.assert(
      fc.property(anyCents, (cents) => {
        expect(parsePrice(priceNumber(cents))).toBe(cents);
        expect(parsePrice(JSON.parse(JSON.stringify(priceNumber(cents))))).toBe(cents);
        expect(parsePrice(priceText(cents))).toBe(cents);
      }),
    );
  });

  test('is never rounded: more than two decimals are refused', () => {
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 1, max: 9 }), (cents, digit) => {
        expect(parsePrice(`${priceText(cents)}${digit}`)).toBeNull();
      }),
    );
  });

  test.each([
    0.1 + 0.2,
    1.005,
    1e-7,
    1e21,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    10_000_000.01,
    '1.',
    '.5',
    '1,5',
    '00',
    '1e2',
    ' 1',
    '$1',
    '',
    null,
    true,
    [1],
  ])('refuses %j', (value) => {
    expect(parsePrice(value)).toBeNull();
  });

  test('is read from a number or a text', () => {
    expect([parsePrice(100), parsePrice('99.99'), parsePrice('0.1'), parsePrice(0)]).toEqual([10_000, 9_999, 10, 0]);
  });
});
