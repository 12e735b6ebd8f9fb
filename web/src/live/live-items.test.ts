import type { ChangeEvent } from '@perfume/contract/feed';
import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { itemQuery, type ListFilters, type ListPage, listPageQuery } from './item-cache.ts';
import { applyChange, holdUpdates, onLiveChange } from './live-items.ts';

const everything: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };
let ids = 0;
let iris: Item;

const onScreen = () => queryClient.getQueryData<Item | null>(['item', iris.id]);
const inList = () => queryClient.getQueryData<ListPage>(listPageQuery(everything, 0).queryKey)?.items[0];
const at = (version: number, quantity: number): Item => ({ ...iris, version, quantity });

function told(kind: ChangeEvent['kind'], item: Item | null): ChangeEvent {
  return { id: '1-1', itemId: iris.id, kind, item: item && toWire(item) };
}

beforeEach(() => {
  vi.useFakeTimers();
  iris = testItem({ id: `0190c000-0000-7000-8000-${String(++ids).padStart(12, '0')}`, name: 'Iris' });
  queryClient.setQueryData(['item', iris.id], iris);
  queryClient.setQueryData<ListPage>(listPageQuery(everything, 0).queryKey, { items: [iris], total: 1 });
});

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether a list with these filters, on screen, is read again after `event`. */
async function isReadAgain(filters: ListFilters, event: ChangeEvent): Promise<boolean> {
  const read = vi.fn(async (): Promise<ListPage> => ({ items: [iris], total: 1 }));
  const observer = new QueryObserver(queryClient, { ...listPageQuery(filters, 0), queryFn: read });
  const leave = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  read.mockClear();
  applyChange(event);
  await vi.advanceTimersByTimeAsync(1_000);
  leave();
  return read.mock.calls.length > 0;
}

describe('a change by any user', () => {
  test('updates the item page and the lists', () => {
    applyChange(told('stock', at(6, 41)));
    expect(onScreen()?.quantity).toBe(41);
    expect(inList()?.quantity).toBe(41);
  });

  test('changes nothing when it is older than the cached version', () => {
    applyChange(told('stock', at(7, 40)));
    applyChange(told('stock', at(6, 41)));
    expect(onScreen()?.quantity).toBe(40);
  });

  test('that deletes the item removes it, and one that restores it brings it back', () => {
    applyChange(told('deleted', null));
    expect(onScreen()).toBeNull();
    expect(inList()).toBeUndefined();
    applyChange(told('restored', at(7, 42)));
    expect(onScreen()?.version).toBe(7);
  });

  test.each([
    ['deleted', null, 'again'],
    ['restored', 'there', 'again'],
    ['deleted', null, 'for the first time'],
    ['restored', 'there', 'for the first time'],
  ] as const)('that has %s the item (%s) is not taken back by an answer read %s', async (kind, after, reading) => {
    const isThere = after === 'there' ? at(7, 42) : null;
    const before = isThere ? null : iris;
    const answers = [before, isThere];
    const read = async () => {
      const answer = answers.shift() ?? null;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answer;
    };
    if (reading === 'again') queryClient.setQueryData(['item', iris.id], before);
    else queryClient.removeQueries({ queryKey: ['item', iris.id] });
    const screen = new QueryObserver(queryClient, { ...itemQuery(iris.id), queryFn: read, staleTime: 0 });
    const leave = screen.subscribe(() => {});
    applyChange(told(kind, isThere));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(onScreen()?.version ?? onScreen()).toBe(isThere?.version ?? null);
    leave();
  });

  test('is reported to listeners before the cache is updated', () => {
    const seen: unknown[] = [];
    const stop = onLiveChange(({ kind }) => seen.push(kind, onScreen()?.quantity));
    applyChange(told('stock', at(6, 41)));
    stop();
    applyChange(told('stock', at(7, 40)));
    expect(seen).toEqual(['stock', 42]);
  });

  test('refetches lists when items are created or deleted, or when rows are sorted by stock', async () => {
    expect(await isReadAgain(everything, told('created', at(6, 1)))).toBe(true);
    expect(await isReadAgain(everything, told('stock', at(7, 1)))).toBe(false);
    expect(await isReadAgain({ ...everything, sort: '-quantity' }, told('stock', at(8, 1)))).toBe(true);
    expect(await isReadAgain({ ...everything, stock: 'low' }, told('stock', at(9, 1)))).toBe(true);
  });
});

describe('an item with a request in flight', () => {
  test('ignores the feed until the reply, and then applies all of it', () => {
    const release = holdUpdates(iris.id);
    const heard = vi.fn();
    const stop = onLiveChange(heard);
    applyChange(told('edited', at(6, 42)));
    applyChange(told('stock', at(7, 41)));
    expect(onScreen()?.version).toBe(5);
    expect(heard).not.toHaveBeenCalled();
    release();
    expect(onScreen()?.version).toBe(7);
    expect(heard.mock.calls.map(([{ kind }]) => kind)).toEqual(['edited', 'stock']);
    stop();
  });

  test('waits for both of two clicks', () => {
    const first = holdUpdates(iris.id);
    const second = holdUpdates(iris.id);
    applyChange(told('stock', at(6, 41)));
    first();
    expect(onScreen()?.version).toBe(5);
    second();
    expect(onScreen()?.version).toBe(6);
  });

  test('does not hold back other items', () => {
    const release = holdUpdates('another');
    applyChange(told('stock', at(6, 41)));
    expect(onScreen()?.version).toBe(6);
    release();
  });
});
