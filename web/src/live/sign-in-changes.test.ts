import { describe, expect, test } from 'vitest';
import { afterLookingAgain } from './sign-in-changes.ts';

const ines = { id: '1', email: 'ines@example.com', name: 'Ines', image: null, emailVerified: true };
const tomas = { ...ines, id: '2', email: 'tomas@example.com' };
const unverified = { ...ines, emailVerified: false };

describe('when the server names another person than the page knew', () => {
  test.each([
    ['signed out elsewhere', ines, null, 'start anew'],
    ['somebody else signed in', ines, tomas, 'start anew'],
    ['nothing happened', ines, ines, 'go on'],
    ['a new picture', ines, { ...ines, image: 'https://example.com/a.png' }, 'go on'],
    ['signed in elsewhere', null, ines, 'go on'],
    ['asked for the first time', undefined, ines, 'go on'],
    ['the address was verified', unverified, ines, 'go on'],
    ['the unverified sign-in ended', unverified, null, 'go on'],
  ] as const)('%s', (_, before, now, then) => {
    expect(afterLookingAgain(before, now)).toBe(then);
  });
});
