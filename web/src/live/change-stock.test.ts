import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { changeStock, countStock, moveStock } from './change-stock.ts';
import { itemQuery } from './item-cache.ts';
import { applyChange } from './live-items.ts';
import { entryAction } from './undo-entry.ts';

type Sent = {
  method: string;
  path: string;
  headers: Headers;
  quantity: string | undefined;
  reason: string | undefined;
  note: string | undefined;
  respond: (r: Response) => void;
};
let sent: Sent[];
let item: Item;
let ids = 0;

const shownQuantity = () => queryClient.getQueryData<Item | null>(['item', item.id])?.quantity;
const itemAt = (version: number, quantity: number): Item => ({ ...item, version, quantity });
const success = (now: Item) => Response.json(toWire(now));
const refusal = (status: number, code: string, more = {}) => Response.json({ code, detail: code, ...more }, { status });
const nextTick = () => new Promise((resolve) => setTimeout(resolve));
/** Returns the n-th request that changes something; its `respond` answers the request. */
const change = (index: number) => sent.filter(({ method }) => method !== 'GET')[index] as Sent;

beforeEach(() => {
  sent = [];
  item = testItem({ id: `0190a000-0000-7000-8000-${String(++ids).padStart(12, '0')}` });
  queryClient.setQueryData(['item', item.id], item);
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, string>) : {};
    const headers = new Headers(init.headers);
    const { quantity, reason, note } = body;
    sent.push({ method: init.method ?? '', path, headers, quantity, reason, note, respond: resolve });
    return promise;
  });
});

afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a count', () => {
  test('shows at the click, and sends what was seen, the count and why they differ', async () => {
    const done = countStock(item, { counted: 39, reason: 'breakage', note: 'Fell off the shelf' });
    expect(shownQuantity()).toBe(39);
    expect(change(0)).toMatchObject({ method: 'PUT', quantity: '39', reason: 'breakage', note: 'Fell off the shelf' });
    expect(change(0).headers.get('stock-base')).toBe('42');
    change(0).respond(success(itemAt(7, 38)));
    await expect(done).resolves.toBe(change(0).headers.get('idempotency-key'));
    expect(shownQuantity()).toBe(38);
  });

  test('that confirms the quantity sends nothing', async () => {
    await expect(countStock(item, { counted: 42, reason: 'miscount' })).resolves.toBeNull();
    expect(sent).toEqual([]);
  });
});

