import { expect, test } from 'vitest';
import { personMark } from './person-mark.ts';

test('the mark of an account is the end of its id, so it never changes', () => {
  expect(personMark('01999f6e-52a1-7c3d-9b1e-0c5d6a7b3f2a')).toBe('7B3F2A');
});
