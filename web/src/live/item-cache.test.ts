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

const noFilters: ListFilters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null };
const searchFilters: ListFilters = { ...noFilters, q: 'oud' };

const item = (id: string, version = 1) => testItem({ id, name: id, quantity: version, version });

function cachePage(filters: ListFilters, page: number, ids: string[], total: number): void {
  queryClient.setQueryData<ListPage>(listPageQuery(filters, page).queryKey, {
    items: ids.map((id) => item(id)),
    total,
  });
}

function cachedPage(filters: ListFilters, page: number): [ids: string, total: number] | undefined {
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
    cachePage(noFilters, 0, ['a', 'b'], 9);
    cachePage(noFilters, 1, ['c', 'd'], 9);
    cachePage(noFilters, 2, ['e', 'f'], 9);
    cachePage(noFilters, 4, ['i'], 9);
    removeCachedItem('c');
    expect([0, 1, 2, 4].map((page) => cachedPage(noFilters, page))).toEqual([
      ['ab', 8],
      ['de', 8],
      ['f', 8],
      ['', 8],
    ]);
  });

  test('does not change lists without it', () => {
    cachePage(noFilters, 0, ['a', 'b'], 2);
    cachePage(searchFilters, 0, ['b'], 1);
    removeCachedItem('a');
    expect(cachedPage(searchFilters, 0)).toEqual(['b', 1]);
  });
});

test('a stale page stays stale when one of its items changes', async () => {
  cachePage(noFilters, 0, ['a'], 1);
  await queryClient.invalidateQueries({ queryKey: ['list'] });
  updateCachedItem(item('a', 2));
  expect(queryClient.getQueryData(listPageQuery(noFilters, 0).queryKey)?.items[0]?.quantity).toBe(2);
  expect(queryClient.getQueryState(listPageQuery(noFilters, 0).queryKey)?.isInvalidated).toBe(true);
});

describe('a list of the past', () => {
  const past: ListFilters = { ...noFilters, at: '2026-03-01T12:00:00Z' };

  test('is requested at its instant, with the same search, order and filter', async () => {
    const fetchMock = vi.fn(async (_url: string) => Response.json([], { headers: { 'x-total-count': '0' } }));
    vi.stubGlobal('fetch', fetchMock);
    await queryClient.fetchQuery(listPageQuery({ ...past, q: 'oud', sort: '-price', stock: 'low' }, 2));
    const [path, search] = String(fetchMock.mock.calls[0]?.[0]).split('?');
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
    const fetchMock = vi.fn();
    vi.stubGlobal('fetch', fetchMock);
    cachePage(past, 0, ['a', 'b'], 2);
    const stop = new QueryObserver(queryClient, listPageQuery(past, 0)).subscribe(() => {});
    updateCachedItem(item('a', 7));
    removeCachedItem('b');
    refetchLists();
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    expect(cachedPage(past, 0)).toEqual(['ab', 2]);
    expect(queryClient.getQueryData(listPageQuery(past, 0).queryKey)?.items[0]?.quantity).toBe(1);
    expect(fetchMock).not.toHaveBeenCalled();
  });

  test("shows the server's version, not a newer one from the cache", async () => {
    updateCachedItem(item('seen', 9));
    const wire = { ...toWire(item('seen', 9)), quantity: '3' };
    vi.stubGlobal('fetch', async () => Response.json([wire], { headers: { 'x-total-count': '1' } }));
    const { items } = await queryClient.fetchQuery(listPageQuery(past, 0));
    expect(items[0]?.quantity).toBe(3);
  });

  test('does not provide the current version of an item', () => {
    cachePage(past, 0, ['c'], 1);
    expect(cachedItem('c')).toBeNull();
  });
});

test('lists are refetched once for many changes, and a refetch in flight is not aborted', async () => {
  const responses: (() => void)[] = [];
  const fetchMock = vi.fn(
    () =>
      new Promise<Response>((resolve) => {
        responses.push(() => resolve(Response.json([], { headers: { 'x-total-count': '0' } })));
      }),
  );
  vi.stubGlobal('fetch', fetchMock);
  cachePage(noFilters, 0, ['a'], 1);
  const stop = new QueryObserver(queryClient, listPageQuery(noFilters, 0)).subscribe(() => {});
  for (let change = 0; change < 5; change++) refetchLists();
  await vi.advanceTimersByTimeAsync(200);
  expect(fetchMock).toHaveBeenCalledTimes(1);
  for (let change = 0; change < 50; change++) {
    refetchLists();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(fetchMock).toHaveBeenCalledTimes(1);
  responses[0]?.();
  await vi.advanceTimersByTimeAsync(200);
  expect(fetchMock).toHaveBeenCalledTimes(2);
  responses[1]?.();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(fetchMock).toHaveBeenCalledTimes(2);
  stop();
});
