import { withCheckDigit } from '@perfume/domain/codes';
import { modulesOf, type SymbolKind } from '@perfume/domain/labels';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawSymbol } from './draw-symbol.ts';

const widthOf = (kind: SymbolKind, code: string) => Number(drawSymbol(kind, code).viewBox.split(' ')[2]);
const ean = fc.integer({ min: 0, max: 10 ** 12 - 1 }).map((body) => withCheckDigit(String(body).padStart(12, '0')));
const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 80 });
const lettersAndDigits = fc.stringMatching(/^(?:[A-Z]{0,4}-?[0-9]{1,9}){1,3}$/);

test('an EAN-13 has 30 bars of whole modules, between quiet zones of 11 and 7', () => {
  const { path, viewBox } = drawSymbol('ean13', '4006381333931');
  expect(viewBox).toBe('-11 0 113 1');
  const bars = [...path.matchAll(/M(\S+) 0h(\S+)v1h-\S+z/g)].map(([, x, width]) => [Number(x), Number(width)]);
  expect(bars).toHaveLength(30);
  expect(bars[0]).toEqual([0, 1]);
  expect(bars.at(-1)).toEqual([94, 1]);
  expect(bars.flat().every(Number.isInteger)).toBe(true);
});

test('a UPC is drawn as the EAN-13 it stands for', () => {
  expect(drawSymbol('ean13', '036000291452').path).toBe(drawSymbol('ean13', '0036000291452').path);
});

test('a QR code is square', () => {
  expect(drawSymbol('qrcode', '2012345678900').viewBox).toBe('-4 -4 29 29');
});

test.each([
  ['ean13', ean],
  ['code128', ascii],
  ['code128', lettersAndDigits],
] as const)('a %s takes the modules that the label was laid out for', (kind, codes) => {
  fc.assert(
    fc.property(codes, (code) => {
      expect([code, widthOf(kind, code)]).toEqual([code, modulesOf(kind, code)]);
    }),
  );
});

test.each([
  ['qrcode', ascii],
  ['qrcode', fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })],
] as const)('a %s takes at most the modules that the label was laid out for', (kind, codes) => {
  fc.assert(
    fc.property(codes, (code) => {
      expect(widthOf(kind, code)).toBeLessThanOrEqual(modulesOf(kind, code));
    }),
    { numRuns: 40 },
  );
});
