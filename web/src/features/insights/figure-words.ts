import { DAY_MS, type Step } from '@perfume/domain/insights';
import { useWords } from '../../words/words.tsx';
import { type Detail, details } from './chart-scale.ts';

/** Formats for figures and days that `Words` does not have. A day is the number of days since 1970, in UTC. */
export type FigureWords = ReturnType<typeof newFigureWords>;

const made = new Map<string, FigureWords>();

export function useFigureWords(): FigureWords {
  const { locale } = useWords();
  const known = made.get(locale) ?? newFigureWords(locale);
  made.set(locale, known);
  return known;
}

const lengthOf: Record<Detail, Intl.NumberFormatOptions> = {
  0: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 },
  1: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 2 },
  2: { minimumFractionDigits: 0, maximumFractionDigits: 2 },
};

export function newFigureWords(locale: string) {
  const utc = { timeZone: 'UTC' } as const;
  const numbers = details.map((detail) => new Intl.NumberFormat(locale, lengthOf[detail]));
  const dollars = details.map(
    (detail) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...lengthOf[detail] }),
  );
  const decimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent' });
  const days = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' });
  const fullDays = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
  const namedDays = new Intl.DateTimeFormat(locale, { ...utc, dateStyle: 'full' });
  const months = new Intl.DateTimeFormat(locale, { ...utc, month: 'short', year: 'numeric' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const at = (day: number) => day * DAY_MS;

  return {
    /** Formats a number for an axis: "4.2K". */
    short: (value: number, detail: Detail) => numbers[detail]?.format(value) ?? '',
    /** Formats cents for an axis: "$4.2K". Some locales would write "US$"; this app writes "$" in all of them. */
    shortMoney: (cents: number, detail: Detail) =>
      dollars[detail]
        ?.formatToParts(cents / 100)
        .map(({ type, value }) => (type === 'currency' ? '$' : value))
        .join('') ?? '',
    decimal: (value: number) => decimals.format(value),
    percent: (percent: number) => percents.format(percent / 100),
    day: (day: number) => days.format(at(day)),
    fullDay: (day: number) => fullDays.format(at(day)),
    span: (from: number, to: number) => fullDays.formatRange(at(from), at(to)),
    /** The period of a chart point, in full. */
    point: (from: number, to: number, step: Step) =>
      step === 'day' || from === to ? namedDays.format(at(from)) : fullDays.formatRange(at(from), at(to)),
    /** The period of a chart point, short, for the axis. */
    tick: (from: number, step: Step) => (step === 'month' ? months : days).format(at(from)),
    time: (time: number) => clock.format(time),
  };
}
