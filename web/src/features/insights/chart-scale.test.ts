import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heightOf, namedPoints, placeOf, pointAt, scaleOf, tickLabels } from './chart-scale.ts';
import { newFigureWords } from './figure-words.ts';

describe('the scale of a chart', () => {
  test('starts at zero, with ticks at round numbers', () => {
    expect(scaleOf([0, 120, 2_400], { fromZero: false })).toEqual({ min: 0, max: 2_400, ticks: [0, 1_000, 2_000] });
  });

  test('starts near the lowest value when values vary little', () => {
    const scale = scaleOf([4_100, 4_182, 4_150], { fromZero: false });
    expect(scale.min).toBeGreaterThan(4_000);
    expect(scale.ticks.every((tick) => tick >= scale.min && tick <= scale.max)).toBe(true);
    expect(scaleOf([4_100, 4_182], { fromZero: true }).min).toBe(0);
  });

  test('includes negative values', () => {
    const scale = scaleOf([218, -254], { fromZero: true });
    expect([scale.min, scale.max]).toEqual([-254, 218]);
    expect(scale.ticks).toContain(0);
  });

  test.each([[[0, 0]], [[]], [[7, 7]], [[-3]]])('of %j does not divide by zero', (values) => {
    const scale = scaleOf(values, { fromZero: true });
    for (const value of values) expect(heightOf(value, scale)).toBeGreaterThanOrEqual(0);
    expect(scale.ticks.length).toBeGreaterThan(0);
    expect(Number.isFinite(heightOf(0, scale))).toBe(true);
  });

  test('never splits a unit', () => {
    expect(scaleOf([0, 2], { fromZero: true }).ticks).toEqual([0, 1, 2]);
  });
});

describe('the tick labels of a chart', () => {
  const { short, shortMoney } = newFigureWords('en-US');

  test('are as short as they can be told apart', () => {
    expect(tickLabels([0, 1_000, 2_000], short)).toEqual(['0', '1K', '2K']);
    expect(tickLabels([2_150, 2_200, 2_250], short)).toEqual(['2.15K', '2.2K', '2.25K']);
    expect(tickLabels([20_181, 20_182], short)).toEqual(['20,181', '20,182']);
    expect(tickLabels([13_767_850, 13_767_870], shortMoney)).toEqual(['$137,678.5', '$137,678.7']);
    expect(tickLabels([-100, 0, 100], (value, detail) => short(Math.abs(value), detail))).toEqual(['100', '0', '100']);
  });

  test.each(['en-US', 'fr', 'ar'])('never repeat, whatever the values: %s', (locale) => {
    const words = newFigureWords(locale);
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(3_000), fc.boolean(), (least, more, fromZero) => {
        const { ticks } = scaleOf([least, least + more], { fromZero });
        for (const write of [words.short, words.shortMoney]) {
          const labels = tickLabels(ticks, write);
          expect([ticks, new Set(labels).size]).toEqual([ticks, ticks.length]);
        }
      }),
    );
  });
});

describe('points', () => {
  test('of a line span edge to edge; bars are centred in their slots', () => {
    expect([0, 1, 2].map((index) => placeOf(index, 3, 'line'))).toEqual([0, 0.5, 1]);
    expect([0, 1].map((index) => placeOf(index, 2, 'bars'))).toEqual([0.25, 0.75]);
    expect(placeOf(0, 1, 'line')).toBe(0.5);
  });

  test.each(['line', 'bars'] as const)('are found at their own position: %s', (kind) => {
    for (let index = 0; index < 90; index++) expect(pointAt(placeOf(index, 90, kind), 90, kind)).toBe(index);
    expect([pointAt(-0.2, 90, kind), pointAt(1.2, 90, kind)]).toEqual([0, 89]);
  });

  test('a few are labelled: the first, the last and some between', () => {
    expect(namedPoints(90)).toEqual([0, 22, 45, 67, 89]);
    expect(namedPoints(7)).toEqual([0, 2, 4, 6]);
    expect(namedPoints(13)).toEqual([0, 3, 6, 9, 12]);
    expect([1, 2, 3, 4].map(namedPoints)).toEqual([[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]);
  });
});
