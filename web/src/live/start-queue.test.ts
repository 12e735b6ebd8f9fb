import type { Item } from '@perfume/domain/items';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { queueState } from './active-queue.ts';
import { cachedItem, keepItem } from './item-cache.ts';
import type { QueueStore } from './queue-store.ts';
import { startQueue } from './start-queue.ts';
import type { StoredChange } from './stored-change.ts';

const itemId = '0190a000-0000-7000-8000-000000000001';
const oud = { id: itemId, name: 'Oud', quantity: 20, version: 1, barcodes: [], sku: null } as unknown as Item;

function delivery(num: number): StoredChange {
  const id = `00000000-0000-4000-8000-00000000000${num}`;
  return {
    num,
    id,
    userId: 'ana',
    itemId,
    itemName: 'Oud',
    madeAt: num,
    made: { kind: 'move', delta: -1 },
    request: { route: 'PUT /inventory-items/:id', params: { id: itemId }, body: { quantity: '19' }, headers: {} },
    tried: false,
    isSending: false,
    state: 'waiting',
  };
}

let stored: StoredChange[];
vi.mock('./queue-store.ts', () => ({
  openQueueStore: async (): Promise<QueueStore> => ({
    all: async () => stored,
    add: async (change) => void stored.push(change),
    change: async (id, next) => {
      const then = next(stored.find((one) => one.id === id) ?? null);
      stored = stored.flatMap((one) => (one.id !== id ? [one] : then ? [then] : []));
      return then;
    },
  }),
}));

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('what was being sent before its item was on screen counts in its quantity, once', async () => {
  stored = [delivery(1), delivery(2), delivery(3)];
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('document', { addEventListener: () => {}, removeEventListener: () => {} });
  let lose = () => {};
  const fetch = vi.fn(() => new Promise<never>((_, reject) => (lose = () => reject(new TypeError('Failed to fetch')))));
  vi.stubGlobal('fetch', fetch);
  const stop = startQueue('ana');
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledOnce());
  keepItem(oud);
  expect([cachedItem(itemId)?.quantity, queueState.get().changes.length]).toEqual([17, 3]);
  stop();
  lose();
});
