import { afterEach, expect, test } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { itemQuery, updateCachedItem } from './item-cache.ts';
import { setPending, withoutPending, withPending } from './pending-stock.ts';

const item = testItem({ quantity: 5 });
const pending = (delta: number) => setPending(new Map([[item.id, delta]]), new Map());
const shown = () => queryClient.getQueryData(itemQuery(item.id).queryKey);

afterEach(() => {
  setPending(new Map(), new Map());
  queryClient.clear();
});

test('what waits on this device is in the quantity once, however often it is added', () => {
  pending(-2);
  expect(withPending(withPending(item)).quantity).toBe(3);
  expect(withoutPending(withPending(item))).toEqual(item);
});

test('a quantity with more deliveries than units on hand is zero, and nothing is lost when they are undone', () => {
  pending(-9);
  const sold = withPending(item);
  expect(sold.quantity).toBe(0);
  pending(-1);
  expect(withPending(sold).quantity).toBe(4);
});

test('an item from the server replaces what is known, and keeps what waits', () => {
  queryClient.setQueryData(itemQuery(item.id).queryKey, item);
  pending(-2);
  updateCachedItem({ ...item, version: 9, quantity: 50 });
  expect(shown()).toMatchObject({ version: 9, quantity: 48 });
  setPending(new Map(), new Map());
  updateCachedItem(shown() ?? item);
  expect(shown()).toMatchObject({ version: 9, quantity: 50 });
});
