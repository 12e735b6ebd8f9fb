import { expect, test } from 'vitest';
import { ledgerHash } from './ledger-hash.ts';

const hashWith = (...reason: [reason?: string | null]) =>
  ledgerHash('', 'item', 2, 'id', 'correction', -3, 7, 'ana', 'Ana', 1_700_000_000_000, 'note', null, null, ...reason);

test('a movement without a reason keeps the hash it had before there were reasons', () => {
  const before = '6f94894ebcddc99427673f65ff2e6ff260804e3526053637a42690927ef907ab';
  expect([hashWith(), hashWith(null)]).toEqual([before, before]);
});

test('the hash covers the reason', () => {
  expect(new Set([hashWith(), hashWith('theft'), hashWith('breakage')]).size).toBe(3);
});
