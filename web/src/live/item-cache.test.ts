import { toWire } from '@perfume/contract/wire-item';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import {
  cachedItem,
  type ListFilters,
  type ListPage,
  listPageQuery,
  refetchLists,
  removeCachedItem,
  updateCachedItem,
} from './item-cache.ts';

const everything: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };
const found: ListFilters = { ...everything, q: 'oud' };

const item = (id: string, version = 1) => testItem({ id, name: id, quantity: version, version });

function put(filters: ListFilters, page: number, ids: string[], total: number): void {
  queryClient.setQueryData<ListPage>(listPageQuery(filters, page).queryKey, {
    items: ids.map((id) => item(id)),
    total,
  });
}

function seen(filters: ListFilters, page: number): [ids: string, total: number] | undefined {
  const data = queryClient.getQueryData<ListPage>(listPageQuery(filters, page).queryKey);
  return data && [data.items.map(({ id }) => id).join(''), data.total];
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a removed item', () => {
  test('leaves its list, and the rows below move up across pages', () => {
    put(everything, 0, ['a', 'b'], 9);
    put(everything, 1, ['c', 'd'], 9);
    put(everything, 2, ['e', 'f'], 9);
    put(everything, 4, ['i'], 9);
    removeCachedItem('c');
    expect([0, 1, 2, 4].map((page) => seen(everything, page))).toEqual([
      ['ab', 8],
      ['de', 8],
      ['f', 8],
      ['', 8],
    ]);
  });

  test('does not change lists without it', () => {
    put(everything, 0, ['a', 'b'], 2);
    put(found, 0, ['b'], 1);
    removeCachedItem('a');
    expect(seen(found, 0)).toEqual(['b', 1]);
  });
});

test('a stale page stays stale when one of its items changes', async () => {
  put(everything, 0, ['a'], 1);
  await queryClient.invalidateQueries({ queryKey: ['list'] });
  updateCachedItem(item('a', 2));
  expect(queryClient.getQueryData(listPageQuery(everything, 0).queryKey)?.items[0]?.quantity).toBe(2);
  expect(queryClient.getQueryState(listPageQuery(everything, 0).queryKey)?.isInvalidated).toBe(true);
});

describe('a list of the past', () => {
  const past: ListFilters = { ...everything, at: '2026-03-01T12:00:00Z' };

  test('is requested at its instant, with the same search, order and filter', async () => {
    const asked = vi.fn(async (_url: string) => Response.json([], { headers: { 'x-total-count': '0' } }));
    vi.stubGlobal('fetch', asked);
    await queryClient.fetchQuery(listPageQuery({ ...past, q: 'oud', sort: '-price', stock: 'low' }, 2));
    const [path, search] = String(asked.mock.calls[0]?.[0]).split('?');
    expect(path).toBe('/as-of');
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      at: past.at,
      q: 'oud',
      sort: '-price',
      stock: 'low',
      limit: '100',
      skip: '200',
    });
  });

  test('stays as it was, whatever is changed or deleted today', async () => {
    const asked = vi.fn();
    vi.stubGlobal('fetch', asked);
    put(past, 0, ['a', 'b'], 2);
    const stop = new QueryObserver(queryClient, listPageQuery(past, 0)).subscribe(() => {});
    updateCachedItem(item('a', 7));
    removeCachedItem('b');
    refetchLists();
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    expect(seen(past, 0)).toEqual(['ab', 2]);
    expect(queryClient.getQueryData(listPageQuery(past, 0).queryKey)?.items[0]?.quantity).toBe(1);
    expect(asked).not.toHaveBeenCalled();
  });

  test("shows the server's version, not a newer one from the cache", async () => {
    updateCachedItem(item('seen', 9));
    const wire = { ...toWire(item('seen', 9)), quantity: '3' };
    vi.stubGlobal('fetch', async () => Response.json([wire], { headers: { 'x-total-count': '1' } }));
    const { items } = await queryClient.fetchQuery(listPageQuery(past, 0));
    expect(items[0]?.quantity).toBe(3);
  });

  test('is no source for the current version of an item', () => {
    put(past, 0, ['c'], 1);
    expect(cachedItem('c')).toBeNull();
  });
});

test('lists are refetched once for many changes, and a refetch in flight is not aborted', async () => {
  const answers: (() => void)[] = [];
  const asked = vi.fn(
    () =>
      new Promise<Response>((resolve) => {
        answers.push(() => resolve(Response.json([], { headers: { 'x-total-count': '0' } })));
      }),
  );
  vi.stubGlobal('fetch', asked);
  put(everything, 0, ['a'], 1);
  const stop = new QueryObserver(queryClient, listPageQuery(everything, 0)).subscribe(() => {});
  for (let change = 0; change < 5; change++) refetchLists();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let change = 0; change < 50; change++) {
    refetchLists();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked).toHaveBeenCalledTimes(1);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toHaveBeenCalledTimes(2);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toHaveBeenCalledTimes(2);
  stop();
});
