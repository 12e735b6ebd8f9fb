import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { testItem } from '../../testing.ts';
import { findByCode, findScanned } from './find-by-code.ts';

const device = vi.hoisted(() => ({ copy: null as Item | null }));
vi.mock('../../live/seen-data.ts', async (original) => ({
  ...(await original<typeof import('../../live/seen-data.ts')>()),
  findOffline: async () => device.copy,
}));

// The code was moved from one item to the other, later. The device still has the first with it.
const before = testItem({ id: '0190c000-0000-7000-8000-000000000001', name: 'Before', sku: 'N-1', updatedAt: 1 });
const now = testItem({ id: '0190c000-0000-7000-8000-000000000002', name: 'Now', sku: 'N-1', updatedAt: 2 });
let answerAfterMs: number;

beforeEach(() => {
  vi.useFakeTimers();
  device.copy = null;
  answerAfterMs = 0;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    if (!navigator.onLine) throw new TypeError('Failed to fetch');
    await new Promise((resolve, reject) => {
      setTimeout(resolve, answerAfterMs);
      signal.addEventListener('abort', reject);
    });
    return Response.json(toWire(now));
  });
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function found(work: Promise<Item | null>): Promise<string | undefined> {
  const [item] = await Promise.all([work, vi.advanceTimersByTimeAsync(30_000)]);
  return item?.name;
}

test('the server decides which item has a code, also when it answers late', async () => {
  device.copy = before;
  answerAfterMs = 1_600;
  expect(await found(findByCode('N-1'))).toBe('Now');
});

test('the copy on this device is used when the server does not answer', async () => {
  device.copy = before;
  answerAfterMs = 15_000;
  expect(await found(findByCode('N-1'))).toBe('Before');
});

test('without a connection the newest copy is used at once', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  queryClient.setQueryData(['item', before.id], before);
  device.copy = now;
  expect((await findByCode('N-1'))?.name).toBe('Now');
  expect((await findScanned('N-1')).item?.name).toBe('Now');
});

test('of two items on screen with the same code, the one that changed last has it', async () => {
  answerAfterMs = 15_000;
  for (const item of [before, now]) queryClient.setQueryData(['item', item.id], item);
  expect((await findByCode('N-1'))?.name).toBe('Now');
});

test('what was read before changes were missed is not trusted', async () => {
  queryClient.setQueryData(['item', before.id], before);
  await queryClient.invalidateQueries();
  expect(await found(findByCode('N-1'))).toBe('Now');
});
