import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUANTITY, parseQuantity, parseUnits } from './quantity.ts';

describe('a quantity', () => {
  test('is a whole number from zero to the maximum, as a string or a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_QUANTITY }), (quantity) => {
        expect(parseQuantity(quantity)).toBe(quantity);
        expect(parseQuantity(String(quantity))).toBe(quantity);
      }),
    );
  });

  test.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '+1',
    '01',
    '1.0',
    '1e3',
    '-1',
    '-0',
    '١',
    '１',
    '0x10',
    '1_000',
    '1,000',
    '10000000000',
    '1000000001',
    'NaN',
    'Infinity',
    '٣',
  ])('refuses %j', (text) => {
    expect(parseQuantity(text)).toBeNull();
  });

  test.each([
    1.5,
    -1,
    2 ** 53 + 1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    false,
    [],
    [1],
    {},
    1n,
    Symbol('1'),
    new Date(0),
  ])('refuses values of other types', (value) => {
    expect(parseQuantity(value)).toBeNull();
  });

  test('accepts no second notation for the same number', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const quantity = parseQuantity(text);
        if (quantity !== null) expect(String(quantity)).toBe(text);
      }),
    );
  });
});

test('units to move are at least one', () => {
  expect([parseUnits('0'), parseUnits(0), parseUnits('1'), parseUnits(7)]).toEqual([null, null, 1, 7]);
});
