import { afterEach, expect, test, vi } from 'vitest';
import { callAhead, callOrAhead } from './call-ahead.ts';
import { callAs } from './client.ts';

function stubFetch(respond: () => Response | Promise<Response>) {
  const fetchMock = vi.fn(async () => respond());
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
}

const rows = { query: { limit: '100' } };

afterEach(() => {
  callAs(null);
  vi.unstubAllGlobals();
});

test('a call gets the reply to the same request of the same user, once', async () => {
  const fetchMock = stubFetch(() => Response.json([]));
  callAhead('GET /all-inventory-items', rows);
  expect(fetchMock).not.toHaveBeenCalled();
  callAs({ id: 'ines' });
  callAhead('GET /all-inventory-items', rows);
  await callOrAhead('GET /all-inventory-items', { query: { limit: '1' } });
  await callOrAhead('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(2);
  await callOrAhead('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(3);
  callAhead('GET /all-inventory-items', rows);
  callAs({ id: 'otto' });
  await callOrAhead('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(5);
});

test('a reply that nobody has asked for is not kept for long', async () => {
  vi.useFakeTimers();
  const fetchMock = stubFetch(() => Response.json([]));
  callAs({ id: 'ines' });
  callAhead('GET /all-inventory-items', rows);
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await callOrAhead('GET /all-inventory-items', rows);
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

test('a request that has failed is sent again', async () => {
  callAs({ id: 'ines' });
  stubFetch(() => Promise.reject(new TypeError('Failed to fetch')));
  callAhead('GET /all-inventory-items', rows);
  stubFetch(() => Response.json([{ name: 'Oud' }]));
  expect((await callOrAhead('GET /all-inventory-items', rows)).data).toEqual([{ name: 'Oud' }]);
});
