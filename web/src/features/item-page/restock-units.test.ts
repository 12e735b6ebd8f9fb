import { describe, expect, test } from 'vitest';
import { readRestock } from './restock-units.ts';

describe('the units of a restock', () => {
  test.each([
    ['1', 1],
    ['12', 12],
    [' 12 ', 12],
    ['05', 5],
    ['007', 7],
    ['1 234', 1_234],
    ['1,234,567', 1_234_567],
    ['٣', 3],
    ['1000000000', 1_000_000_000],
  ])('%s is accepted', (text, units) => {
    expect(readRestock(text, 0)).toEqual({ ok: true, units });
  });

  test.each(['', '   '])('"%s" is empty', (text) => {
    expect(readRestock(text, 42)).toEqual({ ok: false, reason: 'empty' });
  });

  test.each(['0', '-1', '-0', '-2.5', '0.0', '-1,234', '−3', '000', '٠'])('%s is not positive', (text) => {
    expect(readRestock(text, 42)).toEqual({ ok: false, reason: 'notPositive' });
  });

  test.each(['2.5', '2,5', '1e3', '0x10', 'twelve', '1,000', '1.000', '12 34'])(
    '%s is not a plain whole number',
    (text) => {
      expect(readRestock(text, 42)).toEqual({ ok: false, reason: 'notWhole' });
    },
  );

  test.each(['999999959', '1000000001', '99999999999999999999'])('%s on top of 42 exceeds the maximum', (text) => {
    expect(readRestock(text, 42)).toEqual({ ok: false, reason: 'tooMany', most: 999_999_958 });
  });

  test('that reaches the maximum exactly is accepted', () => {
    expect(readRestock('999999958', 42)).toEqual({ ok: true, units: 999_999_958 });
  });
});
