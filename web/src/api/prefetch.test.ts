import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callAs } from './client.ts';
import { callOrPrefetched, prefetch } from './prefetch.ts';

function stubFetch(respond: () => Response | Promise<Response>) {
  const fetchMock = vi.fn(async () => respond());
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
}

const page = { documentElement: { dataset: {} as Record<string, string> } };
beforeEach(() => {
  page.documentElement.dataset = {};
  vi.stubGlobal('document', page);
});

const rows = { query: { limit: '100' } };

afterEach(() => {
  callAs(null);
  vi.unstubAllGlobals();
});

test('a call gets the reply to the same request of the same user, once', async () => {
  const fetchMock = stubFetch(() => Response.json([]));
  prefetch('GET /all-inventory-items', rows);
  expect(fetchMock).not.toHaveBeenCalled();
  callAs({ id: 'ines' });
  prefetch('GET /all-inventory-items', rows);
  await callOrPrefetched('GET /all-inventory-items', { query: { limit: '1' } });
  await callOrPrefetched('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(2);
  await callOrPrefetched('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(3);
  prefetch('GET /all-inventory-items', rows);
  callAs({ id: 'otto' });
  await callOrPrefetched('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(5);
});

test('a reply that nobody has asked for is not kept for long', async () => {
  vi.useFakeTimers();
  const fetchMock = stubFetch(() => Response.json([]));
  callAs({ id: 'olga' });
  prefetch('GET /all-inventory-items', rows);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await callOrPrefetched('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

test('only the first page prefetches: later, the reply could be older than a change that was reported', async () => {
  const fetchMock = stubFetch(() => Response.json([]));
  callAs({ id: 'omar' });
  page.documentElement.dataset.hydrated = '';
  prefetch('GET /all-inventory-items', rows);
  expect(fetchMock).not.toHaveBeenCalled();
});

test('a refused request is sent again, for those who listen by then; one that can be retried is left to the query', async () => {
  callAs({ id: 'otis' });
  for (const [status, calls] of [
    [403, 2],
    [503, 1],
  ] as const) {
    const fetchMock = stubFetch(() => Response.json({ code: 'internal' }, { status }));
    prefetch('GET /all-inventory-items', rows);
    await expect(callOrPrefetched('GET /all-inventory-items', rows)).rejects.toMatchObject({ status });
    expect(fetchMock).toHaveBeenCalledTimes(calls);
  }
});
