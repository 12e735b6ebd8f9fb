import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyDelta, differenceSeen } from './ledger.ts';
import { MAX_QUANTITY } from './quantity.ts';

describe('a quantity', () => {
  const quantity = fc.integer({ min: 0, max: MAX_QUANTITY });

  test('never goes below zero or above the maximum, whatever the difference', () => {
    fc.assert(
      fc.property(quantity, fc.integer({ min: -2 * MAX_QUANTITY, max: 2 * MAX_QUANTITY }), (onHand, delta) => {
        const fits = applyDelta(onHand, delta);
        if (fits.ok)
          expect(fits.after).toSatisfy(
            (after: number) => after >= 0 && after <= MAX_QUANTITY && after - onHand === delta,
          );
        else expect(fits.reason).toBe(delta < 0 ? 'out_of_stock' : 'over_full');
      }),
    );
  });

  test('is the same whichever of two changes comes first', () => {
    fc.assert(
      fc.property(quantity, fc.nat(50), fc.nat(50), (base, a, b) => {
        const one = differenceSeen(base + a, base).delta;
        const two = differenceSeen(base + b, base).delta;
        expect(base + one + two).toBe(base + two + one);
        expect(one + two).toBe(a + b);
      }),
    );
  });

  test('set below the quantity that was seen is a delivery, above it a restock', () => {
    expect([differenceSeen(41, 42), differenceSeen(50, 42)]).toEqual([
      { kind: 'deliver', delta: -1 },
      { kind: 'restock', delta: 8 },
    ]);
  });

  test('set with a reason is a correction, whichever way it goes', () => {
    expect([differenceSeen(41, 42, 'breakage'), differenceSeen(50, 42, 'miscount')]).toEqual([
      { kind: 'correction', delta: -1, reason: 'breakage' },
      { kind: 'correction', delta: 8, reason: 'miscount' },
    ]);
  });
});
