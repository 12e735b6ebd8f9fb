import { safeReturnPath } from '@perfume/domain/return-path';
import { foldForSearch } from '@perfume/domain/text';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

// As long as a body may be. A pattern that goes back over what it has read would take hours for one of these, and the
// test would run out of its time.
const SIZE = 64 * 1024;
const units = [
  'a',
  ' ',
  '0',
  '-',
  '.',
  'a.',
  'a@',
  '@',
  '%2f',
  '/',
  '\\',
  '\n',
  '\u0301',
  '\ud800',
  '🌸',
  '1-',
  '+',
  '\u200b',
];
const busy = units.flatMap((unit) => {
  const text = unit.repeat(SIZE / unit.length);
  return [`${text}!`, `https://${text}`, `a@${text}\u0000`];
});

test('no text keeps a pattern of any route busy', () => {
  const judged = new Set<Endpoint>();
  for (const endpoint of endpoints) {
    for (const schema of [endpoint.query, endpoint.body]) {
      const shape = (schema as { shape?: Record<string, z.ZodMiniType> } | undefined)?.shape;
      if (!schema || !shape) continue;
      judged.add(endpoint);
      for (const text of busy) {
        const given = Object.fromEntries(Object.keys(shape).map((name) => [name, text]));
        // An edit and a list of ids hold their fields one level down.
        const deeper = { ...given, changes: given, seen: given, ids: [text], alerts: given };
        for (const value of [given, deeper]) expect(typeof schema.safeParse(value).success).toBe('boolean');
      }
    }
  }
  expect(judged.size).toBeGreaterThan(25);
}, 60_000);

test('nor do the texts of addresses and of the search', () => {
  for (const text of busy) {
    expect(safeReturnPath(text).startsWith('/')).toBe(true);
    expect(typeof foldForSearch(text.slice(0, 5_000))).toBe('string');
  }
});
