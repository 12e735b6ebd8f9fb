import { useSyncExternalStore } from 'react';
import { useWords } from '../../words/words.tsx';
import styles from './history-time.module.css';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The time of day, with the exact time as a tooltip. For the last 24 hours, it also says how long ago that was. */
export function EntryTime({ at }: { at: string }) {
  const { locale } = useWords();
  const now = useNow();
  const time = Date.parse(at);
  const { clock, exact } = formatsOf(locale);
  const spoken = exact.format(time);
  return (
    <time dateTime={at} title={spoken} className={styles.time}>
      <span aria-hidden="true">{clock.format(time)}</span>
      {now - time < DAY && (
        <span aria-hidden="true" className={styles.ago}>
          {agoText(time, now, locale)}
        </span>
      )}
      <span className={styles.exact}>{spoken}</span>
    </time>
  );
}

/** Formats a time: "10:42" for today, "14 May, 10:42" for any other day. */
export function shortTime(at: string, locale: string): string {
  const time = Date.parse(at);
  const { clock, dayAndClock } = formatsOf(locale);
  return (isSameDay(time, Date.now()) ? clock : dayAndClock).format(time);
}

export function dayText(at: number, locale: string): string {
  return formatsOf(locale).day.format(at);
}

export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

function agoText(time: number, now: number, locale: string): string {
  const { ago } = formatsOf(locale);
  const passed = Math.max(0, now - time);
  if (passed < MINUTE) return ago.format(0, 'second');
  if (passed < HOUR) return ago.format(-Math.floor(passed / MINUTE), 'minute');
  return ago.format(-Math.floor(passed / HOUR), 'hour');
}

type Formats = {
  clock: Intl.DateTimeFormat;
  dayAndClock: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
  ago: Intl.RelativeTimeFormat;
};
const formats = new Map<string, Formats>();

/** Returns the formatters for a locale. They are cached, because they are slow to create and every row needs them. */
function formatsOf(locale: string): Formats {
  const known = formats.get(locale);
  if (known) return known;
  const made: Formats = {
    clock: new Intl.DateTimeFormat(locale, { timeStyle: 'short' }),
    dayAndClock: new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
    day: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    exact: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }),
    ago: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  };
  formats.set(locale, made);
  return made;
}

const TICK_MS = 20_000;
let now = Date.now();

/** Returns the current time, updated every 20 seconds. All rows share one timer. */
function useNow(): number {
  return useSyncExternalStore(watchClock, () => now);
}

const watchers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function watchClock(watcher: () => void): () => void {
  if (watchers.size === 0) now = Date.now();
  watchers.add(watcher);
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const one of watchers) one();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}
