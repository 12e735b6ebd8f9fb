import { describe, expect, test } from 'vitest';
import { shiftOf } from './use-scroll-anchor.ts';

const visible = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, index: 50 + at }));
const movedTo = (indexes: Record<string, number>) => (id: string) => indexes[id];

describe('the visible rows', () => {
  test('move down by as many rows as were inserted above them', () => {
    expect(shiftOf(visible, movedTo({ a: 53, b: 54, c: 55, d: 56 }))).toBe(3);
  });

  test('move up by as many rows as were removed above them', () => {
    expect(shiftOf(visible, movedTo({ a: 49, b: 50, c: 51, d: 52 }))).toBe(-1);
  });

  test('stay when a single one of them moves far away or is removed', () => {
    expect(shiftOf(visible, movedTo({ a: 9_000, b: 50, c: 51, d: 52 }))).toBe(-1);
    expect(shiftOf(visible, movedTo({ b: 51, c: 52, d: 53 }))).toBe(0);
  });

  test('stay when none of them is loaded any more', () => {
    expect(shiftOf(visible, movedTo({}))).toBe(0);
    expect(shiftOf([], movedTo({ a: 1 }))).toBe(0);
  });
});
