import { describe, expect, test } from 'vitest';
import { shiftOf } from './inventory-anchor.ts';

const seen = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, index: 50 + at }));
const standing = (places: Record<string, number>) => (id: string) => places[id];

describe('what one looks at', () => {
  test('moves down by as many rows as came above it', () => {
    expect(shiftOf(seen, standing({ a: 53, b: 54, c: 55, d: 56 }))).toBe(3);
  });

  test('moves up by as many rows as went above it', () => {
    expect(shiftOf(seen, standing({ a: 49, b: 50, c: 51, d: 52 }))).toBe(-1);
  });

  test('stays where one of its rows moves far away or goes', () => {
    expect(shiftOf(seen, standing({ a: 9_000, b: 50, c: 51, d: 52 }))).toBe(-1);
    expect(shiftOf(seen, standing({ b: 51, c: 52, d: 53 }))).toBe(0);
  });

  test('stays when nothing in sight is known any more', () => {
    expect(shiftOf(seen, standing({}))).toBe(0);
    expect(shiftOf([], standing({ a: 1 }))).toBe(0);
  });
});
