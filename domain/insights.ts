export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day of a time, as the number of whole days since 1970 in UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Reads a date such as "2026-03-09" as a day; null if there is no such date. */
export function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || dayText(dayOf(time)) !== text ? null : dayOf(time);
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export const steps = ['day', 'week', 'month'] as const;
export type Step = (typeof steps)[number];

/** The first day of the day, week or month that contains a day. Weeks start on Monday. */
export function stepStart(day: number, step: Step): number {
  if (step === 'day') return day;
  // Day 0, 1 January 1970, was a Thursday.
  if (step === 'week') return day - ((((day + 3) % 7) + 7) % 7);
  return day - new Date(day * DAY_MS).getUTCDate() + 1;
}

export type Trend = {
  direction: 'up' | 'down' | 'same';
  /** The difference in percent of the earlier figure; null when that was zero. */
  percent: number | null;
};

/** Compares a figure with that of the period before. */
export function trendOf(now: number, before: number): Trend {
  if (now === before) return { direction: 'same', percent: 0 };
  const direction = now > before ? 'up' : 'down';
  return { direction, percent: before > 0 ? Math.round((Math.abs(now - before) / before) * 100) : null };
}

/**
 * The number of days over which a pace is computed: from the start of the period or the item's creation, whichever is
 * later; at least 1.
 */
export function daysObserved(from: number, createdAt: number, until: number): number {
  const days = (until - Math.max(from, createdAt)) / DAY_MS;
  return Math.max(1, Math.round(days * 10) / 10);
}

export function pacePerDay(units: number, days: number): number {
  return Math.max(0, units) / days;
}

/** How many whole days the stock lasts at this pace; null when nothing was delivered. */
export function daysOfStockLeft(onHand: number, units: number, days: number): number | null {
  return units > 0 ? Math.floor((onHand * days) / units) : null;
}
