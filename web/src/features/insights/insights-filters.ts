import { dayText, parseDay, type Step, steps } from '@perfume/domain/insights';
import { isSafeLine } from '@perfume/domain/safe-text';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from '../../ui/router.tsx';

export const periods = ['7', '30', '90', '365', 'custom'] as const;
export type Period = (typeof periods)[number];

/** The filters of the page. `from` and `to` are UTC days, both included. */
export type InsightsFilters = {
  period: Period;
  from: number;
  to: number;
  supplier: string;
  step: Step;
  /** The days as entered, possibly invalid. */
  chosen: { from: string; to: string };
  /** Why the entered days are invalid. */
  wrong: 'insights.wrongOrder' | 'insights.tooLong' | null;
};

const DEFAULT_PERIOD: Period = '90';
const MAX_DAYS = 3_660;
const MAX_NAME_LENGTH = 200;

/** Reads the filters from the query string. Unknown values are ignored. */
export function readInsightsFilters(search: URLSearchParams, today: number): InsightsFilters {
  const period = periods.find((period) => period === search.get('period')) ?? DEFAULT_PERIOD;
  const supplier = (search.get('supplier') ?? '').trim().slice(0, MAX_NAME_LENGTH);
  const days = period === 'custom' ? chosenDays(search, today) : lastDays(Number(period), today);
  const step = steps.find((one) => one === search.get('step')) ?? defaultStep(days.to - days.from + 1);
  const chosen = {
    from: search.get('from') ?? dayText(days.from),
    to: search.get('to') ?? dayText(days.to),
  };
  return { period, ...days, chosen, supplier: isSafeLine(supplier) ? supplier : '', step };
}

type Days = Pick<InsightsFilters, 'from' | 'to' | 'wrong'>;

function lastDays(count: number, today: number): Days {
  return { from: today - count + 1, to: today, wrong: null };
}

function chosenDays(search: URLSearchParams, today: number): Days {
  const defaults = lastDays(Number(DEFAULT_PERIOD), today);
  const to = Math.min(parseDay(search.get('to') ?? '') ?? defaults.to, today);
  const from = parseDay(search.get('from') ?? '') ?? to - Number(DEFAULT_PERIOD) + 1;
  if (from > to) return { from: to, to, wrong: 'insights.wrongOrder' };
  if (to - from >= MAX_DAYS) return { from: to - MAX_DAYS + 1, to, wrong: 'insights.tooLong' };
  return { from, to, wrong: null };
}

const MAX_BARS = 120;

/** Returns days for short periods, weeks for longer ones and then months, so that a phone can show distinct bars. */
export function defaultStep(days: number): Step {
  if (days <= 45) return 'day';
  return days <= 200 ? 'week' : 'month';
}

/** Returns the steps that make a readable chart. */
export function offeredSteps(days: number): readonly Step[] {
  return steps.filter(
    (step) => step === defaultStep(days) || days / { day: 1, week: 7, month: 30 }[step] <= MAX_BARS * 4,
  );
}

type FilterChange = { period?: Period; from?: string; to?: string; supplier?: string; step?: Step };

/** Returns the query string with some filters changed. Default values are left out. */
export function withInsightsFilters(search: URLSearchParams, change: FilterChange, today: number): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === '' || (name === 'period' && value === DEFAULT_PERIOD)) next.delete(name);
    else next.set(name, value);
  }
  if (change.period === 'custom') {
    // A custom period starts with the days that are shown now.
    const shown = readInsightsFilters(search, today);
    next.set('from', dayText(shown.from));
    next.set('to', dayText(shown.to));
  } else if (change.period !== undefined) {
    next.delete('from');
    next.delete('to');
  }
  // Each period has its own default step, so the chosen step does not carry over.
  if (change.period !== undefined) next.delete('step');
  return next;
}

export function useInsightsFilters(today: number) {
  const [search, setSearch] = useSearchParams();
  const scope = search.toString();
  const filters = useMemo(() => readInsightsFilters(new URLSearchParams(scope), today), [scope, today]);
  /** A choice adds to the browser history; typing (`typed`) replaces the current history entry. */
  const change = useCallback(
    (change: FilterChange, typed = false) =>
      setSearch((before) => withInsightsFilters(before, change, today), { replace: typed }),
    [setSearch, today],
  );
  return { filters, change };
}
