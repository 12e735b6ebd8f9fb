import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTypedNumber } from './typed-number.ts';

const plain = (text: string) => {
  const read = readTypedNumber(text);
  return read.ok ? read.plain : read.reason;
};

describe('a typed number', () => {
  test.each([
    ['58,50', '58.50'],
    ['58.50', '58.50'],
    ['58', '58'],
    [' 58 ', '58'],
    ['007', '7'],
    ['0', '0'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u202f234,50', '1234.50'],
    ['1’234.50', '1234.50'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1 234', '1234'],
    ['٥٨٫٥٠', '58.50'],
    ['٥٨,٥٠', '58.50'],
    ['٥٨،٥٠', '58.50'],
    ['\u200f١٬٢٣٤٫٥٠', '1234.50'],
    ['١٬٢٣٤', '1234'],
    ['۵۸٫۵۰', '58.50'],
    ['５８', '58'],
    ['1234,567', '1234.567'],
    ['0,234', '0.234'],
  ])('%j is %s', (text, number) => {
    expect(plain(text)).toBe(number);
  });

  test.each(['1,234', '1.234', '58,500', '١،٢٣٤'])('%j has two readings and is refused', (text) => {
    expect(plain(text)).toBe('ambiguous');
  });

  test.each([
    '',
    ' ',
    '.',
    ',',
    '5.',
    '1e3',
    '0x10',
    '-5',
    '+5',
    '12 34',
    '1,23,456',
    '1.234.5',
    '1,2,3',
    '1 234 5',
    'x',
  ])('%j is not a number', (text) => {
    expect(plain(text)).toBe('unreadable');
  });

  test('is accepted only if all notations that can read it give the same number', () => {
    const texts = fc
      .array(fc.constantFrom(...'0123456789.,٫٬ '), { minLength: 1, maxLength: 12 })
      .map((characters) => characters.join('').trim());
    fc.assert(
      fc.property(texts, (text) => {
        const read = readTypedNumber(text);
        const readings = new Set(notations.map((notation) => readBy(notation, text)).filter((one) => one !== null));
        if (read.ok) expect([...readings]).toEqual([Number(read.plain)]);
        else expect(readings.size).not.toBe(1);
      }),
      { numRuns: 2_000 },
    );
  });
});

type Notation = { decimal: string; group: string };
const notations: Notation[] = ['.', ',', '٫'].flatMap((decimal) =>
  ['.', ',', '٬', ' '].filter((group) => group !== decimal).map((group) => ({ decimal, group })),
);

/**
 * Reads a number in one notation: thousands in groups of three, at most one decimal separator. Null if the text does
 * not fit.
 */
function readBy({ decimal, group }: Notation, text: string): number | null {
  const [whole = '', fraction, ...more] = text.split(decimal);
  if (more.length > 0 || fraction === '' || (fraction !== undefined && !/^[0-9]+$/.test(fraction))) return null;
  if (whole === '' && fraction === undefined) return null;
  const [first = '', ...groups] = whole.split(group);
  const isGrouped =
    groups.length === 0 || (/^[1-9][0-9]{0,2}$/.test(first) && groups.every((one) => /^[0-9]{3}$/.test(one)));
  if (!isGrouped || !/^[0-9]*$/.test(first)) return null;
  return Number(`${first}${groups.join('')}.${fraction ?? '0'}`);
}
