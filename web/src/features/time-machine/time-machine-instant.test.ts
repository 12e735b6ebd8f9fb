import { describe, expect, test } from 'vitest';
import {
  daysFrom,
  fieldText,
  keyMoment,
  landing,
  marksOf,
  reach,
  readAt,
  readField,
  shareOf,
  spanFrom,
  writeAt,
} from './time-machine-instant.ts';

const time = Date.parse;
const now = time('2026-11-15T18:05:20.250Z');
const span = spanFrom(time('2026-09-13T18:05:20.250Z'), now);

describe('the instant in an address', () => {
  test.each([
    ['2026-10-01T12:00:00Z', '2026-10-01T12:00:00Z'],
    ['2026-10-01T12:00Z', '2026-10-01T12:00:00Z'],
    ['2026-10-01T12:00:00.999Z', '2026-10-01T12:00:00Z'],
    ['1066-10-14T09:00:00Z', '1066-10-14T09:00:00Z'],
  ])('%s is %s', (text, at) => {
    expect(readAt(text, now)).toBe(at);
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
  ])('%s is none', (text) => {
    expect(readAt(text, now)).toBeNull();
  });

  test('is none while it is still to come', () => {
    expect(readAt('2026-11-15T18:05:21Z', now)).toBeNull();
    expect(readAt('2026-11-15T18:05:20Z', now)).toBe('2026-11-15T18:05:20Z');
  });
});

describe('a wish', () => {
  test('before the first movement leads to the second after it, when it has happened', () => {
    expect(reach(span, 0)).toBe(time('2026-09-13T18:05:21Z'));
    expect(reach(span, time('2026-09-13T18:05:20.250Z'))).toBe(time('2026-09-13T18:05:21Z'));
  });

  test('for the future leads to now', () => {
    expect(reach(span, now)).toBeNull();
    expect(reach(span, now + 1e12)).toBeNull();
  });

  test('in between leads to its second, so that an address can name it', () => {
    const there = reach(span, time('2026-10-01T12:00:00.700Z'));
    expect(there).toBe(time('2026-10-01T12:00:00Z'));
    expect(time(readAt(writeAt(there ?? 0), now) ?? '')).toBe(there);
  });

  test('leads to now in a ledger that has just begun', () => {
    expect(reach(spanFrom(now - 100, now), 0)).toBeNull();
  });
});

describe('the slider', () => {
  test('stands on full hours of the person’s own clock', () => {
    const there = landing(span, time('2026-10-01T12:20:00Z'));
    expect(new Date(there ?? 0).getMinutes()).toBe(0);
    expect(Math.abs((there ?? 0) - time('2026-10-01T12:20:00Z'))).toBeLessThanOrEqual(30 * 60_000);
  });

  test('stands on minutes while the ledger is young', () => {
    const young = spanFrom(now - 3_600_000, now);
    expect(landing(young, now - 1_000_000)).toBe(Math.round((now - 1_000_000) / 60_000) * 60_000);
  });

  test('reaches both of its ends', () => {
    expect(landing(span, span.first)).toBe(span.first);
    expect(landing(span, span.now)).toBeNull();
    expect(landing(span, span.now - 60_000)).toBeNull();
    expect(landing(span, span.now - 29 * 60_000)).toBeNull();
  });

  test('is as far along as its time is in the span', () => {
    expect(shareOf(span, span.first)).toBe(0);
    expect(shareOf(span, (span.first + span.now) / 2)).toBe(0.5);
    expect(shareOf(span, now + 1)).toBe(1);
    expect(shareOf({ first: now, now }, now)).toBe(1);
  });
});

describe('a step', () => {
  const noon = new Date(2026, 9, 26, 12).getTime();

  test('of a day keeps the time of the clock', () => {
    expect(daysFrom(span, noon, -1)).toBe(new Date(2026, 9, 25, 12).getTime());
    expect(daysFrom(span, noon, -7)).toBe(new Date(2026, 9, 19, 12).getTime());
  });

  test('from now goes back from now, and never past an end', () => {
    expect(daysFrom(span, null, -1)).toBe(Math.floor(new Date(now).setDate(14) / 1_000) * 1_000);
    expect(daysFrom(span, null, 1)).toBeNull();
    expect(daysFrom(span, span.first, -7)).toBe(span.first);
  });

  test.each([
    ['ArrowRight', 1, -1],
    ['ArrowLeft', -1, 1],
    ['ArrowUp', 1, 1],
    ['ArrowDown', -1, -1],
    ['PageUp', 7, 7],
    ['PageDown', -7, -7],
  ])('by %s is of %i days, and of %i where people read from right to left', (key, ltr, rtl) => {
    expect(keyMoment(span, noon, key, 'ltr')).toBe(daysFrom(span, noon, ltr));
    expect(keyMoment(span, noon, key, 'rtl')).toBe(daysFrom(span, noon, rtl));
  });

  test('by Home and End goes to the ends, and by other keys nowhere', () => {
    expect(keyMoment(span, noon, 'Home', 'ltr')).toBe(span.first);
    expect(keyMoment(span, noon, 'End', 'rtl')).toBeNull();
    expect(keyMoment(span, noon, 'Tab', 'ltr')).toBeUndefined();
  });
});

test('the field shows and reads the person’s own clock', () => {
  const evening = new Date(2026, 9, 1, 21, 30).getTime();
  expect(fieldText(evening)).toBe('2026-10-01T21:30');
  expect(readField('2026-10-01T21:30')).toBe(evening);
  expect(readField('')).toBeNull();
});

describe('the marks on the scale', () => {
  test('are the finest that there is room for', () => {
    expect(marksOf(span, 100)).toMatchObject({ unit: 'day' });
    expect(marksOf(span, 100).at).toHaveLength(63);
    expect(marksOf(span, 10)).toMatchObject({ unit: 'week' });
    expect(marksOf(span, 3)).toMatchObject({ unit: 'month' });
    expect(marksOf({ first: new Date(1990, 4, 3).getTime(), now }, 8)).toMatchObject({ unit: 'decade' });
  });

  test('stand where days, weeks and months begin', () => {
    for (const week of marksOf(span, 10).at) expect(new Date(week).getDay()).toBe(1);
    expect(marksOf(span, 3).at).toEqual([new Date(2026, 9, 1).getTime(), new Date(2026, 10, 1).getTime()]);
    const quarters = marksOf({ first: new Date(2025, 7, 9).getTime(), now }, 6);
    expect(quarters.unit).toBe('quarter');
    expect(quarters.at[0]).toBe(new Date(2025, 9, 1).getTime());
  });

  test('are all within the span', () => {
    for (const at of marksOf(span, 100).at) expect(at > span.first && at < span.now).toBe(true);
  });
});
