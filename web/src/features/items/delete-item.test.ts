import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { type ListPage, listPageQuery } from '../../live/item-cache.ts';
import { applyChange } from '../../live/live-items.ts';
import { testItem } from '../../testing.ts';
import { deleteItem, restoreItem } from './delete-item.ts';

const filters = { scope: 'all', email: '', q: '', sort: 'newest', stock: null } as const;
const { queryKey } = listPageQuery(filters, 0);
const names = () => queryClient.getQueryData<ListPage>(queryKey)?.items.map(({ name }) => name);

const perfume = (name: string) =>
  testItem({ id: `0190b000-0000-7000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`, name });
const [amber, iris, oud] = [perfume('amber'), perfume('iris'), perfume('oud')];

let respond: (response: Response) => void;
const fetchMock = vi.fn();

beforeEach(() => {
  fetchMock.mockReset().mockImplementation(() => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    respond = resolve;
    return promise;
  });
  vi.stubGlobal('fetch', fetchMock);
  queryClient.setQueryData<ListPage>(queryKey, { items: [amber, iris, oud], total: 3 });
  queryClient.setQueryData<Item | null>(['item', iris.id], iris);
});

afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a deletion', () => {
  test('removes the item from lists and its own page at the click', async () => {
    const done = deleteItem(iris);
    expect(names()).toEqual(['amber', 'oud']);
    expect(queryClient.getQueryData(['item', iris.id])).toBeNull();
    expect(fetchMock.mock.calls[0]?.[0]).toBe(`/inventory-items/${iris.id}`);
    expect(new Headers(fetchMock.mock.calls[0]?.[1].headers).get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    respond(Response.json({ _id: iris.id, deletedCount: 1 }));
    await done;
    expect(names()).toEqual(['amber', 'oud']);
  });

  test('puts the row back in place when refused, even offline', async () => {
    vi.useFakeTimers();
    fetchMock.mockReset().mockRejectedValue(new TypeError('Failed to fetch'));
    const done = expect(deleteItem(iris)).rejects.toMatchObject({ code: 'offline' });
    expect(names()).toEqual(['amber', 'oud']);
    await vi.advanceTimersByTimeAsync(3_800);
    await done;
    expect(fetchMock).toHaveBeenCalledTimes(4);
    expect(names()).toEqual(['amber', 'iris', 'oud']);
    expect(queryClient.getQueryData<ListPage>(queryKey)?.total).toBe(3);
    expect(queryClient.getQueryData(['item', iris.id])).toEqual(iris);
  });

  test('leaves a list alone that was refetched before the refusal', async () => {
    const done = deleteItem(iris);
    queryClient.setQueryData<ListPage>(queryKey, { items: [oud], total: 1 });
    respond(Response.json({ code: 'internal' }, { status: 500 }));
    await expect(done).rejects.toMatchObject({ code: 'internal' });
    expect(names()).toEqual(['oud']);
  });

  test('ignores updates from the change feed while it is pending', async () => {
    const done = deleteItem(iris);
    applyChange({ id: '1-1', itemId: iris.id, kind: 'stock', item: toWire({ ...iris, version: 3, quantity: 2 }) });
    expect(queryClient.getQueryData(['item', iris.id])).toBeNull();
    applyChange({ id: '1-2', itemId: iris.id, kind: 'deleted', item: null });
    respond(Response.json({ _id: iris.id, deletedCount: 1 }));
    await done;
    expect(queryClient.getQueryData(['item', iris.id])).toBeNull();
  });
});

test('a restored item is shown on its page again', async () => {
  queryClient.setQueryData(['item', iris.id], null);
  const done = restoreItem(iris.id);
  expect(fetchMock.mock.calls[0]?.[0]).toBe(`/inventory-items/${iris.id}/restore`);
  respond(Response.json(toWire({ ...iris, version: 4 })));
  await done;
  expect(queryClient.getQueryData<Item>(['item', iris.id])?.version).toBe(4);
});
