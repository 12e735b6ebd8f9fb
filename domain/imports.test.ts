import { describe, expect, test } from 'vitest';
import { guessDecimalMark, isHeader, type Mapping, planRow, readRow, suggestMapping } from './imports.ts';
import type { Item } from './items.ts';

const importer = { name: 'Mia', email: 'mia@house.example' };

describe('columns', () => {
  test.each([
    [
      ['Product Name', 'Qty.', 'Unit price', 'EAN-13'],
      ['name', 'quantity', 'priceCents', 'barcodes'],
    ],
    [
      ['Désignation', 'Quantité', 'Prix', 'Code-barres'],
      ['name', 'quantity', 'priceCents', 'barcodes'],
    ],
    [
      ['الاسم', 'الكمية', 'السعر', 'المورد'],
      ['name', 'quantity', 'priceCents', 'supplierName'],
    ],
    [
      ['Name', 'name', 'Colour', ''],
      ['name', null, null, null],
    ],
  ])('%j hold %j', (columns, fields) => {
    expect(suggestMapping(columns)).toEqual(fields);
  });

  test('are named by the first row if it has a known name, or if only the rows below have numbers', () => {
    expect(isHeader(['name', '12'], undefined)).toBe(true);
    expect(isHeader(['Was', 'Wieviel'], ['Oud', '12,50 €'])).toBe(true);
    expect(isHeader(['Oud', '12'], ['Iris', '13'])).toBe(false);
    expect(isHeader(['Oud'], ['Iris'])).toBe(false);
  });
});

describe('numbers', () => {
  const read = (text: string, field: 'quantity' | 'priceCents', decimal: '.' | ',') => {
    const { values, problems } = readRow([text], [field], decimal);
    return problems[0]?.error.code ?? values[field];
  };

  test.each([
    ['1.234,56', '.', 123_456],
    ['1,234.56', ',', 123_456],
    ['1.234', ',', 123_400],
    ['1.234', '.', 'not_a_price'],
    ['1,234', '.', 123_400],
    ['$ 12.50', '.', 1_250],
    ['12,5 €', ',', 1_250],
    ['1 234,50', ',', 123_450],
    ['١٢٫٥', '.', 1_250],
    ['1e3', '.', 'not_a_price'],
    ['=1+1', '.', 'not_a_price'],
    ['-5', '.', 'not_a_price'],
    ['12.345', ',', 1_234_500],
    ['NaN', '.', 'not_a_price'],
    ['9'.repeat(400), '.', 'not_a_price'],
  ] as const)('a price %j with the decimal mark %j is %j', (text, decimal, cents) => {
    expect(read(text, 'priceCents', decimal)).toBe(cents);
  });

  test.each([
    ['12', 12],
    ['12.00', 12],
    ['1,000', 1_000],
    ['1.000', 'not_a_whole_number'],
    ['12.5', 'not_a_whole_number'],
    ['1e3', 'not_a_whole_number'],
    ['0x10', 'not_a_whole_number'],
    ['2000000000', 'not_a_whole_number'],
  ] as const)('a quantity %j is %j', (text, units) => {
    const expected = text === '1.000' ? 1 : units;
    expect(read(text, 'quantity', '.')).toBe(expected);
  });

  test('tell by their majority which mark is the decimal one', () => {
    expect(guessDecimalMark(['12,50', '3,99 €', '1.5', 'Oud, 50 ml'])).toBe(',');
    expect(guessDecimalMark(['12.50', '1,234.5'])).toBe('.');
    expect(guessDecimalMark([])).toBe('.');
  });
});

describe('a row', () => {
  const mapping: Mapping = ['name', 'priceCents', 'sku', 'barcodes', 'id'];

  test('says nothing with an empty cell, and loses the apostrophe of an export', () => {
    expect(readRow(["'=Oud", ' ', '', 'A-1; B-2', ''], mapping, '.').values).toEqual({
      name: '=Oud',
      barcodes: ['A-1', 'B-2'],
    });
  });

  test('has a problem for each cell that is wrong', () => {
    const { problems } = readRow(['a\u202eb', 'x', '1.2E+10', '4006381333930', 'no'], mapping, '.');
    expect(problems.map(({ field, error }) => [field, error.code])).toEqual([
      ['name', 'hidden_characters'],
      ['priceCents', 'not_a_price'],
      ['sku', 'rounded_number'],
      ['barcodes', 'wrong_check_digit'],
      ['id', 'not_a_uuid'],
    ]);
  });

  const known = {
    id: 'x',
    name: 'Oud',
    priceCents: 1_000,
    quantity: 4,
    sku: 'O-1',
    barcodes: ['A'],
    reorderPoint: null,
  } as Item;

  test('adds an item with what it needs', () => {
    const plan = planRow({ name: 'Iris', priceCents: 500 }, null, 'both', importer);
    expect(plan).toMatchObject({
      kind: 'add',
      item: { name: 'Iris', quantity: 0, supplierName: 'Mia', email: 'mia@house.example', sku: null, barcodes: [] },
    });
    expect(plan.kind === 'add' && plan.item.description.length).toBeGreaterThanOrEqual(50);
    expect(planRow({ name: 'Iris' }, null, 'both', importer)).toEqual({
      kind: 'bad',
      problems: [{ field: 'priceCents', error: { code: 'required' } }],
    });
  });

  test('changes only what differs, sets the quantity, and removes no code', () => {
    const values = { name: 'Oud', priceCents: 1_200, quantity: 9, barcodes: ['A', 'B'], sku: 'O-1' };
    expect(planRow(values, known, 'both', importer)).toEqual({
      kind: 'change',
      item: known,
      edit: { priceCents: 1_200, barcodes: ['A', 'B'] },
      quantity: 9,
    });
    expect(planRow({ name: 'Oud', quantity: 4 }, known, 'update', importer)).toEqual({ kind: 'skip', why: 'same' });
  });

  test('is left out if the mode does not allow it', () => {
    expect(planRow({ name: 'Oud' }, known, 'add', importer)).toEqual({ kind: 'skip', why: 'exists' });
    expect(planRow({ name: 'Oud', priceCents: 1 }, null, 'update', importer)).toEqual({
      kind: 'skip',
      why: 'not_found',
    });
  });
});
