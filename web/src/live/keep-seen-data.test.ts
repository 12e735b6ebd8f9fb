import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteBriefLogin } from '../api/session.ts';
import { removeText } from '../api/stored-text.ts';
import { keepSeenData } from './keep-seen-data.ts';
import { noteGap } from './live-items.ts';

const device = vi.hoisted(() => ({ readAt: 0, reads: [] as number[] }));
vi.mock('./seen-data.ts', async (original) => ({
  ...(await original<typeof import('./seen-data.ts')>()),
  openSeenData: (userId: string) => indexedDB.open(userId),
  itemsReadAt: async () => device.readAt,
  noteItemsRead: async (at: number) => {
    device.readAt = at;
    device.reads.push(at);
  },
}));

afterEach(() => vi.unstubAllGlobals());

describe('all items are read', () => {
  const MINUTE_MS = 60_000;
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    device.readAt = 0;
    device.reads = [];
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('removeEventListener', () => {});
    vi.stubGlobal('indexedDB', { open: () => {}, databases: async () => [] });
    vi.stubGlobal('navigator', { onLine: true });
    vi.stubGlobal('fetch', async () => Response.json([]));
    stop = keepSeenData('ines');
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  test('soon after the app was opened, and every 12 hours while it stays open', async () => {
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(device.reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(11 * 60 * MINUTE_MS);
    expect(device.reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2 * 60 * MINUTE_MS);
    expect(device.reads).toHaveLength(2);
  });

  test('again after changes may have been missed, but not all the time', async () => {
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    noteGap();
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    noteGap();
    expect(device.reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(device.reads).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
    expect(device.reads).toHaveLength(2);
  });
});

test('nothing is kept of a user who logged in without “Remember me”, and earlier copies go', async () => {
  const open = vi.fn();
  const deleteDatabase = vi.fn();
  const databases = async () => [{ name: 'seen ines' }, { name: 'seen otto' }, { name: 'stock-queue' }];
  vi.stubGlobal('indexedDB', { open, deleteDatabase, databases });
  noteBriefLogin();
  keepSeenData('ines')();
  await vi.waitFor(() => expect(deleteDatabase.mock.calls.flat()).toEqual(['seen ines', 'seen otto']));
  expect(open).not.toHaveBeenCalled();
  removeText('briefLogin');
});
