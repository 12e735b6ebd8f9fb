const clocks = new Map<string, Intl.DateTimeFormat>();

/** Formats a point in time: the time of day if it was today, otherwise the date. */
export function when(at: number, now: number, { locale, date }: { locale: string; date: (time: number) => string }) {
  if (new Date(at).toDateString() !== new Date(now).toDateString()) return date(at);
  const clock = clocks.get(locale) ?? new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  clocks.set(locale, clock);
  return clock.format(at);
}
