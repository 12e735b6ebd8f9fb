import type { Unit } from './instant.ts';

/** Formats a time as "Tuesday, November 3, 2026 at 2:00 PM". */
export function instantText(time: number, locale: string): string {
  return formatsOf(locale).long.format(time);
}

/** Formats a time as "Tue, Nov 3, 2026, 2:00 PM". */
export function shortInstantText(time: number, locale: string): string {
  return formatsOf(locale).short.format(time);
}

/** Formats a time as "Nov 3, 2026". */
export function dateText(time: number, locale: string): string {
  return formatsOf(locale).date.format(time);
}

/** The label of a tick on the slider's scale: its day, its month, or its year if the tick is the start of a year. */
export function tickText(time: number, unit: Unit, locale: string): string {
  const { day, month, year } = formatsOf(locale);
  if (unit === 'day' || unit === 'week') return day.format(time);
  const isYear = unit === 'year' || unit === 'decade' || new Date(time).getMonth() === 0;
  return (isYear ? year : month).format(time);
}

/** Returns the name of the local time zone at that time: "Central European Summer Time". */
export function zoneText(time: number, locale: string): string {
  const parts = formatsOf(locale).zone.formatToParts(time);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

type Formats = Record<'long' | 'short' | 'date' | 'day' | 'month' | 'year' | 'zone', Intl.DateTimeFormat>;
const formats = new Map<string, Formats>();

/** Returns the formatters of a locale. They are cached: creating them is slow, and a slider needs them often. */
function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const make = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  const made: Formats = {
    long: make({ dateStyle: 'full', timeStyle: 'short' }),
    short: make({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', ...clock }),
    date: make({ dateStyle: 'medium' }),
    day: make({ day: 'numeric', month: 'short' }),
    month: make({ month: 'short' }),
    year: make({ year: 'numeric' }),
    zone: make({ timeZoneName: 'long' }),
  };
  formats.set(locale, made);
  return made;
}
