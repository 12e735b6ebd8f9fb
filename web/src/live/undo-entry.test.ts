import { toWire } from '@perfume/contract/wire-item';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { setActiveQueue } from './active-queue.ts';
import { cachedItem, itemQuery } from './item-cache.ts';
import { applyChange, onLiveChange, withUpdatesHeld } from './live-items.ts';
import { mayBeRecorded, type StockQueue } from './stock-queue.ts';
import type { StoredChange } from './stored-change.ts';
import { entryAction } from './undo-entry.ts';

let id = '';
const wireItem = (version: number, quantity: number) => toWire(testItem({ id, version, quantity }));
const receive = (version: number, quantity: number) =>
  applyChange({ id: `1-${version}`, itemId: id, kind: 'stock', item: wireItem(version, quantity) });

/** For each event of the feed: by how many versions it was ahead of the cached item. */
let ahead: number[];
let responses: ((body: unknown) => void)[];
const cleanups: (() => void)[] = [];

beforeEach(async () => {
  id = crypto.randomUUID();
  ahead = [];
  responses = [];
  vi.stubGlobal('fetch', () => new Promise((resolve) => responses.push((body) => resolve(Response.json(body)))));
  cleanups.push(new QueryObserver(queryClient, itemQuery(id)).subscribe(() => {}));
  responses.shift()?.([wireItem(5, 4)]);
  await expect.poll(() => cachedItem(id)?.version).toBe(5);
  cleanups.push(onLiveChange(({ item }) => ahead.push((item?.version ?? 0) - (cachedItem(id)?.version ?? 0))));
});

afterEach(() => {
  for (const stop of cleanups.splice(0)) stop();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test("an undo on the history page does not look like somebody else's change, even if the feed reports it before the response", async () => {
  const undoing = entryAction({ id: 'e', itemId: id, what: { kind: 'edit', name: 'Nuit' } }).undo(() => {});
  receive(6, 5);
  responses.shift()?.({ entry: { id: 'u', itemId: id, delta: 1 }, item: wireItem(6, 5) });
  await undoing;
  expect(ahead).toEqual([0]);
  receive(7, 9);
  expect(ahead).toEqual([0, 1]);
});

test("a bulk request, whose response contains no item, does not look like somebody else's change", async () => {
  const request = withUpdatesHeld(async () => receive(6, 5));
  await expect.poll(() => responses.length).toBe(1);
  expect(ahead).toEqual([]);
  responses.shift()?.([wireItem(6, 5)]);
  await request;
  expect(ahead).toEqual([0]);
});

const waitingUndo: StoredChange = {
  ...{ id: 'undo', userId: 'ana', itemId: 'iris', itemName: 'Iris', madeAt: 0, tried: false, isSending: false },
  made: { kind: 'undo', of: 'delivery', delta: 1 },
  request: { route: 'POST /history/:id/undo', params: { id: 'delivery' }, headers: {} },
  state: 'waiting',
};

test('a refused change that was undone and is made again is like new: an undo does not drop it when it may be recorded', async () => {
  const refused: StoredChange = {
    ...{ id: 'delivery', userId: 'ana', itemId: 'iris', itemName: 'Iris', madeAt: 0, tried: true, isSending: false },
    made: { kind: 'move', delta: -2 },
    request: { route: 'PUT /inventory-items/:id', params: { id: 'iris' }, body: { quantity: '3' }, headers: {} },
    state: 'refused',
    problem: { code: 'out_of_stock', status: 409, onHand: 1 },
  };
  const stored: StoredChange[] = [];
  setActiveQueue({
    find: () => refused,
    drop: async () => [refused],
    storeForLater: async (change) => stored.push(change) > 0,
  } as Partial<StockQueue> as StockQueue);
  cleanups.push(() => setActiveQueue(null));
  const what = { kind: 'deliver', name: 'Iris', count: 2 } as const;
  const redo = await entryAction({ id: 'delivery', itemId: 'iris', delta: -2, what }).undo(() => {});
  await redo.undo(() => {});
  const [again] = stored;
  expect(again).toMatchObject({ state: 'waiting', tried: false });
  expect(again && mayBeRecorded({ ...again, tried: true })).toBe(true);
});

test('two undos of one action at the same time are one', async () => {
  const dropped: string[] = [];
  setActiveQueue({
    find: () => ({}) as StoredChange,
    drop: async (id: string) => {
      dropped.push(id);
      return [{ ...waitingUndo, id, made: { kind: 'move', delta: -1 } }];
    },
  } as Partial<StockQueue> as StockQueue);
  cleanups.push(() => setActiveQueue(null));
  const action = entryAction({ id: 'delivery', itemId: 'iris', delta: -1, what: { kind: 'correct', name: 'Iris' } });
  const [first, second] = await Promise.all([action.undo(() => {}), action.undo(() => {})]);
  expect([dropped, first === second]).toEqual([['delivery'], true]);
  await expect(action.undo(() => {})).rejects.toMatchObject({ code: 'already_undone' });
});

test('redoing what waits to be undone lets it stand under its own id', async () => {
  setActiveQueue({
    find: () => waitingUndo,
    drop: async () => [waitingUndo],
  } as Partial<StockQueue> as StockQueue);
  cleanups.push(() => setActiveQueue(null));
  const undo = entryAction({ id: 'undo', itemId: 'iris', delta: 1, what: { kind: 'correct', name: 'Iris' } });
  expect(await undo.undo(() => {})).toMatchObject({ id: 'delivery' });
});

test('an undo that was refused is tried anew, because the server repeats the refusal for the same key', async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    return Response.json(
      { code: keys.length === 1 ? 'unavailable' : 'out_of_stock' },
      { status: keys.length === 1 ? 503 : 409 },
    );
  });
  cleanups.push(() => vi.unstubAllGlobals());
  const action = entryAction({ id: 'e', itemId: null, what: { kind: 'settings' } });
  for (let n = 0; n < 2; n++) await action.undo(() => {}).catch(() => {});
  const [unanswered, refused, again] = keys;
  expect([refused === unanswered, again === refused]).toEqual([true, false]);
});

test('redoing an item that was never sent brings back what was done with it, under its new id', async () => {
  const made = { userId: 'ana', itemId: 'new', itemName: 'Nuit', madeAt: 0, tried: false, isSending: false } as const;
  const add: StoredChange = {
    ...made,
    id: 'new',
    made: { kind: 'add' },
    request: { route: 'POST /new-inventory-item', headers: {} },
    state: 'waiting',
  };
  const delivery: StoredChange = {
    ...made,
    id: 'delivery',
    made: { kind: 'move', delta: -2 },
    request: { route: 'PUT /inventory-items/:id', params: { id: 'new' }, body: { quantity: '3' }, headers: {} },
    state: 'waiting',
  };
  const stored: StoredChange[] = [];
  setActiveQueue({
    find: () => add,
    drop: async () => [add, delivery],
    storeForLater: async (change) => stored.push(change) > 0,
  } as Partial<StockQueue> as StockQueue);
  cleanups.push(() => setActiveQueue(null));

  const redo = await entryAction({ id: 'new', itemId: 'new', what: { kind: 'create', name: 'Nuit' } }).undo(() => {});
  await redo?.undo(() => {});
  const [again, deliveredAgain] = stored;
  expect(again).toMatchObject({ id: again?.itemId, made: { kind: 'add' } });
  expect(again?.id).not.toBe('new');
  expect(deliveredAgain).toMatchObject({ id: 'delivery', itemId: again?.id, request: { params: { id: again?.id } } });
});
