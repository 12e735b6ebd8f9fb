import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlertKind, crossing, lastDigestTime, stillNews } from './alerts.ts';
import { stockState } from './stock.ts';

const units = fc.integer({ min: 0, max: 30 });

describe('a change of stock', () => {
  test.each([
    [11, 10, 10, 'low'],
    [11, 0, 10, 'out'],
    [10, 9, 10, null],
    [3, 0, 10, 'out'],
    [0, 5, 10, null],
    [5, 0, 10, 'out'],
    [0, 11, 10, 'recovered'],
    [10, 11, 10, 'recovered'],
    [12, 11, 10, null],
    [1, 0, 0, 'out'],
    [0, 1, 0, 'recovered'],
  ] as const)('from %i to %i, with a reorder point of %i, tells %j', (before, after, lowAt, kind) => {
    expect(crossing({ quantity: before, lowAt }, { quantity: after, lowAt })).toBe(kind);
  });

  test('tells of nothing as long as the badge stays the same, and of everything that gets worse', () => {
    const rank = { in: 0, low: 1, out: 2 };
    fc.assert(
      fc.property(units, units, units, (before, after, lowAt) => {
        const [was, is] = [stockState(before, lowAt), stockState(after, lowAt)];
        const told = crossing({ quantity: before, lowAt }, { quantity: after, lowAt });
        if (was === is) expect(told).toBeNull();
        if (rank[is] > rank[was]) expect(told).toBe(is);
        if (told === 'recovered') expect(is).toBe('in');
      }),
    );
  });
});

test.each([
  ['raised above what is there', 12, 10, 12, 'low'],
  ['raised, and there is more', 12, 10, 11, null],
  ['raised, and there was too little before', 9, 10, 20, null],
  ['raised, and there is nothing', 0, 10, 20, null],
  ['lowered', 12, 20, 10, null],
] as const)('a reorder point that is %s: with %i, from %i to %i, tells %j', (_, quantity, from, to, kind) => {
  expect(crossing({ quantity, lowAt: from }, { quantity, lowAt: to })).toBe(kind);
});

describe('of several alerts', () => {
  const news = (...alerts: [itemId: string, kind: AlertKind][]) =>
    stillNews(alerts.map(([itemId, kind]) => ({ itemId, kind }))).map(({ itemId, kind }) => `${itemId} ${kind}`);

  test('the last of each item is news', () => {
    expect(news(['a', 'low'], ['b', 'low'], ['a', 'out'])).toEqual(['b low', 'a out']);
    expect(news(['a', 'recovered'], ['a', 'low'])).toEqual(['a low']);
  });

  test('a slip that was put right is none', () => {
    expect(news(['a', 'low'], ['a', 'recovered'], ['b', 'recovered'])).toEqual(['b recovered']);
    expect(news(['a', 'low'], ['a', 'out'], ['a', 'recovered'])).toEqual([]);
  });
});

test.each([
  ['2026-05-04T06:59:59.999Z', '2026-05-03T07:00:00.000Z'],
  ['2026-05-04T07:00:00.000Z', '2026-05-04T07:00:00.000Z'],
  ['2026-05-04T23:30:00.000Z', '2026-05-04T07:00:00.000Z'],
  ['2026-03-01T00:00:00.000Z', '2026-02-28T07:00:00.000Z'],
])('at %s the last time for digests was %s', (now, time) => {
  expect(new Date(lastDigestTime(Date.parse(now))).toISOString()).toBe(time);
});
