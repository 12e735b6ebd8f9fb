import { describe, expect, test } from 'vitest';
import { type AlertKind, alertsToSend, lastDigestTime } from './alerts.ts';

describe('an email about several alerts', () => {
  const sent = (...alerts: [itemId: string, kind: AlertKind][]) =>
    alertsToSend(alerts.map(([itemId, kind]) => ({ itemId, kind }))).map(({ itemId, kind }) => `${itemId} ${kind}`);

  test('contains the latest alert of each item', () => {
    expect(sent(['a', 'low'], ['b', 'low'], ['a', 'out'])).toEqual(['b low', 'a out']);
    expect(sent(['a', 'recovered'], ['a', 'low'])).toEqual(['a low']);
  });

  test('leaves out an item that became low and recovered', () => {
    expect(sent(['a', 'low'], ['a', 'recovered'], ['b', 'recovered'])).toEqual(['b recovered']);
    expect(sent(['a', 'low'], ['a', 'out'], ['a', 'recovered'])).toEqual([]);
  });
});

test.each([
  ['2026-05-04T06:59:59.999Z', '2026-05-03T07:00:00.000Z'],
  ['2026-05-04T07:00:00.000Z', '2026-05-04T07:00:00.000Z'],
  ['2026-05-04T23:30:00.000Z', '2026-05-04T07:00:00.000Z'],
  ['2026-03-01T00:00:00.000Z', '2026-02-28T07:00:00.000Z'],
])('at %s the last digest time was %s', (now, time) => {
  expect(new Date(lastDigestTime(Date.parse(now))).toISOString()).toBe(time);
});
