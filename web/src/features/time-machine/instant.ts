const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** As far as the ledger can be read: from its first movement to now, in milliseconds. */
export type Span = { first: number; now: number };

/** A moment of the past, or null: now. */
export type Moment = number | null;

const WRITTEN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z$/;

/** The instant an address names, to the second. Null where it names none, or one that is still to come. */
export function parseInstant(text: string | null, now: number): string | null {
  if (text === null || !WRITTEN.test(text)) return null;
  const time = Date.parse(text);
  // Some readers of dates take the 30th of February for a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 16) !== text.slice(0, 16)) return null;
  return time < now ? formatInstant(time) : null;
}

export function formatInstant(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** The span in whole seconds, as the address counts: at its first second the first movement has happened. */
export function spanFrom(firstMovement: number, now: number): Span {
  return { first: Math.ceil(firstMovement / SECOND) * SECOND, now };
}

/** Where a wish leads: never before the first movement, and whatever lies ahead is now. */
export function clampToSpan({ first, now }: Span, wish: number): Moment {
  const time = Math.max(first, Math.floor(wish / SECOND) * SECOND);
  return wish < now && time < now ? time : null;
}

/** Where the slider comes to stand when it is let go at `under`: on a full hour of the person's clock, or at an end. */
export function snapToSpan(span: Span, under: number): Moment {
  const step = span.now - span.first > 3 * DAY ? HOUR : MINUTE;
  if (under <= span.first + step / 2) return clampToSpan(span, span.first);
  if (under >= span.now - step / 2) return null;
  // Clocks of some places differ from UTC by half an hour.
  const zone = new Date(under).getTimezoneOffset() * MINUTE;
  return clampToSpan(span, Math.round((under - zone) / step) * step + zone);
}

/** So many days on, at the same time of the clock, also where a night has been shortened between the two. */
export function addDays(span: Span, from: Moment, days: number): Moment {
  const day = new Date(from ?? span.now);
  day.setDate(day.getDate() + days);
  return clampToSpan(span, day.getTime());
}

/** Which way a key moves the slider, or undefined for a key that is none of its own. */
export function momentForKey(span: Span, from: Moment, key: string, dir: 'ltr' | 'rtl'): Moment | undefined {
  const onwards = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  switch (key) {
    case 'ArrowUp':
      return addDays(span, from, 1);
    case 'ArrowDown':
      return addDays(span, from, -1);
    case 'ArrowLeft':
    case 'ArrowRight':
      return addDays(span, from, key === onwards ? 1 : -1);
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

/** How much of the span has passed at a time, from 0 to 1. */
export function fractionOf({ first, now }: Span, time: number): number {
  return now > first ? Math.min(1, Math.max(0, (time - first) / (now - first))) : 1;
}

/** A time as a field for date and time has it: by the person's own clock. */
export function fieldText(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

export function parseField(text: string): number | null {
  // Without a zone it is read by the person's own clock.
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? null : time;
}

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'decade';
const units: Unit[] = ['day', 'week', 'month', 'quarter', 'year', 'decade'];
const months = { month: 1, quarter: 3, year: 12, decade: 120 };

/** Where days, weeks, months … begin in the span: the finest of them of which there are at most `most`. */
export function ticksIn(span: Span, most: number): { unit: Unit; at: number[] } {
  for (const unit of units) {
    const at = startsIn(span, unit, most);
    if (at !== null) return { unit, at };
  }
  return { unit: 'decade', at: [] };
}

function startsIn({ first, now }: Span, unit: Unit, most: number): number[] | null {
  const found: number[] = [];
  const day = startOf(first, unit);
  for (; day.getTime() < now; advance(day, unit)) {
    if (day.getTime() <= first) continue;
    if (found.push(day.getTime()) > most) return null;
  }
  return found;
}

/** When the day, week, month … that a time is in has begun. Weeks begin on Monday. */
function startOf(time: number, unit: Unit): Date {
  const day = new Date(time);
  day.setHours(0, 0, 0, 0);
  if (unit === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  if (unit === 'day' || unit === 'week') return day;
  const count = day.getFullYear() * 12 + day.getMonth();
  const begun = count - (count % months[unit]);
  return new Date(Math.floor(begun / 12), begun % 12, 1);
}

function advance(day: Date, unit: Unit): void {
  if (unit === 'day' || unit === 'week') day.setDate(day.getDate() + (unit === 'day' ? 1 : 7));
  else day.setMonth(day.getMonth() + months[unit]);
}
