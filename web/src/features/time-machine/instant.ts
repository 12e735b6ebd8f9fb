const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From the first movement in the ledger to now, in milliseconds. */
export type Span = { first: number; now: number };

/** A moment in the past; null means now. */
export type Moment = number | null;

const WRITTEN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/;

/** Parses the instant in a URL, to the second. Null when it is malformed or in the future. */
export function parseInstant(text: string | null, now: number): string | null {
  if (text === null || !WRITTEN.test(text)) return null;
  const time = Date.parse(text);
  // Date.parse may accept February 30th as a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 16) !== text.slice(0, 16)) return null;
  return time < now ? formatInstant(time) : null;
}

export function formatInstant(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/**
 * Returns the span from the first movement to now. Its start is rounded up to a whole second, the precision of the
 * instant in the URL, so that it is not before the first movement.
 */
export function spanFrom(firstMovement: number, now: number): Span {
  return { first: Math.ceil(firstMovement / SECOND) * SECOND, now };
}

/**
 * Limits a time to the span. A time before the span becomes its start; now and later times become null, which means
 * now.
 */
export function clampToSpan({ first, now }: Span, requested: number): Moment {
  const time = Math.max(first, Math.floor(requested / SECOND) * SECOND);
  return requested < now && time < now ? time : null;
}

/**
 * Returns where the slider stops when it is released at `under`: on a full local hour, on a full minute if the span is
 * short, or at an end of the span.
 */
export function snapToSpan(span: Span, under: number): Moment {
  const step = span.now - span.first > 3 * DAY ? HOUR : MINUTE;
  if (under <= span.first + step / 2) return clampToSpan(span, span.first);
  if (under >= span.now - step / 2) return null;
  // Rounds in local time: some time zones are half an hour off UTC.
  const zone = new Date(under).getTimezoneOffset() * MINUTE;
  return clampToSpan(span, Math.round((under - zone) / step) * step + zone);
}

/** Adds days, keeping the local time of day across daylight saving changes. */
export function addDays(span: Span, from: Moment, days: number): Moment {
  const day = new Date(from ?? span.now);
  day.setDate(day.getDate() + days);
  return clampToSpan(span, day.getTime());
}

/** Returns where a key moves the slider; undefined for keys it does not handle. */
export function momentForKey(span: Span, from: Moment, key: string, dir: 'ltr' | 'rtl'): Moment | undefined {
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (key) {
    case 'ArrowUp':
      return addDays(span, from, 1);
    case 'ArrowDown':
      return addDays(span, from, -1);
    case 'ArrowLeft':
    case 'ArrowRight':
      return addDays(span, from, key === forward ? 1 : -1);
    case 'PageUp':
      return addDays(span, from, 7);
    case 'PageDown':
      return addDays(span, from, -7);
    case 'Home':
      return clampToSpan(span, span.first);
    case 'End':
      return null;
    default:
      return undefined;
  }
}

/** The position of a time in the span, from 0 to 1. */
export function fractionOf({ first, now }: Span, time: number): number {
  return now > first ? Math.min(1, Math.max(0, (time - first) / (now - first))) : 1;
}

/** A time in the format of a datetime-local input: local, without a zone. */
export function fieldText(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

export function parseField(text: string): number | null {
  // Text without a zone is parsed as local time.
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? null : time;
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade';
const units: Unit[] = ['day', 'week', 'month', 'quarter', 'year', 'decade'];
const months = { month: 1, quarter: 3, year: 12, decade: 120 };

/**
 * Returns the ticks of the scale: the starts of all days, weeks, months … in the span, by the finest unit that has at
 * most `max` of them.
 */
export function ticksIn(span: Span, max: number): { unit: Unit; at: number[] } {
  for (const unit of units) {
    const at = startsIn(span, unit, max);
    if (at !== null) return { unit, at };
  }
  return { unit: 'decade', at: [] };
}

function startsIn({ first, now }: Span, unit: Unit, max: number): number[] | null {
  const found: number[] = [];
  const day = startOf(first, unit);
  for (; day.getTime() < now; advance(day, unit)) {
    if (day.getTime() <= first) continue;
    if (found.push(day.getTime()) > max) return null;
  }
  return found;
}

/** The start of the day, week, month … that contains a time. Weeks start on Monday. */
function startOf(time: number, unit: Unit): Date {
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  if (unit === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  if (unit === 'day' || unit === 'week') return day;
  const count = day.getFullYear() * 12 + day.getMonth();
  const firstMonth = count - (count % months[unit]);
  return new Date(Math.floor(firstMonth / 12), firstMonth % 12, 1);
}

function advance(day: Date, unit: Unit): void {
  if (unit === 'day' || unit === 'week') day.setDate(day.getDate() + (unit === 'day' ? 1 : 7));
  else day.setMonth(day.getMonth() + months[unit]);
}
