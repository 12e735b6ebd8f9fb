import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { storeText } from '../../api/stored-text.ts';
import { changeStock, makeChange } from '../../live/change-stock.ts';
import { keepItem } from '../../live/item-cache.ts';
import { testItem } from '../../testing.ts';
import { changeCount, countOne, restoreDraft, saveCount } from './count-draft.ts';
import { journalEntries, removeEntry } from './journal.ts';

vi.mock('./feedback.ts', () => ({ giveFeedback: () => {} }));

/** The item on the server, where 12 are recorded when a count begins. */
let onServer: Item;
let ids = 0;
const other = testItem({ id: 'other' });

beforeEach(() => {
  restoreDraft(`user ${++ids}`);
  onServer = testItem({ id: `0190a000-0000-7000-8000-${String(ids).padStart(12, '0')}`, quantity: 12, version: 5 });
  for (const { key } of journalEntries()) removeEntry(key);
  vi.stubGlobal('fetch', async (_path: string, { method, headers, body }: RequestInit) => {
    if (method === 'GET') return Response.json([toWire(onServer)]);
    const [base, ifMatch] = ['stock-base', 'if-match'].map((name) => new Headers(headers).get(name));
    if (ifMatch && ifMatch !== `"${onServer.version}"`)
      return Response.json({ code: 'stale_version', detail: '' }, { status: 412 });
    const wanted = Number(JSON.parse(String(body)).quantity);
    changeOnServer(base ? onServer.quantity + wanted - Number(base) : wanted);
    return Response.json(toWire(onServer));
  });
});

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

function changeOnServer(quantity: number): void {
  onServer = { ...onServer, quantity, version: onServer.version + 1 };
}

/** Counts 10 of the item on screen. */
function countTen(item: Item): void {
  countOne(keepItem(item));
  changeCount({ text: '10' });
}

/** Opens the app with a stored count of 10, begun when 12 were recorded. */
function reopen(): void {
  const owner = `user ${++ids}`;
  storeText(`count-draft:${owner}`, JSON.stringify({ item: onServer, text: '10', reason: 'miscount' }));
  restoreDraft(owner);
}

const answers = () => new Promise((resolve) => setTimeout(resolve, 20));
const refused = { kind: 'refusal', mode: 'count', counted: 10, problem: { code: 'stale_version' } };

test('the next bottle saves a count', async () => {
  countTen(onServer);
  countOne(other);
  await answers();
  expect(onServer.quantity).toBe(10);
  expect(journalEntries()).toMatchObject([{ kind: 'counted', counted: 10, item: { quantity: 12 } }]);
});

test('a difference that somebody else has recorded is not recorded again, though this tab does not know it', async () => {
  countTen(onServer);
  changeOnServer(10);
  countOne(other);
  await answers();
  expect(onServer.quantity).toBe(10);
  expect(journalEntries()).toMatchObject([refused]);
});

test('what the same person delivers between the first scan and the next bottle is kept', async () => {
  countTen(onServer);
  await changeStock(onServer, -1);
  countOne(other);
  await answers();
  expect(onServer.quantity).toBe(9);
});

test('an undo between the first scan and the next bottle moves no bottle, so the count asks', async () => {
  countTen(onServer);
  const request = {
    route: 'PUT /inventory-items/:id',
    params: { id: onServer.id },
    body: { quantity: '13' },
    headers: { 'stock-base': '12' },
  } as const;
  await makeChange(onServer, crypto.randomUUID(), { kind: 'undo', of: 'a delivery by mistake', delta: 1 }, request);
  countOne(other);
  await answers();
  expect(onServer.quantity).toBe(13);
  expect(journalEntries()).toMatchObject([refused]);
});

test('a delivery that is not answered yet does not stop a count that began after it', async () => {
  const delivered = changeStock(keepItem(onServer), -1);
  countTen(onServer);
  countOne(other);
  await delivered;
  await answers();
  expect(onServer.quantity).toBe(10);
});

test('a stored count is saved by the next bottle while nobody has changed the item', async () => {
  reopen();
  countOne(other);
  await answers();
  expect(onServer.quantity).toBe(10);
});

test.each([
  ['the next bottle', () => countOne(other)],
  ['Save', saveCount],
])(
  'a stored count of an item that has changed since is not saved by %s before the item has loaded',
  async (_, save) => {
    reopen();
    changeOnServer(10);
    save();
    await answers();
    expect(onServer.quantity).toBe(10);
    expect(journalEntries()).toMatchObject([refused]);
  },
);

test('Save compares a count with the quantity on screen, which is that of now', async () => {
  reopen();
  changeOnServer(11);
  keepItem(onServer);
  saveCount();
  await answers();
  expect(onServer.quantity).toBe(10);
});
