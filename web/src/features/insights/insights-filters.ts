import { dayText, parseDay, type Step, steps } from '@perfume/domain/insights';
import { isSafeLine } from '@perfume/domain/text';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from '../../ui/router.tsx';

export const periods = ['7', '30', '90', '365', 'custom'] as const;
export type Period = (typeof periods)[number];

/** What the page is scope for. `from` and `to` are days in UTC, both included. */
export type InsightsFilters = {
  period: Period;
  from: number;
  to: number;
  supplier: string;
  step: Step;
  /** The days as somebody chose them, which may be none that can be used. */
  chosen: { from: string; to: string };
  /** Why the days somebody chose cannot be used. */
  wrong: 'insights.wrongOrder' | 'insights.tooLong' | null;
};

const DEFAULT_PERIOD: Period = '90';
const LONGEST_DAYS = 3_660;
const LONGEST_NAME = 200;

/** What the address asks for. Anything it says that we do not know is as if it said nothing. */
export function readInsightsFilters(search: URLSearchParams, today: number): InsightsFilters {
  const named = periods.find((period) => period === search.get('period')) ?? DEFAULT_PERIOD;
  const supplier = (search.get('supplier') ?? '').trim().slice(0, LONGEST_NAME);
  const days = named === 'custom' ? chosenDays(search, today) : lastDays(Number(named), today);
  const step = steps.find((one) => one === search.get('step')) ?? defaultStep(days.to - days.from + 1);
  const chosen = {
    from: search.get('from') ?? dayText(days.from),
    to: search.get('to') ?? dayText(days.to),
  };
  return { period: named, ...days, chosen, supplier: isSafeLine(supplier) ? supplier : '', step };
}

type Days = Pick<InsightsFilters, 'from' | 'to' | 'wrong'>;

function lastDays(count: number, today: number): Days {
  return { from: today - count + 1, to: today, wrong: null };
}

function chosenDays(search: URLSearchParams, today: number): Days {
  const usual = lastDays(Number(DEFAULT_PERIOD), today);
  const to = Math.min(parseDay(search.get('to') ?? '') ?? usual.to, today);
  const from = parseDay(search.get('from') ?? '') ?? to - Number(DEFAULT_PERIOD) + 1;
  if (from > to) return { from: to, to, wrong: 'insights.wrongOrder' };
  if (to - from >= LONGEST_DAYS) return { from: to - LONGEST_DAYS + 1, to, wrong: 'insights.tooLong' };
  return { from, to, wrong: null };
}

const MOST_BARS = 120;

/** Days while they can be told apart on a phone, then weeks, then months. */
export function defaultStep(days: number): Step {
  if (days <= 45) return 'day';
  return days <= 200 ? 'week' : 'month';
}

/** Steps that make a chart one can read. */
export function offeredSteps(days: number): readonly Step[] {
  return steps.filter(
    (step) => step === defaultStep(days) || days / { day: 1, week: 7, month: 30 }[step] <= MOST_BARS * 4,
  );
}

type Change = { period?: Period; from?: string; to?: string; supplier?: string; step?: Step };

/** The address with something of the filters changed; what is as usual is not written. */
export function withInsightsFilters(search: URLSearchParams, change: Change, today: number): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value === '' || (name === 'period' && value === DEFAULT_PERIOD)) next.delete(name);
    else next.set(name, value);
  }
  if (change.period === 'custom') {
    // Other days begin as the days that are shown.
    const shown = readInsightsFilters(search, today);
    next.set('from', dayText(shown.from));
    next.set('to', dayText(shown.to));
  } else if (change.period !== undefined) {
    next.delete('from');
    next.delete('to');
  }
  // Another period has another step of its own.
  if (change.period !== undefined) next.delete('step');
  return next;
}

export function useInsightsFilters(today: number) {
  const [search, setSearch] = useSearchParams();
  const scope = search.toString();
  const filters = useMemo(() => readInsightsFilters(new URLSearchParams(scope), today), [scope, today]);
  /** Choosing is a step one can go back over; typing is not, letter by letter. */
  const change = useCallback(
    (wanted: Change, typed = false) =>
      setSearch((before) => withInsightsFilters(before, wanted, today), { replace: typed }),
    [setSearch, today],
  );
  return { filters, change };
}
