import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkBarcode,
  checkBarcodes,
  checkSku,
  codeKey,
  codeKeys,
  ean13Of,
  IN_STORE_CODES,
  inStoreCode,
  withCheckDigit,
} from './codes.ts';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });

describe('a barcode', () => {
  test.each(['4006381333931', '036000291452', '96385074', '00012345678905', '01234565', 'A-12', '12345', '(10)X'])(
    'may be %s',
    (code) => expect(checkBarcode(code)).toEqual({ ok: true, value: code }),
  );

  test.each([
    ['4006381333930', 1],
    ['036000291453', 2],
    ['96385075', 4],
    ['10012345678900', 2],
  ])('of %s must end with %i', (code, expected) => {
    expect(checkBarcode(code)).toEqual({ ok: false, error: { code: 'wrong_check_digit', digits: code, expected } });
  });

  test('of any 11, 12 or 13 digits is accepted with their check digit and no other', () => {
    fc.assert(
      fc.property(fc.constantFrom(11, 12, 13).chain(digits), (body) => {
        const right = withCheckDigit(body);
        const accepted = [...'0123456789'].filter((last) => checkBarcode(body + last).ok);
        expect(accepted).toEqual([right.at(-1)]);
      }),
    );
  });

  test('loses the spaces printed between its digits', () => {
    expect(checkBarcode(' 4 006381 333931 ')).toEqual({ ok: true, value: '4006381333931' });
  });

  test.each([']d20104006381333931\x1d21X9', '\x1d0104006381333931', '(01)04006381333931(21)X9', ']C10104006381333931'])(
    'of several fields is read as the item in it: %j',
    (scanned) => expect(checkBarcode(scanned)).toEqual({ ok: true, value: '04006381333931' }),
  );

  test.each(['', ' ', '\u200b', 'a\u0000b', 'a\nb', 'x'.repeat(81), 7, null])('is not %j', (code) => {
    expect(checkBarcode(code).ok).toBe(false);
  });
});

test('an item has at most 20 barcodes, and each once', () => {
  expect(checkBarcodes(['A 1', 'a1', '036000291452', '0036000291452'])).toEqual({
    ok: true,
    value: ['A 1', '036000291452'],
  });
  expect(checkBarcodes(Array.from({ length: 21 }, (_, index) => `A${index}`))).toEqual({
    ok: false,
    error: { code: 'too_many', max: 20 },
  });
  expect(checkBarcodes('A1')).toEqual({ ok: false, error: { code: 'wrong_type' } });
});

test('a SKU may be empty, and may have digits of any length', () => {
  expect([checkSku(null), checkSku('  '), checkSku(' 4006381333930 ')]).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
    { ok: true, value: '4006381333930' },
  ]);
});

describe('the key of a code', () => {
  test.each([
    ['036000291452', '0036000291452'],
    ['036000291452', '00036000291452'],
    ['01234565', '012345000065'],
    ['01278907', '012000007897'],
    ['Ab 12', 'aB12'],
    ['４００６３８１３３３９３１', '4006381333931'],
    [']d20104006381333931\x1d17271231', '4006381333931'],
  ])('is the same for %s and %s', (one, other) => expect(codeKey(one)).toBe(codeKey(other)));

  test.each([
    ['12', '012'],
    ['4006381333931', '4006381333930'],
    ['AB-1', 'AB1'],
  ])('differs for %s and %s', (one, other) => expect(codeKey(one)).not.toBe(codeKey(other)));

  test('is its own key, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 90 }), digits(13), digits(8)), (text) => {
        expect(codeKey(codeKey(text))).toBe(codeKey(text));
      }),
    );
  });

  test('is listed once per item, in a fixed order', () => {
    expect(codeKeys({ sku: 'B', barcodes: ['036000291452', 'b', 'A'] })).toEqual(['00036000291452', 'a', 'b']);
    expect(codeKeys({ sku: null, barcodes: [] })).toEqual([]);
  });
});

test('an EAN-13 and a UPC are printed as 13 digits, other codes are not', () => {
  expect(['4006381333931', '036000291452'].map(ean13Of)).toEqual(['4006381333931', '0036000291452']);
  expect(['4006381333930', '96385074', '04006381333931', 'A-12', ''].map(ean13Of)).toEqual(Array(5).fill(null));
});

test('a code of ours is an EAN-13 that begins with 2, another one for each number', () => {
  expect([0, 1, IN_STORE_CODES - 1].map(inStoreCode)).toEqual(['2000000000008', '2000000000015', '2999999999991']);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: IN_STORE_CODES - 1 }), (number) => {
      const code = inStoreCode(number);
      expect(checkBarcode(code)).toEqual({ ok: true, value: code });
      expect(ean13Of(code)).toBe(code);
      expect(Number(code.slice(1, -1))).toBe(number);
    }),
  );
});
