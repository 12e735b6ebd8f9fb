import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids sort in the order in which they were made, also within a millisecond', () => {
  const now = Date.UTC(2026, 4, 20);
  const ids = Array.from({ length: 4_000 }, (_, index) => newId(now + Math.floor(index / 2_000)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
