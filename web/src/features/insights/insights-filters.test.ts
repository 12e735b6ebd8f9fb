import { dayText, parseDay } from '@perfume/domain/insights';
import { describe, expect, test } from 'vitest';
import { defaultStep, offeredSteps, readInsightsFilters, withInsightsFilters } from './insights-filters.ts';

const today = parseDay('2026-11-15') ?? 0;
const read = (address: string) => readInsightsFilters(new URLSearchParams(address), today);
const days = (address: string) => {
  const { from, to, wrong } = read(address);
  return [dayText(from), dayText(to), wrong];
};

describe('filters from the query string', () => {
  test('default to the last 90 days of all suppliers, by week', () => {
    expect(read('')).toMatchObject({ period: '90', supplier: '', step: 'week' });
    expect(days('')).toEqual(['2026-08-18', '2026-11-15', null]);
  });

  test.each([
    ['period=7', '2026-11-09', '2026-11-15'],
    ['period=365', '2025-11-16', '2026-11-15'],
    ['period=custom&from=2026-01-01&to=2026-01-31', '2026-01-01', '2026-01-31'],
    // Days in the future are left out.
    ['period=custom&from=2026-11-01&to=2027-01-31', '2026-11-01', '2026-11-15'],
    ['period=custom', '2026-08-18', '2026-11-15'],
  ])('%s', (address, from, to) => {
    expect(days(address)).toEqual([from, to, null]);
  });

  test.each(['period=8', 'period=custom&from=soon&to=2026-02-30', 'step=hour&period=', 'supplier=a%00b'])(
    'ignore %s',
    (address) => {
      expect(days(address)).toEqual(['2026-08-18', '2026-11-15', null]);
      expect(read(address)).toMatchObject({ step: 'week', supplier: '' });
    },
  );

  test('report invalid days, and keep them as typed', () => {
    const scope = read('period=custom&from=2026-03-01&to=2026-02-01');
    expect(scope).toMatchObject({ wrong: 'insights.wrongOrder', chosen: { from: '2026-03-01', to: '2026-02-01' } });
    expect(scope.from).toBeLessThanOrEqual(scope.to);
    expect(read('period=custom&from=0002-01-01').wrong).toBe('insights.tooLong');
  });

  test('keep a chosen step', () => {
    expect(read('period=365&step=week').step).toBe('week');
  });
});

describe('the query string after a choice', () => {
  const choose = (address: string, change: Parameters<typeof withInsightsFilters>[1]) =>
    withInsightsFilters(new URLSearchParams(address), change, today).toString();

  test('leaves out defaults', () => {
    expect(choose('period=7&supplier=A', { period: '90' })).toBe('supplier=A');
    expect(choose('supplier=A', { supplier: '' })).toBe('');
  });

  test('starts custom days with the shown ones, and drops them with the next period', () => {
    expect(choose('period=7', { period: 'custom' })).toBe('period=custom&from=2026-11-09&to=2026-11-15');
    expect(choose('period=custom&from=2026-11-09&to=2026-11-15', { period: '30' })).toBe('period=30');
  });

  test('resets the step with the period', () => {
    expect(choose('period=7&step=day', { period: '365' })).toBe('period=365');
    expect(choose('period=7', { step: 'week' })).toBe('period=7&step=week');
  });
});

test('steps are as fine as a chart stays readable', () => {
  expect([7, 30, 90, 365, 3_660].map(defaultStep)).toEqual(['day', 'day', 'week', 'month', 'month']);
  expect(offeredSteps(90)).toEqual(['day', 'week', 'month']);
  expect(offeredSteps(3_660)).toEqual(['month']);
  expect(offeredSteps(900)).toEqual(['week', 'month']);
});
