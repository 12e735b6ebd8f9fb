import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createItem } from './create-item.ts';

const iris = {
  name: 'Iris',
  price: '12.50',
  quantity: '3',
  imageUrl: '',
  description: '',
  supplierName: '',
  email: '',
  sku: '',
  barcodes: '',
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('creating an item gives up on a connection that does not respond, and sends every attempt under the same key', async () => {
  const fetchMock = vi.fn((_: string, __: RequestInit) => new Promise<Response>(() => {}));
  vi.stubGlobal('fetch', fetchMock);
  const outcome = expect(createItem(iris, 'key-1')).rejects.toMatchObject({ code: 'offline' });
  await vi.advanceTimersByTimeAsync(60_000);
  await outcome;
  expect(fetchMock.mock.calls.length).toBeGreaterThan(1);
  for (const [, { headers, signal }] of fetchMock.mock.calls) {
    expect(new Headers(headers).get('idempotency-key')).toBe('key-1');
    expect(signal?.aborted).toBe(true);
  }
});
