import { describe, expect, test } from 'vitest';
import { hasMoved, mustReload } from './must-reload.ts';

const ines = { id: '1', email: 'ines@example.com', name: 'Ines', image: null, emailVerified: true };
const tomas = { ...ines, id: '2', email: 'tomas@example.com' };
const unverified = { ...ines, emailVerified: false };

describe('the page reloads only when data of another verified user may be in memory', () => {
  test.each([
    ['signed out elsewhere', ines, null, true],
    ['somebody else signed in', ines, tomas, true],
    ['nothing happened', ines, ines, false],
    ['a new picture', ines, { ...ines, image: 'https://example.com/a.png' }, false],
    ['signed in elsewhere', null, ines, false],
    ['asked for the first time', undefined, ines, false],
    ['the address was verified', unverified, ines, false],
    ['the unverified sign-in ended', unverified, null, false],
  ] as const)('%s', (_, before, now, then) => {
    expect(mustReload(before, now)).toBe(then);
  });
});

describe('the page of another house is opened', () => {
  const inA = { ...ines, house: { id: 'a', name: 'Atelier', role: 'keeper' } } as const;
  test.each([
    ['another house was entered elsewhere', inA, { ...inA, house: { ...inA.house, id: 'b' } }, true],
    ['the user was removed from the only house', inA, { ...inA, house: null }, true],
    ['a new role shows at once', inA, { ...inA, house: { ...inA.house, role: 'viewer' } }, false],
    ['the first house was opened by the first request', ines, inA, false],
    ['everybody shares one house', ines, ines, false],
  ] as const)('%s', (_, before, now, then) => {
    expect(hasMoved(before, now)).toBe(then);
  });
});
