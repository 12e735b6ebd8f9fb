import type { ChangeEvent } from '@perfume/contract/feed';
import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { itemQuery, type ListFilters, type ListPage, listPageQuery } from './item-cache.ts';
import { applyChange, feedStart, holdUpdates, onLiveChange } from './live-items.ts';

const noFilters: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };
let ids = 0;
let iris: Item;

const itemOnPage = () => queryClient.getQueryData<Item | null>(['item', iris.id]);
const itemInList = () => queryClient.getQueryData<ListPage>(listPageQuery(noFilters, 0).queryKey)?.items[0];
const itemAt = (version: number, quantity: number): Item => ({ ...iris, version, quantity });

function changeEvent(kind: ChangeEvent['kind'], item: Item | null): ChangeEvent {
  return { id: '1-1', itemId: iris.id, kind, item: item && toWire(item) };
}

beforeEach(() => {
  vi.useFakeTimers();
  iris = testItem({ id: `0190c000-0000-7000-8000-${String(++ids).padStart(12, '0')}`, name: 'Iris' });
  queryClient.setQueryData(['item', iris.id], iris);
  queryClient.setQueryData<ListPage>(listPageQuery(noFilters, 0).queryKey, { items: [iris], total: 1 });
});

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Whether a visible list with these filters is refetched after `event`. */
async function isRefetched(filters: ListFilters, event: ChangeEvent): Promise<boolean> {
  const read = vi.fn(async (): Promise<ListPage> => ({ items: [iris], total: 1 }));
  const observer = new QueryObserver(queryClient, { ...listPageQuery(filters, 0), queryFn: read });
  const unsubscribe = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  read.mockClear();
  applyChange(event);
  await vi.advanceTimersByTimeAsync(1_000);
  unsubscribe();
  return read.mock.calls.length > 0;
}

test('only the first feed of a page starts where it was when the page was made', () => {
  expect([feedStart('1-7'), feedStart('1-7')]).toEqual(['1-7', null]);
});

describe('a change by any user', () => {
  test('fetches a list again that was being fetched for the first time', async () => {
    queryClient.clear();
    const reads: ((page: ListPage) => void)[] = [];
    const queryFn = () => new Promise<ListPage>((resolve) => reads.push(resolve));
    const observer = new QueryObserver(queryClient, { ...listPageQuery(noFilters, 0), queryFn });
    const unsubscribe = observer.subscribe(() => {});
    applyChange(changeEvent('created', iris));
    for (const page of [
      { items: [], total: 0 },
      { items: [iris], total: 1 },
    ]) {
      await vi.advanceTimersByTimeAsync(1_000);
      reads.at(-1)?.(page);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect([reads.length, observer.getCurrentResult().data?.total]).toEqual([2, 1]);
    unsubscribe();
  });

  test('updates the item page and the lists', () => {
    applyChange(changeEvent('stock', itemAt(6, 41)));
    expect(itemOnPage()?.quantity).toBe(41);
    expect(itemInList()?.quantity).toBe(41);
  });

  test('changes nothing when it is older than the cached version', () => {
    applyChange(changeEvent('stock', itemAt(7, 40)));
    applyChange(changeEvent('stock', itemAt(6, 41)));
    expect(itemOnPage()?.quantity).toBe(40);
  });

  test('that deletes the item removes it, and one that restores it brings it back', () => {
    applyChange(changeEvent('deleted', null));
    expect(itemOnPage()).toBeNull();
    expect(itemInList()).toBeUndefined();
    applyChange(changeEvent('restored', itemAt(7, 42)));
    expect(itemOnPage()?.version).toBe(7);
  });

  test.each([
    ['deleted', null, 'refetch'],
    ['restored', 'there', 'refetch'],
    ['deleted', null, 'first fetch'],
    ['restored', 'there', 'first fetch'],
  ] as const)(
    'that %s the item (now %s) is not reverted by an older response to a %s',
    async (kind, after, request) => {
      const itemAfter = after === 'there' ? itemAt(7, 42) : null;
      const before = itemAfter ? null : iris;
      const responses = [before, itemAfter];
      const read = async () => {
        const response = responses.shift() ?? null;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return response;
      };
      if (request === 'refetch') queryClient.setQueryData(['item', iris.id], before);
      else queryClient.removeQueries({ queryKey: ['item', iris.id] });
      const screen = new QueryObserver(queryClient, { ...itemQuery(iris.id), queryFn: read, staleTime: 0 });
      const unsubscribe = screen.subscribe(() => {});
      applyChange(changeEvent(kind, itemAfter));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(itemOnPage()?.version ?? itemOnPage()).toBe(itemAfter?.version ?? null);
      unsubscribe();
    },
  );

  test('is reported to listeners before the cache is updated', () => {
    const seen: unknown[] = [];
    const stop = onLiveChange(({ kind }) => seen.push(kind, itemOnPage()?.quantity));
    applyChange(changeEvent('stock', itemAt(6, 41)));
    stop();
    applyChange(changeEvent('stock', itemAt(7, 40)));
    expect(seen).toEqual(['stock', 42]);
  });

  test('refetches lists when items are created or deleted, or when rows are sorted by stock', async () => {
    expect(await isRefetched(noFilters, changeEvent('created', itemAt(6, 1)))).toBe(true);
    expect(await isRefetched(noFilters, changeEvent('stock', itemAt(7, 1)))).toBe(false);
    expect(await isRefetched({ ...noFilters, sort: '-quantity' }, changeEvent('stock', itemAt(8, 1)))).toBe(true);
    expect(await isRefetched({ ...noFilters, stock: 'low' }, changeEvent('stock', itemAt(9, 1)))).toBe(true);
  });
});

describe('an item with a request in flight', () => {
  test('ignores the feed until the response, and then applies all of it', () => {
    const release = holdUpdates(iris.id);
    const listener = vi.fn();
    const stop = onLiveChange(listener);
    applyChange(changeEvent('edited', itemAt(6, 42)));
    applyChange(changeEvent('stock', itemAt(7, 41)));
    expect(itemOnPage()?.version).toBe(5);
    expect(listener).not.toHaveBeenCalled();
    release();
    expect(itemOnPage()?.version).toBe(7);
    expect(listener.mock.calls.map(([{ kind }]) => kind)).toEqual(['edited', 'stock']);
    stop();
  });

  test('waits for both of two clicks', () => {
    const first = holdUpdates(iris.id);
    const second = holdUpdates(iris.id);
    applyChange(changeEvent('stock', itemAt(6, 41)));
    first();
    expect(itemOnPage()?.version).toBe(5);
    second();
    expect(itemOnPage()?.version).toBe(6);
  });

  test('does not hold back other items', () => {
    const release = holdUpdates('another');
    applyChange(changeEvent('stock', itemAt(6, 41)));
    expect(itemOnPage()?.version).toBe(6);
    release();
  });
});
