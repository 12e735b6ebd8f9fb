import { describe, expect, test } from 'vitest';
import { readCount, readUnits } from './typed-units.ts';

describe('typed units', () => {
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
    expect(readUnits(text)).toEqual({ ok: true, units });
  });

  test.each(['', '   '])('"%s" is empty', (text) => {
    expect(readUnits(text, 999_999_958)).toEqual({ ok: false, reason: 'empty' });
  });

  test.each(['0', '-1', '-0', '-2.5', '0.0', '-1,234', '−3', '000', '٠'])('%s is not positive', (text) => {
    expect(readUnits(text, 999_999_958)).toEqual({ ok: false, reason: 'notPositive' });
  });

  test.each(['2.5', '2,5', '1e3', '0x10', 'twelve', '1,000', '1.000', '12 34'])(
    '%s is not a plain whole number',
    (text) => {
      expect(readUnits(text, 999_999_958)).toEqual({ ok: false, reason: 'notWhole' });
    },
  );

  test.each(['999999959', '1000000001', '99999999999999999999'])('%s is more than can be added', (text) => {
    expect(readUnits(text, 999_999_958)).toEqual({ ok: false, reason: 'tooMany', most: 999_999_958 });
  });

  test('that reach the maximum exactly are accepted', () => {
    expect(readUnits('999999958', 999_999_958)).toEqual({ ok: true, units: 999_999_958 });
  });
});

describe('a typed count', () => {
  test.each([
    ['9', 9, -3],
    ['12', 12, 0],
    ['0', 0, -12],
    [' ١٥ ', 15, 3],
  ])('%s is compared with the recorded 12', (text, counted, difference) => {
    expect(readCount(text, 12)).toEqual({ ok: true, counted, difference });
  });

  test.each([
    ['', true],
    ['-1', false],
    ['2.5', false],
    ['1,000', false],
    ['1000000001', false],
    ['a dozen', false],
  ])('"%s" is refused', (text, empty) => {
    expect(readCount(text, 12)).toEqual({ ok: false, empty });
  });
});
