import type { WireAlert } from '@perfume/contract/alerts';
import type { ChangeEvent } from '@perfume/contract/feed';
import { describe, expect, test } from 'vitest';
import { crossingDetector, newAlertDetector } from './new-alerts.ts';

function stockOf(quantity: number, itemId = 'a', email = 'Ann@house.example'): ChangeEvent {
  const item = { _id: itemId, quantity: String(quantity), lowAt: 10, email } as ChangeEvent['item'];
  return { id: '0-1', itemId, kind: 'stock', item };
}

describe('a change is worth asking for alerts', () => {
  const mine = { own: 'ann@house.example' };

  test('when it is the first of its item, and when it changes the stock status', () => {
    const heard = crossingDetector();
    const asked = [20, 19, 10, 9, 0, 0, 5, 11, 12].map((quantity) => heard(stockOf(quantity), mine));
    expect(asked).toEqual([true, false, true, false, true, false, true, true, false]);
  });

  test('not when the item is somebody else’s, unless the user follows all items', () => {
    const heard = crossingDetector();
    expect(heard(stockOf(5, 'b', 'ben@house.example'), mine)).toBe(false);
    expect(heard(stockOf(11, 'b', 'ben@house.example'), 'all')).toBe(true);
  });

  test('on every other kind of change but a creation, which also resets the item’s status', () => {
    const heard = crossingDetector();
    heard(stockOf(5), mine);
    expect(heard({ ...stockOf(5), kind: 'created' }, mine)).toBe(false);
    expect(heard(stockOf(4), mine)).toBe(true);
    // One edit of anybody's item stands for a reorder point that all items follow.
    expect(heard({ ...stockOf(5, 'b', 'ben@house.example'), kind: 'edited' }, mine)).toBe(true);
    expect(heard({ ...stockOf(5), kind: 'deleted', item: null }, mine)).toBe(true);
    expect(heard(stockOf(4), mine)).toBe(true);
  });
});

describe('an alert has just come in', () => {
  const alert = (id: number) =>
    ({ id: String(id), at: new Date(1_000_000 + id * 1_000).toISOString() }) as unknown as WireAlert;
  const ids = (alerts: WireAlert[]) => alerts.map(({ id }) => id);

  test('when it was not in the list before; the first list is not new', () => {
    const news = newAlertDetector();
    expect(ids(news([alert(2), alert(1)]))).toEqual([]);
    expect(ids(news([alert(3), alert(2), alert(1)]))).toEqual(['3']);
    expect(ids(news([alert(3), alert(2), alert(1)]))).toEqual([]);
  });

  test('when the list was empty at first', () => {
    const news = newAlertDetector();
    news([]);
    expect(ids(news([alert(1)]))).toEqual(['1']);
  });

  test('not when older alerts appear because the user follows more items', () => {
    const news = newAlertDetector();
    news([alert(5)]);
    expect(ids(news([alert(5), alert(4), alert(3)]))).toEqual([]);
  });
});
