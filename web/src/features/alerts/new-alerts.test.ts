import type { WireAlert } from '@perfume/contract/alerts';
import type { ChangeEvent } from '@perfume/contract/feed';
import { describe, expect, test } from 'vitest';
import { crossingDetector, newAlertDetector } from './new-alerts.ts';

function stockEvent(quantity: number, itemId = 'a', email = 'Ann@house.example'): ChangeEvent {
  const item = { _id: itemId, quantity: String(quantity), lowAt: 10, email } as ChangeEvent['item'];
  return { id: '0-1', itemId, kind: 'stock', item };
}

describe('alerts are refetched after a change', () => {
  const mine = { own: 'ann@house.example' };

  test('when it is the first of its item, and when it changes the stock status', () => {
    const isCrossing = crossingDetector();
    const crossings = [20, 19, 10, 9, 0, 0, 5, 11, 12].map((quantity) => isCrossing(stockEvent(quantity), mine));
    expect(crossings).toEqual([true, false, true, false, true, false, true, true, false]);
  });

  test('not when the item is somebody else’s, unless the user follows all items', () => {
    const isCrossing = crossingDetector();
    expect(isCrossing(stockEvent(5, 'b', 'ben@house.example'), mine)).toBe(false);
    expect(isCrossing(stockEvent(11, 'b', 'ben@house.example'), 'all')).toBe(true);
  });

  test('on every other kind of change but a creation, which also resets the item’s status', () => {
    const isCrossing = crossingDetector();
    isCrossing(stockEvent(5), mine);
    expect(isCrossing({ ...stockEvent(5), kind: 'created' }, mine)).toBe(false);
    expect(isCrossing(stockEvent(4), mine)).toBe(true);
    // When the reorder point of the warehouse changes, the change feed contains one edit, of any item.
    expect(isCrossing({ ...stockEvent(5, 'b', 'ben@house.example'), kind: 'edited' }, mine)).toBe(true);
    expect(isCrossing({ ...stockEvent(5), kind: 'deleted', item: null }, mine)).toBe(true);
    expect(isCrossing(stockEvent(4), mine)).toBe(true);
  });
});

describe('an alert is new', () => {
  const alert = (id: number) =>
    ({ id: String(id), at: new Date(1_000_000 + id * 1_000).toISOString() }) as unknown as WireAlert;
  const ids = (alerts: WireAlert[]) => alerts.map(({ id }) => id);

  test('when it was not in the list before; the first list is not new', () => {
    const newAlerts = newAlertDetector();
    expect(ids(newAlerts([alert(2), alert(1)]))).toEqual([]);
    expect(ids(newAlerts([alert(3), alert(2), alert(1)]))).toEqual(['3']);
    expect(ids(newAlerts([alert(3), alert(2), alert(1)]))).toEqual([]);
  });

  test('when the list was empty at first', () => {
    const newAlerts = newAlertDetector();
    newAlerts([]);
    expect(ids(newAlerts([alert(1)]))).toEqual(['1']);
  });

  test('not when older alerts appear because the user follows more items', () => {
    const newAlerts = newAlertDetector();
    newAlerts([alert(5)]);
    expect(ids(newAlerts([alert(5), alert(4), alert(3)]))).toEqual([]);
  });
});
