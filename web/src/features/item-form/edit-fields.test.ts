import { describe, expect, test } from 'vitest';
import { type EditTexts, editOf, isEmptyEdit, isReorderPoint, mergeRemoteEdit } from './edit-fields.ts';

const seen: EditTexts = {
  name: 'Nuit',
  price: '96.50',
  imageUrl: '/bottles/oud-clair.svg',
  description: 'Long enough',
  supplierName: 'Verrière',
  email: 'a@example.com',
  reorderPoint: '',
  sku: '',
  barcodes: '4006381333931',
};
const typed = (change: Partial<EditTexts>): EditTexts => ({ ...seen, ...change });

describe('what an edit sends', () => {
  test('is only the changed fields, each with the value seen before', () => {
    expect(editOf(typed({ name: 'Jour', price: '58,50', reorderPoint: '1 200' }), seen)).toEqual({
      changes: { name: 'Jour', price: 58.5, reorderPoint: 1_200 },
      seen: { name: 'Nuit', price: 96.5, reorderPoint: null },
    });
  });

  test('is empty when values differ only in spelling', () => {
    expect(isEmptyEdit(editOf(typed({ price: '096,5', name: ' Nuit ', reorderPoint: ' ' }), seen))).toBe(true);
  });

  test('has the barcodes as a list and an emptied SKU as none', () => {
    expect(editOf(typed({ barcodes: '4006381333931\n\n A 1 ' }), typed({ sku: 'X' }))).toEqual({
      changes: { sku: null, barcodes: ['4006381333931', 'A 1'] },
      seen: { sku: 'X', barcodes: ['4006381333931'] },
    });
    expect(isEmptyEdit(editOf(typed({ barcodes: ' 4006381333931\n' }), seen))).toBe(true);
  });

  test('an emptied reorder point means the warehouse’s', () => {
    expect(editOf(typed({}), typed({ reorderPoint: '7' }))).toMatchObject({ changes: { reorderPoint: null } });
  });
});

test.each([
  ['', true],
  ['0', true],
  ['12', true],
  ['1.5', false],
  ['1,200', false],
  ['007', true],
  ['-1', false],
  ['2000000000', false],
  ['x', false],
])('%j is a reorder point: %j', (text, isOne) => {
  expect(isReorderPoint(text)).toBe(isOne);
});

describe('when somebody else changes the item', () => {
  test('an untouched field takes the new value', () => {
    expect(mergeRemoteEdit(typed({ price: '1' }), seen, typed({ name: 'Theirs' }))).toEqual({
      put: { name: 'Theirs' },
      seen: typed({ name: 'Theirs' }),
      conflicting: [],
    });
  });

  test('an edited field keeps its text and is reported as conflicting', () => {
    const followed = mergeRemoteEdit(typed({ name: 'Mine' }), seen, typed({ name: 'Theirs' }));
    expect(followed).toEqual({ put: {}, seen, conflicting: ['name'] });
  });

  test('the same value typed by both is no conflict', () => {
    const followed = mergeRemoteEdit(typed({ price: '12' }), seen, typed({ price: '12.00' }));
    expect(followed).toEqual({ put: {}, seen: typed({ price: '12.00' }), conflicting: [] });
  });
});
