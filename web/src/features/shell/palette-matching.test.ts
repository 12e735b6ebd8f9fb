import { expect, test } from 'vitest';
import { matches } from './palette-matching.ts';

test.each([
  ['Manage Inventory', 'man', true],
  ['Manage Inventory', 'inv', true],
  ['Manage Inventory', 'inv MAN', true],
  ['Manage Inventory', 'anage', false],
  ['Manage Inventory', 'man rose', false],
  ['Manage Inventory', '  ', true],
  ['Réglages', 'reg', true],
  ["Nuit d'Encre", 'encre', true],
  ['إدارة المخزون', 'المخ', true],
])('%s matches “%s”: %s', (text, typed, found) => {
  expect(matches(text, typed)).toBe(found);
});
