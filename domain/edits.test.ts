import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EditableField, type EditableItem, mergeEdit } from './edits.ts';

const anItem = fc.record<EditableItem>({
  name: fc.constantFrom('a', 'b', 'c'),
  priceCents: fc.constantFrom(1, 2, 3),
  imageUrl: fc.constantFrom('x', 'y'),
  description: fc.constantFrom('d', 'e'),
  supplierName: fc.constantFrom('s', 't'),
  email: fc.constantFrom('m', 'n'),
  reorderPoint: fc.constantFrom(null, 0, 5),
});
const fields = fc.uniqueArray(
  fc.constantFrom<EditableField>(
    'name',
    'priceCents',
    'imageUrl',
    'description',
    'supplierName',
    'email',
    'reorderPoint',
  ),
);
const only = (item: EditableItem, names: EditableField[]) =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

describe('an edit', () => {
  test('of fields nobody else touched is taken over whole', () => {
    fc.assert(
      fc.property(anItem, anItem, fields, (seen, wanted, names) => {
        const { changed, conflicts } = mergeEdit(seen, only(seen, names), only(wanted, names));
        expect(conflicts).toEqual([]);
        expect(changed).toEqual(names.filter((name) => wanted[name] !== seen[name]));
      }),
    );
  });

  test('conflicts exactly where somebody else made something else of the same field', () => {
    fc.assert(
      fc.property(anItem, anItem, anItem, fields, (seen, current, wanted, names) => {
        const { conflicts } = mergeEdit(current, only(seen, names), only(wanted, names));
        expect(conflicts).toEqual(
          names.filter((name) => seen[name] !== current[name] && wanted[name] !== current[name]),
        );
      }),
    );
  });

  test('that names no field it saw overrules whatever is there', () => {
    expect(mergeEdit({ ...({} as EditableItem), name: 'theirs' }, {}, { name: 'mine' })).toEqual({
      changed: ['name'],
      conflicts: [],
    });
  });
});
