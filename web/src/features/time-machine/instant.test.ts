import { describe, expect, test } from 'vitest';
import {
  addDays,
  clampToSpan,
  fieldText,
  formatInstant,
  fractionOf,
  momentForKey,
  parseField,
  parseInstant,
  snapToSpan,
  spanFrom,
  ticksIn,
} from './instant.ts';

const time = Date.parse;
const now = time('2026-11-15T18:05:20.250Z');
const span = spanFrom(time('2026-09-13T18:05:20.250Z'), now);

describe('the instant in a URL', () => {
  test.each([
    ['2026-10-01T12:00:00Z', '2026-10-01T12:00:00Z'],
    ['2026-10-01T12:00Z', '2026-10-01T12:00:00Z'],
    ['2026-10-01T12:00:00.999Z', '2026-10-01T12:00:00Z'],
    ['1066-10-14T09:00:00Z', '1066-10-14T09:00:00Z'],
  ])('%s is %s', (text, at) => {
    expect(parseInstant(text, now)).toBe(at);
  });

  test.each([
    null,
    '',
    'yesterday',
    '2026-10-01',
    '2026-10-01T12:00:00',
    '2026-10-01T12:00:00+02:00',
    '2026-13-01T12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-10-01T24:00:00Z',
    '2026-10-01T12:61:00Z',
    '1793491200000',
  ])('ignores %s', (text) => {
    expect(parseInstant(text, now)).toBeNull();
  });

  test('ignores an instant in the future', () => {
    expect(parseInstant('2026-11-15T18:05:21Z', now)).toBeNull();
    expect(parseInstant('2026-11-15T18:05:20Z', now)).toBe('2026-11-15T18:05:20Z');
  });
});

describe('a requested time', () => {
  test('before the first movement becomes the first full second after it', () => {
    expect(clampToSpan(span, 0)).toBe(time('2026-09-13T18:05:21Z'));
    expect(clampToSpan(span, time('2026-09-13T18:05:20.250Z'))).toBe(time('2026-09-13T18:05:21Z'));
  });

  test('in the future becomes now', () => {
    expect(clampToSpan(span, now)).toBeNull();
    expect(clampToSpan(span, now + 1e12)).toBeNull();
  });

  test('is rounded down to the second, so that a URL can name it', () => {
    const there = clampToSpan(span, time('2026-10-01T12:00:00.700Z'));
    expect(there).toBe(time('2026-10-01T12:00:00Z'));
    expect(time(parseInstant(formatInstant(there ?? 0), now) ?? '')).toBe(there);
  });

  test('becomes now when the ledger has just begun', () => {
    expect(clampToSpan(spanFrom(now - 100, now), 0)).toBeNull();
  });
});

describe('the slider', () => {
  test('snaps to full hours of the local clock', () => {
    const there = snapToSpan(span, time('2026-10-01T12:20:00Z'));
    expect(new Date(there ?? 0).getMinutes()).toBe(0);
    expect(Math.abs((there ?? 0) - time('2026-10-01T12:20:00Z'))).toBeLessThanOrEqual(30 * 60_000);
  });

  test('snaps to minutes while the ledger is young', () => {
    const young = spanFrom(now - 3_600_000, now);
    expect(snapToSpan(young, now - 1_000_000)).toBe(Math.round((now - 1_000_000) / 60_000) * 60_000);
  });

  test('reaches both of its ends', () => {
    expect(snapToSpan(span, span.first)).toBe(span.first);
    expect(snapToSpan(span, span.now)).toBeNull();
    expect(snapToSpan(span, span.now - 60_000)).toBeNull();
    expect(snapToSpan(span, span.now - 29 * 60_000)).toBeNull();
  });

  test('is positioned in proportion to its time', () => {
    expect(fractionOf(span, span.first)).toBe(0);
    expect(fractionOf(span, (span.first + span.now) / 2)).toBe(0.5);
    expect(fractionOf(span, now + 1)).toBe(1);
    expect(fractionOf({ first: now, now }, now)).toBe(1);
  });
});

describe('a step', () => {
  const noon = new Date(2026, 9, 26, 12).getTime();

  test('of a day keeps the local time of day', () => {
    expect(addDays(span, noon, -1)).toBe(new Date(2026, 9, 25, 12).getTime());
    expect(addDays(span, noon, -7)).toBe(new Date(2026, 9, 19, 12).getTime());
  });

  test('starts from now, and never goes past an end', () => {
    expect(addDays(span, null, -1)).toBe(Math.floor(new Date(now).setDate(14) / 1_000) * 1_000);
    expect(addDays(span, null, 1)).toBeNull();
    expect(addDays(span, span.first, -7)).toBe(span.first);
  });

  test.each([
    ['ArrowRight', 1, -1],
    ['ArrowLeft', -1, 1],
    ['ArrowUp', 1, 1],
    ['ArrowDown', -1, -1],
    ['PageUp', 7, 7],
    ['PageDown', -7, -7],
  ])('by %s is of %i days, and of %i in right-to-left languages', (key, ltr, rtl) => {
    expect(momentForKey(span, noon, key, 'ltr')).toBe(addDays(span, noon, ltr));
    expect(momentForKey(span, noon, key, 'rtl')).toBe(addDays(span, noon, rtl));
  });

  test('by Home and End goes to the ends; other keys do nothing', () => {
    expect(momentForKey(span, noon, 'Home', 'ltr')).toBe(span.first);
    expect(momentForKey(span, noon, 'End', 'rtl')).toBeNull();
    expect(momentForKey(span, noon, 'Tab', 'ltr')).toBeUndefined();
  });
});

test('the field shows and parses local time', () => {
  const evening = new Date(2026, 9, 1, 21, 30).getTime();
  expect(fieldText(evening)).toBe('2026-10-01T21:30');
  expect(parseField('2026-10-01T21:30')).toBe(evening);
  expect(parseField('')).toBeNull();
});

describe('the ticks on the scale', () => {
  test('are the finest that there is room for', () => {
    expect(ticksIn(span, 100)).toMatchObject({ unit: 'day' });
    expect(ticksIn(span, 100).at).toHaveLength(63);
    expect(ticksIn(span, 10)).toMatchObject({ unit: 'week' });
    expect(ticksIn(span, 3)).toMatchObject({ unit: 'month' });
    expect(ticksIn({ first: new Date(1990, 4, 3).getTime(), now }, 8)).toMatchObject({ unit: 'decade' });
  });

  test('are at the start of days, weeks and months', () => {
    for (const week of ticksIn(span, 10).at) expect(new Date(week).getDay()).toBe(1);
    expect(ticksIn(span, 3).at).toEqual([new Date(2026, 9, 1).getTime(), new Date(2026, 10, 1).getTime()]);
    const quarters = ticksIn({ first: new Date(2025, 7, 9).getTime(), now }, 6);
    expect(quarters.unit).toBe('quarter');
    expect(quarters.at[0]).toBe(new Date(2025, 9, 1).getTime());
  });

  test('are all within the span', () => {
    for (const at of ticksIn(span, 100).at) expect(at > span.first && at < span.now).toBe(true);
  });
});
