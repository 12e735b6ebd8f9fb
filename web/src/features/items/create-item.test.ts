import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createItem } from './create-item.ts';

const iris = { name: 'Iris', price: '12.50', quantity: '3', img: '', description: '', suplierName: '', email: '' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('gives up on a connection that does not answer, and sends every try with the same key', async () => {
  const fetching = vi.fn((_: string, __: RequestInit) => new Promise<Response>(() => {}));
  vi.stubGlobal('fetch', fetching);
  const outcome = expect(createItem(iris, 'key-1')).rejects.toMatchObject({ code: 'offline' });
  await vi.advanceTimersByTimeAsync(60_000);
  await outcome;
  expect(fetching.mock.calls.length).toBeGreaterThan(1);
  for (const [, { headers, signal }] of fetching.mock.calls) {
    expect(new Headers(headers).get('idempotency-key')).toBe('key-1');
    expect(signal?.aborted).toBe(true);
  }
});
