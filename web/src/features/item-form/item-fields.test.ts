import { describe, expect, test } from 'vitest';
import { fieldError, type ItemField, type ItemTexts, withCode } from './item-fields.ts';

describe('the error of a field', () => {
  test.each<[ItemField, string, string | undefined]>([
    ['name', ' ', 'required'],
    ['name', 'Iris', undefined],
    ['name', 'x'.repeat(201), 'too_long'],
    ['price', '', 'required'],
    ['price', '58,50', undefined],
    ['price', '1.005', 'ambiguous_price'],
    ['price', '1e3', 'not_a_price'],
    ['price', '.5', undefined],
    ['price', '-1', 'not_a_price'],
    ['quantity', '1.5', 'not_a_whole_number'],
    ['quantity', '007', undefined],
    ['quantity', '1,000', 'ambiguous_quantity'],
    ['imageUrl', 'javascript:alert(1)', 'not_a_web_address'],
    ['imageUrl', '/uploads/0a1b.webp', undefined],
    ['description', '', 'description_too_short'],
    ['description', '🌹'.repeat(49), 'description_too_short'],
    ['description', '🌹'.repeat(50), undefined],
    ['supplierName', '', 'required'],
    ['email', 'somebody', 'not_an_email'],
    ['sku', '', undefined],
    ['sku', '4006381333930', undefined],
    ['sku', 'x'.repeat(81), 'too_long'],
    ['barcodes', '', undefined],
    ['barcodes', '4006381333931\nA-1', undefined],
    ['barcodes', 'A-1\n4006381333930', 'wrong_check_digit'],
    ['barcodes', Array.from({ length: 21 }, (_, index) => `A${index}`).join('\n'), 'too_many'],
  ])('%s %j: %s', (name, text, wrong) => {
    expect(fieldError(name, text)).toBe(wrong);
  });
});

describe('a scanned code', () => {
  const texts = { sku: '', barcodes: 'A-1' } as ItemTexts;

  test.each([
    ['4006381333931', { sku: '', barcodes: 'A-1\n4006381333931' }],
    ['a-1', texts],
    // Eight digits that are no EAN: a number of the shop's own.
    ['12345678', { sku: '12345678', barcodes: 'A-1' }],
  ])('%s is added where it fits, and once', (code, expected) => {
    expect(withCode(texts, code)).toEqual(expected);
  });

  test('that cannot be a barcode is kept and shown as wrong if the item has another SKU', () => {
    expect(withCode({ ...texts, sku: 'X' }, '12345678')).toEqual({ sku: 'X', barcodes: 'A-1\n12345678' });
  });
});
