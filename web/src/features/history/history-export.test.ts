import { expect, test } from 'vitest';
import { testEntry } from '../../testing.ts';
import { csvOfEntry } from './history-export.ts';

const entry = testEntry({
  id: 'e1',
  itemId: 'i1',
  itemName: '=HYPERLINK("http://evil.example")',
  kind: 'edited',
  delta: null,
  quantityAfter: null,
  changes: [
    { field: 'price', from: 10, to: 12.5 },
    { field: 'reorderPoint', from: null, to: 3 },
  ],
  by: { id: 'u1', name: '@Ana', isFormerMember: false, mark: '3F2A' },
  note: '+1 "counted"',
  undoneBy: 'e2',
});

test('no exported cell is a spreadsheet formula, and quotes are escaped', () => {
  expect(csvOfEntry(entry)).toBe(
    '"2026-05-14T10:00:00.000Z","edited","\'=HYPERLINK(""http://evil.example"")","","","\'@Ana","3F2A",' +
      '"price: 10 → 12.5\nreorderPoint:  → 3","","\'+1 ""counted""","","e2","","i1","e1"\r\n',
  );
});

test('a difference is exported as a number, with either sign', () => {
  const row = csvOfEntry({ ...entry, kind: 'undo', undoneKind: 'restock', delta: -3, quantityAfter: 4, changes: [] });
  expect(row).toContain('"undo (restock)"');
  expect(row).toContain(',-3,4,');
});

test('a correction is exported with its reason and its note', () => {
  const row = csvOfEntry({ ...entry, kind: 'correction', delta: -1, reason: 'breakage', note: 'Fell', changes: [] });
  expect(row).toContain(',"","breakage","Fell",');
});
