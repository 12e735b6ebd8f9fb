import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBarcodes, checkSku } from './codes.ts';
import { csvLine, withApostrophe } from './csv.ts';
import { cellsOfItem, itemHead } from './exports.ts';
import { readRow, suggestMapping } from './imports.ts';
import type { Item } from './items.ts';

const item: Item = {
  id: '01990000-0000-7000-8000-000000000001',
  name: 'Rose "Noire", No. 3',
  supplierName: 'Verrière',
  email: 'a@example.com',
  quantity: 12,
  priceCents: 14_850,
  description: 'First line\nsecond; line, long enough to be the description of an item',
  imageUrl: '/bottles/rose.svg',
  version: 3,
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  updatedAt: Date.UTC(2026, 1, 3),
  reorderPoint: null,
  sku: 'RN-3',
  barcodes: ['4006381333931', 'A 1'],
  lowAt: 10,
};

describe('an exported item', () => {
  test('is one line, with unquoted numbers', () => {
    expect(csvLine(itemHead)).toBe(
      '"name","supplier","quantity","price","sku","barcodes","reorder point","description","image","e-mail","id"\r\n',
    );
    expect(csvLine(cellsOfItem(item))).toBe(
      '"Rose ""Noire"", No. 3","Verrière",12,148.50,"RN-3","4006381333931; A 1","",' +
        '"First line\nsecond; line, long enough to be the description of an item","/bottles/rose.svg",' +
        '"a@example.com","01990000-0000-7000-8000-000000000001"\r\n',
    );
  });

  const aCode = fc.oneof(
    fc.string({ unit: fc.constantFrom(';', '|', '=', "'", '-', 'a', '7', '"', ' '), minLength: 1, maxLength: 12 }),
    fc.string({ minLength: 1, maxLength: 12 }),
  );
  const aSku = aCode.filter((code) => checkSku(code).ok);
  const someBarcodes = fc
    .array(aCode, { maxLength: 4 })
    .map((codes) => checkBarcodes(codes))
    .filter((checked) => checked.ok)
    .map(({ value }) => value);

  test('is read as the same item, whatever its codes are', () => {
    fc.assert(
      fc.property(aSku, someBarcodes, fc.option(fc.nat(1_000_000_000)), (sku, barcodes, reorderPoint) => {
        const checkedSku = checkSku(sku);
        const exported = { ...item, sku: checkedSku.ok ? checkedSku.value : null, barcodes, reorderPoint };
        const cells = cellsOfItem(exported).map((cell) =>
          typeof cell === 'object' ? cell.plain : withApostrophe(String(cell)),
        );
        const { values, problems } = readRow(cells, suggestMapping(itemHead), '.');
        expect(problems).toEqual([]);
        const { version: _, createdAt, updatedAt, lowAt, ...fields } = exported;
        expect({ reorderPoint: null, sku: null, barcodes: [], ...values }).toEqual(fields);
      }),
    );
  });
});
