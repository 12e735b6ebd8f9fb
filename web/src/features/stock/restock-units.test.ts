import { describe, expect, test } from 'vitest';
import { readRestock } from './restock-units.ts';

describe('imported stock', () => {
  test.each([
    ['1', 1],
    ['12', 12],
    [' 12 ', 12],
    ['1000000000', 1_000_000_000],
  ])('%s is a number of units', (text, units) => {
    expect(readRestock(text, false, 0)).toEqual({ ok: true, units });
  });

  test.each(['', '   '])('"%s" is nothing', (text) => {
    expect(readRestock(text, false, 42)).toEqual({ ok: false, reason: 'empty' });
  });

  test.each(['0', '-1', '-0', '-2.5', '0.0', '-1e3'])('%s is not positive', (text) => {
    expect(readRestock(text, false, 42)).toEqual({ ok: false, reason: 'notPositive' });
  });

  test.each(['2.5', '1e3', '0x10', 'twelve', '1,000', '007', '12 34', '٣'])('%s is no plain whole number', (text) => {
    expect(readRestock(text, false, 42)).toEqual({ ok: false, reason: 'notWhole' });
  });

  test('that the browser cannot read is not taken for an empty field', () => {
    expect(readRestock('', true, 42)).toEqual({ ok: false, reason: 'notWhole' });
  });

  test.each(['999999959', '1000000001', '99999999999999999999'])('%s on top of 42 is beyond counting', (text) => {
    expect(readRestock(text, false, 42)).toEqual({ ok: false, reason: 'tooMany', most: 999_999_958 });
  });

  test('that fills the shelf to the last place fits', () => {
    expect(readRestock('999999958', false, 42)).toEqual({ ok: true, units: 999_999_958 });
  });
});
