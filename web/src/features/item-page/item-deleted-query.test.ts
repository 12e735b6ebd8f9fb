import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { itemDeletedQuery } from './item-deleted-query.ts';

const ID = '0190a000-0000-7000-8000-000000000000';
const fetchMock = vi.fn<() => Promise<Response>>();
environmentManager.setIsServer(() => false);
let stop = () => {};

/** Observes the query, as an open page does. */
function observe(id = ID) {
  const observer = new QueryObserver(queryClient, itemDeletedQuery(id));
  stop = observer.subscribe(() => {});
  return () => observer.getCurrentResult();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock.mockReset());
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  stop();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('whether an item was deleted', () => {
  test.each([
    ['it has a history', Response.json([]), true],
    ['the server does not know it', Response.json({ code: 'item_not_found' }, { status: 404 }), false],
  ])('is known when %s', async (_, answer, expected) => {
    fetchMock.mockResolvedValue(answer);
    const result = observe();
    await vi.advanceTimersByTimeAsync(0);
    expect(result().data).toBe(expected);
  });

  test('is false without a request for a malformed id', async () => {
    const result = observe('no-such-thing');
    await vi.advanceTimersByTimeAsync(0);
    expect(result().data).toBe(false);
    expect(fetchMock).not.toHaveBeenCalled();
  });

  test.each([
    ['without a connection', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['while the server is unavailable', async () => Response.json({ code: 'unavailable' }, { status: 503 })],
    ['after an internal error', async () => Response.json({ code: 'internal' }, { status: 500 })],
  ])('is unknown %s, and is retried until the server answers', async (_, failing) => {
    fetchMock.mockImplementation(failing);
    const result = observe();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(result().data).toBeUndefined();
    expect(result().errorUpdateCount).toBeGreaterThan(1);
    fetchMock.mockResolvedValue(Response.json([]));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(result().data).toBe(true);
    const calls = fetchMock.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetchMock).toHaveBeenCalledTimes(calls);
  });
});
