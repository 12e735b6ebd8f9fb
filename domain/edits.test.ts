import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EditableField, type EditableItem, editableFields, isSameValue, mergeEdit } from './edits.ts';

const anyItem = fc.record<EditableItem>({
  name: fc.constantFrom('a', 'b', 'c'),
  priceCents: fc.constantFrom(1, 2, 3),
  imageUrl: fc.constantFrom('x', 'y'),
  description: fc.constantFrom('d', 'e'),
  supplierName: fc.constantFrom('s', 't'),
  email: fc.constantFrom('m', 'n'),
  reorderPoint: fc.constantFrom(null, 0, 5),
  sku: fc.constantFrom(null, 'A'),
  barcodes: fc.array(fc.constantFrom('1', '2'), { maxLength: 2 }),
});
const fields = fc.uniqueArray(fc.constantFrom<EditableField>(...editableFields));
const pick = (item: EditableItem, names: EditableField[]) =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

describe('an edit', () => {
  test('is applied completely if nobody else changed its fields', () => {
    fc.assert(
      fc.property(anyItem, anyItem, fields, (seen, wanted, names) => {
        const { changed, conflicts } = mergeEdit(seen, pick(seen, names), pick(wanted, names));
        expect(conflicts).toEqual([]);
        expect(changed).toEqual(names.filter((name) => !isSameValue(wanted[name], seen[name])));
      }),
    );
  });

  test('conflicts only in fields that somebody else changed to another value', () => {
    fc.assert(
      fc.property(anyItem, anyItem, anyItem, fields, (seen, current, wanted, names) => {
        const { conflicts } = mergeEdit(current, pick(seen, names), pick(wanted, names));
        expect(conflicts).toEqual(
          names.filter((name) => !isSameValue(seen[name], current[name]) && !isSameValue(wanted[name], current[name])),
        );
      }),
    );
  });

  test('without seen values overwrites the current ones', () => {
    expect(mergeEdit({ ...({} as EditableItem), name: 'theirs' }, {}, { name: 'mine' })).toEqual({
      changed: ['name'],
      conflicts: [],
    });
  });
});

test('lists are the same with the same elements in the same order', () => {
  expect([isSameValue(['1', '2'], ['1', '2']), isSameValue(['1', '2'], ['2', '1']), isSameValue([], null)]).toEqual([
    true,
    false,
    false,
  ]);
});
