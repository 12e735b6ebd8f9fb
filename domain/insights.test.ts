import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DAY_MS,
  dayOf,
  daysObserved,
  daysOfStockLeft,
  dayText,
  pacePerDay,
  parseDay,
  stepStart,
  trendOf,
} from './insights.ts';

const anyDay = fc.integer({ min: 0, max: 40_000 });

describe('days', () => {
  test.each([
    ['1970-01-01', 0],
    ['2026-03-09', 20_521],
    ['2024-02-29', 19_782],
  ])('%s is day %i', (text, day) => {
    expect([parseDay(text), dayText(day)]).toEqual([day, text]);
  });

  test.each(['2025-02-29', '2026-13-01', '2026-1-1', '', 'today', '2026-03-09T00:00'])(
    'refuses %j as a date',
    (text) => {
      expect(parseDay(text)).toBeNull();
    },
  );

  test('a day is from midnight to midnight UTC', () => {
    expect([dayOf(20_521 * DAY_MS), dayOf(20_522 * DAY_MS - 1)]).toEqual([20_521, 20_521]);
  });
});

describe('steps', () => {
  test('weeks start on Monday, months on the first', () => {
    const wednesday = parseDay('2026-07-01') ?? 0;
    expect(dayText(stepStart(wednesday, 'week'))).toBe('2026-06-29');
    expect(dayText(stepStart(wednesday + 30, 'month'))).toBe('2026-07-01');
    expect(stepStart(wednesday, 'day')).toBe(wednesday);
  });

  test('every day belongs to exactly one week and one month', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom('week', 'month'), (day, step) => {
        const start = stepStart(day, step);
        expect(start).toBeLessThanOrEqual(day);
        expect(stepStart(start, step)).toBe(start);
        expect(day - start).toBeLessThan(step === 'week' ? 7 : 31);
        expect(stepStart(start - 1, step)).toBeLessThan(start);
      }),
    );
  });
});

describe('the change since the period before', () => {
  test.each([
    [120, 100, 'up', 20],
    [80, 100, 'down', 20],
    [100, 100, 'same', 0],
    [0, 0, 'same', 0],
    [0, 7, 'down', 100],
    [3, 2, 'up', 50],
  ] as const)('%i after %i is %s by %i %%', (now, before, direction, percent) => {
    expect(trendOf(now, before)).toEqual({ direction, percent });
  });

  test('has no percentage when the earlier figure was zero or negative, only a direction', () => {
    expect(trendOf(5, 0)).toEqual({ direction: 'up', percent: null });
    expect(trendOf(5, -2)).toEqual({ direction: 'up', percent: null });
    expect(trendOf(-2, 0)).toEqual({ direction: 'down', percent: null });
  });
});

describe('how long stock lasts', () => {
  test('17 units last 12 days if 41 were delivered in 29.4 days', () => {
    expect(pacePerDay(41, 29.4)).toBeCloseTo(1.3946, 4);
    expect(daysOfStockLeft(17, 41, 29.4)).toBe(12);
  });

  test('no stock lasts 0 days, and without deliveries there is no answer', () => {
    expect(daysOfStockLeft(0, 5, 30)).toBe(0);
    expect(daysOfStockLeft(17, 0, 30)).toBeNull();
    // A negative number of units counts as none.
    expect(daysOfStockLeft(17, -3, 30)).toBeNull();
    expect(pacePerDay(-3, 30)).toBe(0);
  });

  test('the pace counts from the creation of the item if that was later, and over at least a day', () => {
    const from = 100 * DAY_MS;
    const now = 130 * DAY_MS;
    expect(daysObserved(from, 0, now)).toBe(30);
    expect(daysObserved(from, 120 * DAY_MS, now)).toBe(10);
    expect(daysObserved(from, now - 60_000, now)).toBe(1);
    expect(daysObserved(from, 0, 129.44 * DAY_MS)).toBe(29.4);
  });

  test('the number of days is the largest whole number the stock lasts at that pace', () => {
    const anyQuantity = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(
        anyQuantity,
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 10, max: 36_500 }),
        (onHand, units, tenths) => {
          const days = tenths / 10;
          const left = daysOfStockLeft(onHand, units, days) ?? -1;
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left * pacePerDay(units, days)).toBeLessThanOrEqual(onHand * (1 + 1e-9));
          expect((left + 1) * pacePerDay(units, days)).toBeGreaterThan(onHand * (1 - 1e-9));
        },
      ),
    );
  });
});