describe('a delivery', () => {
  test('shows at the click, and sends the quantity that was seen and the new one', async () => {
    const done = changeStock(item, -1);
    expect(shownQuantity()).toBe(41);
    expect(change(0)).toMatchObject({ method: 'PUT', path: `/inventory-items/${item.id}`, quantity: '41' });
    expect(change(0).headers.get('stock-base')).toBe('42');
    change(0).respond(success(itemAt(6, 41)));
    await expect(done).resolves.toBe(change(0).headers.get('idempotency-key'));
    expect(shownQuantity()).toBe(41);
  });

  test('clicked ten times is sent ten times, each with its own key', async () => {
    const all = Array.from({ length: 10 }, () => changeStock(item, -1));
    expect(shownQuantity()).toBe(32);
    expect(sent).toHaveLength(10);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(10);
    for (const [index, { headers, quantity }] of sent.entries()) {
      expect([headers.get('stock-base'), quantity]).toEqual([String(42 - index), String(41 - index)]);
    }
    for (const [index, { respond }] of sent.entries()) respond(success(itemAt(6 + index, 41 - index)));
    await Promise.all(all);
    expect(shownQuantity()).toBe(32);
  });

  test('does not flicker when responses arrive out of order', async () => {
    const seen: unknown[] = [];
    const all = [changeStock(item, -1), changeStock(item, -1), changeStock(item, -1)];
    const stop = queryClient.getQueryCache().subscribe(() => seen.push(shownQuantity()));
    for (const index of [2, 0, 1]) {
      change(index).respond(success(itemAt(6 + index, 41 - index)));
      await all[index];
    }
    stop();
    expect(new Set(seen)).toEqual(new Set([39]));
  });

  test("ends at the server's quantity when somebody else delivered meanwhile", async () => {
    const mine = changeStock(item, -1);
    change(0).respond(success(itemAt(8, 36)));
    await mine;
    expect(shownQuantity()).toBe(36);
  });

  test('and a restock that cancel each other out are both pending until they are answered', async () => {
    const all = [changeStock(item, -1), changeStock(item, -1), changeStock(item, 1)];
    // The server applied the second delivery first, so this response includes both. One delivery and the restock are
    // still pending.
    change(0).respond(success(itemAt(7, 40)));
    await all[0];
    expect(shownQuantity()).toBe(41);
    change(1).respond(success(itemAt(6, 41)));
    await all[1];
    expect(shownQuantity()).toBe(41);
    change(2).respond(success(itemAt(8, 41)));
    await all[2];
    expect(shownQuantity()).toBe(41);
  });

  test('without a response is sent again under the same key', async () => {
    vi.useFakeTimers();
    const done = changeStock(item, -1);
    change(0).respond(refusal(503, 'unavailable'));
    await vi.advanceTimersByTimeAsync(300);
    expect(shownQuantity()).toBe(41);
    expect(change(1).headers.get('idempotency-key')).toBe(change(0).headers.get('idempotency-key'));
    expect(change(1).headers.get('stock-base')).toBe('42');
    expect(change(1).quantity).toBe('41');
    change(1).respond(success(itemAt(6, 41)));
    await done;
    expect(shownQuantity()).toBe(41);
  });

  test('without a response, and then refused because of a new role, may be recorded: that is no answer', async () => {
    vi.useFakeTimers();
    const done = changeStock(item, -1).catch((problem) => problem.code);
    change(0).respond(refusal(503, 'unavailable'));
    await vi.advanceTimersByTimeAsync(300);
    change(1).respond(refusal(403, 'not_allowed'));
    await vi.advanceTimersByTimeAsync(60_000);
    for (let n = 2; change(n); n++) {
      change(n).respond(refusal(403, 'not_allowed'));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(await done).toBe('offline');
  });

  test('that the quantity on screen already includes, as its repeated response says, is not counted twice', async () => {
    for (const version of [item.version, item.version - 1]) {
      await moveStock(item, -1, async () => ({ item: toWire(itemAt(version, 43)) }));
      expect(shownQuantity()).toBe(42);
    }
  });

  test('is refused without a request when nothing is on hand', async () => {
    queryClient.setQueryData(['item', item.id], itemAt(5, 1));
    const last = changeStock(item, -1);
    await expect(changeStock(item, -1)).rejects.toMatchObject({ code: 'out_of_stock', onHand: 0 });
    expect(sent).toHaveLength(1);
    change(0).respond(success(itemAt(6, 0)));
    await last;
    expect(shownQuantity()).toBe(0);
  });
});

describe('a refusal', () => {
  test('restores the quantity, is thrown, and refetches the item', async () => {
    const done = changeStock(item, -1);
    change(0).respond(refusal(500, 'internal'));
    await expect(done).rejects.toMatchObject({ code: 'internal' });
    expect(shownQuantity()).toBe(42);
    await nextTick();
    expect(sent.at(-1)).toMatchObject({ method: 'GET', path: `/manage-inventory?_id=${item.id}` });
    sent.at(-1)?.respond(Response.json([toWire(itemAt(7, 30))]));
    await expect.poll(shownQuantity).toBe(30);
  });

  test('that the server repeats, with an old quantity, is corrected by what is read after it', async () => {
    const done = changeStock(item, -1);
    change(0).respond(refusal(409, 'out_of_stock', { onHand: 0 }));
    await expect(done).rejects.toMatchObject({ code: 'out_of_stock' });
    await expect.poll(() => sent.at(-1)?.method).toBe('GET');
    sent.at(-1)?.respond(Response.json([toWire(itemAt(item.version, 42))]));
    await expect.poll(shownQuantity).toBe(42);
  });

  test('because somebody else took the last one leaves zero', async () => {
    queryClient.setQueryData(['item', item.id], itemAt(5, 1));
    const done = changeStock(item, -1);
    change(0).respond(refusal(409, 'out_of_stock', { onHand: 0 }));
    await expect(done).rejects.toMatchObject({ code: 'out_of_stock' });
    expect(shownQuantity()).toBe(0);
  });

  test("of some of many clicks ends at the server's quantity, without going up on the way", async () => {
    queryClient.setQueryData(['item', item.id], itemAt(5, 3));
    const all = [changeStock(item, -1), changeStock(item, -1), changeStock(item, -1)];
    const seen: unknown[] = [];
    const stop = queryClient.getQueryCache().subscribe(() => seen.push(shownQuantity()));
    change(0).respond(success(itemAt(8, 0)));
    change(1).respond(refusal(409, 'out_of_stock', { onHand: 0 }));
    change(2).respond(refusal(409, 'out_of_stock', { onHand: 0 }));
    await Promise.allSettled(all);
    stop();
    expect(new Set(seen)).toEqual(new Set([0]));
  });

  test('because the item was deleted removes it from the screen', async () => {
    const done = changeStock(item, -1);
    change(0).respond(refusal(404, 'item_not_found'));
    await expect(done).rejects.toMatchObject({ code: 'item_not_found' });
    await nextTick();
    sent.at(-1)?.respond(Response.json([]));
    await expect.poll(() => queryClient.getQueryData(['item', item.id])).toBeNull();
  });
});

describe('a restock', () => {
  test('above the maximum quantity is refused without a request', async () => {
    await expect(changeStock(item, MAX_QUANTITY)).rejects.toMatchObject({ code: 'over_full' });
    expect(sent).toEqual([]);
    expect(shownQuantity()).toBe(42);
  });
});

describe('a change by somebody else meanwhile', () => {
  const told = (now: Item) =>
    applyChange({ id: `1-${now.version}`, itemId: now.id, kind: 'stock' as const, item: toWire(now) });

  test('is shown once the click is answered', async () => {
    const done = changeStock(item, -1);
    told(itemAt(6, 40));
    told(itemAt(7, 39));
    told(itemAt(8, 50));
    expect(shownQuantity()).toBe(41);
    change(0).respond(success(itemAt(7, 39)));
    await done;
    expect(shownQuantity()).toBe(50);
  });

  test('is not overwritten by an older response', async () => {
    const done = changeStock(item, -1);
    change(0).respond(success(itemAt(6, 41)));
    await done;
    told(itemAt(7, 60));
    told(itemAt(6, 41));
    expect(shownQuantity()).toBe(60);
  });

  test('is not overwritten by a fetch that started before it', async () => {
    const reading = queryClient.fetchQuery({ ...itemQuery(item.id), staleTime: 0 });
    const click = changeStock(item, -1);
    sent.find(({ method }) => method === 'GET')?.respond(Response.json([toWire(itemAt(5, 42))]));
    await reading;
    expect(shownQuantity()).toBe(41);
    change(0).respond(success(itemAt(6, 41)));
    await click;
    expect(shownQuantity()).toBe(41);
  });
});

describe('an undo', () => {
  const undoOf = (delta: number) =>
    entryAction({ id: 'a-movement', itemId: item.id, delta, what: { kind: 'correct', name: item.name } }).undo;
  const undone = (now: Item, delta: number) =>
    Response.json({ entry: { id: 'an-undo', itemId: item.id, delta }, item: toWire(now) }, { status: 201 });

  test('shows at the click and sends the opposite movement under its own key', async () => {
    const done = undoOf(-1)(() => {});
    expect(shownQuantity()).toBe(43);
    expect(change(0)).toMatchObject({ method: 'POST', path: '/history/a-movement/undo' });
    expect(change(0).headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
    change(0).respond(undone(itemAt(6, 43), 1));
    await done;
    expect(shownQuantity()).toBe(43);
  });

  test('can be redone, which shows at the click too', async () => {
    const done = undoOf(-1)(() => {});
    change(0).respond(undone(itemAt(6, 43), 1));
    const redone = (await done).undo(() => {});
    expect(shownQuantity()).toBe(42);
    expect(change(1)).toMatchObject({ method: 'POST', path: '/history/an-undo/undo' });
    change(1).respond(undone(itemAt(7, 42), -1));
    await redone;
    expect(shownQuantity()).toBe(42);
  });

  test('is reverted when it is refused', async () => {
    const done = undoOf(30)(() => {});
    expect(shownQuantity()).toBe(12);
    change(0).respond(refusal(409, 'already_undone'));
    await expect(done).rejects.toMatchObject({ code: 'already_undone' });
    expect(shownQuantity()).toBe(42);
  });

  test('without a response is sent again under the same key, by itself and by the next click', async () => {
    vi.useFakeTimers();
    const undo = undoOf(-1);
    const failed = expect(undo(() => {})).rejects.toMatchObject({ code: 'unavailable' });
    for (let index = 0; index < 4; index++) {
      change(index).respond(refusal(503, 'unavailable'));
      await vi.advanceTimersByTimeAsync(2_500);
    }
    await failed;
    expect(shownQuantity()).toBe(42);
    const done = undo(() => {});
    expect(shownQuantity()).toBe(43);
    change(4).respond(undone(itemAt(6, 43), 1));
    await done;
    const keys = sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
  });
});
