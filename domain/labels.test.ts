import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withCheckDigit } from './codes.ts';
import {
  labelCode,
  labelsPerPage,
  layOut,
  MARGIN,
  modulesOf,
  OWN_SIZE,
  oneLabel,
  placeLabels,
  repeatItems,
  type Sheet,
  sheets,
} from './labels.ts';

const length = fc.double({ min: OWN_SIZE.min, max: OWN_SIZE.max, noNaN: true });
const size = fc.record({ width: length, height: length });
const anySheet: fc.Arbitrary<Sheet> = fc.oneof(fc.constantFrom(...Object.values(sheets)), size.map(oneLabel));
const anyEan = fc.integer({ min: 0, max: 10 ** 12 - 1 }).map((body) => withCheckDigit(String(body).padStart(12, '0')));
const anyCode = fc.oneof(anyEan, fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }));

describe('labels on sheets', () => {
  test('are all placed, none leaves its page, none overlaps another', () => {
    fc.assert(
      fc.property(anySheet, fc.integer({ min: 0, max: 90 }), fc.nat(), (sheet, count, seed) => {
        const first = seed % labelsPerPage(sheet);
        const pages = placeLabels(sheet, count, first);
        expect(pages.flat().map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, index) => index));
        const { page, label } = sheet;
        for (const places of pages) {
          expect(places.length).toBeGreaterThan(0);
          for (const [at, { x, y }] of places.entries()) {
            expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9);
            expect(x + label.width).toBeLessThanOrEqual(page.width + 1e-9);
            expect(y + label.height).toBeLessThanOrEqual(page.height + 1e-9);
            for (const other of places.slice(0, at))
              expect(Math.abs(other.x - x) >= label.width - 1e-9 || Math.abs(other.y - y) >= label.height - 1e-9).toBe(
                true,
              );
          }
        }
      }),
    );
  });

  test('begin at the first free position, and continue on the next page', () => {
    const pages = placeLabels(sheets['a4-70x37'], 3, 22);
    expect(pages).toEqual([
      [
        { index: 0, x: 70, y: 259.5 },
        { index: 1, x: 140, y: 259.5 },
      ],
      [{ index: 2, x: 0, y: 0.5 }],
    ]);
  });

  test('are where the makers of the sheets cut them', () => {
    const [[firstA4] = []] = placeLabels(sheets['a4-38x21'], 1);
    expect(firstA4?.x).toBeCloseTo(4.75);
    expect(firstA4?.y).toBeCloseTo(10.7);
    const [[, secondLetter] = []] = placeLabels(sheets['letter-67x25'], 2);
    expect(secondLetter?.x).toBeCloseTo(4.7625 + 69.85);
    expect(secondLetter?.y).toBeCloseTo(12.7);
  });
});

test('an item is labelled with its first barcode, or else with its SKU', () => {
  expect(labelCode({ sku: 'A-1', barcodes: ['4006381333931', '96385074'] })).toBe('4006381333931');
  expect(labelCode({ sku: 'A-1', barcodes: [] })).toBe('A-1');
  expect(labelCode({ sku: null, barcodes: [] })).toBeNull();
});

test('each item gets one label, a number, or as many as on hand, and there are at most 2,000', () => {
  const items = [{ quantity: 2 }, { quantity: 0 }, { quantity: 1_000_000_000 }];
  const [two, none, many] = items;
  expect(repeatItems(items, 1)).toEqual({ labels: items, total: 3 });
  expect(repeatItems(items, 2)).toEqual({ labels: [two, two, none, none, many, many], total: 6 });
  const { labels, total } = repeatItems(items, 'onHand');
  expect([labels.length, total, labels[1], labels[2]]).toEqual([2_000, 1_000_000_002, two, many]);
});

describe('the symbol of a label', () => {
  const small = { width: 38.1, height: 21.2 };

  test.each([
    ['4006381333931', 'ean13'],
    ['036000291452', 'ean13'],
    ['96385074', 'code128'],
    ['PW-1', 'code128'],
    ['OUD-CLAIR-EAU-DE-PARFUM-50', 'qrcode'],
    ['عطر-١', 'qrcode'],
  ])('of %s on a small label is %s', (code, kind) => {
    expect(layOut(small, code, 'barcode', true)).toMatchObject({ kind, isReadable: true });
    expect(layOut(small, code, 'qr', true)).toMatchObject({ kind: 'qrcode', isReadable: true });
  });

  test('is a barcode where its bars are wide enough, otherwise a QR code', () => {
    const wide = { width: 101.6, height: 50.8 };
    expect(layOut(wide, 'OUD-CLAIR-EAU-DE-PARFUM-50', 'barcode', true).kind).toBe('code128');
    expect(layOut({ width: 31.2, height: 20 }, '4006381333931', 'barcode', true).kind).toBe('qrcode');
    expect(layOut({ width: 31.3, height: 20 }, '4006381333931', 'barcode', true).kind).toBe('ean13');
  });

  test('always fits, and its bars are at least a quarter of a millimetre, or it is reported as too small', () => {
    fc.assert(
      fc.property(size, anyCode, fc.constantFrom('barcode', 'qr'), fc.boolean(), (label, code, wanted, hasText) => {
        const { kind, width, isReadable } = layOut(label, code, wanted, hasText);
        expect(width).toBeLessThanOrEqual(label.width - 2 * MARGIN);
        if (kind === 'qrcode') expect(width).toBeLessThanOrEqual(label.height - 2 * MARGIN);
        expect(isReadable).toBe(width / modulesOf(kind, code) >= 0.25);
      }),
    );
  });

  test('of a long code on a tiny label is reported as too small', () => {
    expect(layOut({ width: 15, height: 15 }, 'x'.repeat(80), 'barcode', true).isReadable).toBe(false);
  });
});
