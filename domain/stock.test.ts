import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_QUANTITY } from './quantity.ts';
import { applyDelta, deliverLabel, differenceSeen, homeBadge, listBadge, saleStatus, stockState } from './stock.ts';

describe('one stock, three wordings', () => {
  test.each([
    [0, 'Stock Out', 'Out of stock', 'Sold out', 'Sold Out', 'out'],
    [1, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'low'],
    [10, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'low'],
    [11, 'In Stock', 'In Stock', 'Sold Available', 'Delivered', 'in'],
  ])('%i units', (quantity, home, list, sale, button, state) => {
    expect([
      homeBadge(quantity),
      listBadge(quantity),
      saleStatus(quantity),
      deliverLabel(quantity),
      stockState(quantity),
    ]).toEqual([home, list, sale, button, state]);
  });
});

describe('the shelf', () => {
  const quantity = fc.integer({ min: 0, max: MAX_QUANTITY });

  test('is never below zero and never beyond counting, whatever is asked', () => {
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

  test('differences seen by two people commute', () => {
    fc.assert(
      fc.property(quantity, fc.nat(50), fc.nat(50), (base, a, b) => {
        const one = differenceSeen(base + a, base).delta;
        const two = differenceSeen(base + b, base).delta;
        expect(base + one + two).toBe(base + two + one);
        expect(one + two).toBe(a + b);
      }),
    );
  });

  test('less than was seen is a delivery, more a restock', () => {
    expect([differenceSeen(41, 42), differenceSeen(50, 42)]).toEqual([
      { kind: 'deliver', delta: -1 },
      { kind: 'restock', delta: 8 },
    ]);
  });
});
