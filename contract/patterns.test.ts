import { safeReturnPath } from '@perfume/domain/return-path';
import { foldForSearch } from '@perfume/domain/text';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

// The length of the texts: the size limit of a body. A pattern with catastrophic backtracking would need hours for one
// of them, and the test would time out.
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
  // Thirty marks on each letter, which is the most that is allowed.
  `a${'\u0316\u0301'.repeat(15)}`,
];
// Different letters, as many as a host can have: the time to read it grows with the square of their number.
const longHost = String.fromCodePoint(...Array.from({ length: 5_461 }, (_, n) => 0x4e00 + n));
const manyMarks = `a${'\u0300'.repeat(SIZE / 4)}${'\u0316'.repeat(SIZE / 4)}`;
const slowTexts = [
  ...units.flatMap((unit) => {
    const text = unit.repeat(SIZE / unit.length);
    return [`${text}!`, `https://${text}`, `a@${text}\u0000`];
  }),
  // Read slowly, each of these takes a tenth of a second in some endpoint, which is more than a minute in all.
  ...Array.from({ length: 60 }, () => [`https://${longHost}`, `https:////${longHost}`, manyMarks]).flat(),
];

test('no text slows down a pattern of any endpoint', () => {
  const checked = new Set<Endpoint>();
  for (const endpoint of endpoints) {
    for (const schema of [endpoint.query, endpoint.body]) {
      const shape = (schema as { shape?: Record<string, z.ZodMiniType> } | undefined)?.shape;
      if (!schema || !shape) continue;
      checked.add(endpoint);
      for (const text of slowTexts) {
        const body = Object.fromEntries(Object.keys(shape).map((name) => [name, text]));
        // Some bodies have their fields one level deeper.
        const nested = { ...body, changes: body, seen: body, ids: [text], alerts: body };
        for (const value of [body, nested]) expect(typeof schema.safeParse(value).success).toBe('boolean');
      }
    }
  }
  expect(checked.size).toBeGreaterThan(25);
}, 60_000);

test('no text slows down the return path or search', () => {
  for (const text of slowTexts) {
    expect(safeReturnPath(text).startsWith('/')).toBe(true);
    expect(typeof foldForSearch(text.slice(0, 5_000))).toBe('string');
  }
});
