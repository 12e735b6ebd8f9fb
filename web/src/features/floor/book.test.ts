import { toWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepItem } from '../../live/item-cache.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, discarded, performUndo, redoLast, undoLast } from '../../live/undo-stack.ts';
import { testEntry, testItem } from '../../testing.ts';
import { book, setUnits, undoBooking } from './book.ts';
import { journalEntries, removeEntry, shownUnits } from './journal.ts';

const feedback: string[] = [];
vi.mock('./feedback.ts', () => ({ giveFeedback: (outcome: string) => feedback.push(outcome) }));

let item: Item;
/** What the server has recorded. */
let stock: Item;
let items = 0;
let deltas: Map<string, number>;

beforeEach(() => {
  item = testItem({ id: `item ${++items}`, quantity: 7 });
  stock = item;
  deltas = new Map();
  feedback.length = 0;
  for (const { key } of journalEntries()) removeEntry(key);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const id = headers.get('idempotency-key') ?? '';
    const undone = /^\/history\/(.+)\/undo$/.exec(path)?.[1];
    const delta = undone
      ? -(deltas.get(undone) ?? 0)
      : Number(JSON.parse(String(init.body)).quantity) - Number(headers.get('stock-base'));
    if (!deltas.has(id)) stock = { ...stock, quantity: stock.quantity + delta, version: stock.version + 1 };
    deltas.set(id, delta);
    return Response.json(undone ? { entry: testEntry({ id, delta }), item: toWire(stock) } : toWire(stock));
  });
  keepItem(item);
});

afterEach(() => vi.unstubAllGlobals());

const units = () => journalEntries().flatMap((entry) => (entry.kind === 'booking' ? shownUnits(entry) : []));

test('the same bottle again is one more, in one entry with one undo for all of it', async () => {
  book(item, 'deliver');
  book(item, 'deliver');
  const [entry] = journalEntries();
  expect(units()).toEqual([2]);
  await vi.waitFor(() => expect(stock.quantity).toBe(5));
  await undoBooking(entry?.key ?? 0);
  expect([stock.quantity, deltas.size]).toEqual([7, 4]);
  expect(journalEntries()).toMatchObject([{ kind: 'booking', undone: 2 }]);
  // What comes after an undo is a booking of its own.
  book(item, 'deliver');
  expect(units()).toEqual([1, 2]);
});

test('fewer units undo the latest movements and book again what is missing, never the opposite', async () => {
  book(item, 'deliver');
  const [{ key } = { key: 0 }] = journalEntries();
  await setUnits(key, 6);
  await vi.waitFor(() => expect(stock.quantity).toBe(1));
  const first = setUnits(key, 5);
  const second = setUnits(key, 4);
  expect(units()).toEqual([4]);
  await Promise.all([first, second]);
  await vi.waitFor(() => expect(stock.quantity).toBe(3));
  // Delivered 1 and 5, the 5 undone, and 3 delivered instead.
  expect([...deltas.values()]).toEqual([-1, -5, 5, -3]);
});

test('what is undone and made again with the keyboard is so in the journal, and what is typed then is booked', async () => {
  const undo = () => undoLast(async (action) => void (await performUndo(action)));
  const redo = () => redoLast(async (action) => void (await performUndo(action)));
  for (let n = 0; n < 3; n++) book(item, 'deliver');
  const [{ key } = { key: 0 }] = journalEntries();
  await vi.waitFor(() => expect(stock.quantity).toBe(4));
  await undo();
  expect([units(), stock.quantity]).toEqual([[2], 5]);
  await setUnits(key, 4);
  await vi.waitFor(() => expect(stock.quantity).toBe(3));
  expect(units()).toEqual([4]);

  for (let n = 0; n < 3; n++) await undo();
  expect(stock.quantity).toBe(7);
  expect(journalEntries()).toMatchObject([{ kind: 'booking', undone: expect.any(Number) }]);
  await redo();
  expect([units(), stock.quantity]).toEqual([[1], 6]);
  await undoBooking(key);
  expect([stock.quantity, journalEntries()]).toMatchObject([7, [{ undone: 1 }]]);
  await redo();
  expect([stock.quantity, units()]).toEqual([6, [1]]);
  expect(journalEntries()).toMatchObject([{ undone: null }]);
});

test.each([
  [5, 2],
  [3, 1],
  [2, 1],
])('%i scans, %i typed and Undo at once: nothing is booked again', async (scans, typed) => {
  for (let n = 0; n < scans; n++) book(item, 'deliver');
  const [{ key } = { key: 0 }] = journalEntries();
  await vi.waitFor(() => expect(stock.quantity).toBe(7 - scans));
  await Promise.all([setUnits(key, typed), undoBooking(key)]);
  expect(stock.quantity).toBe(7);
  expect(journalEntries()).toMatchObject([{ kind: 'booking', wanted: null, undone: expect.any(Number) }]);
});

test('what was discarded before the server had it is undone in the journal, and what is typed then is booked', async () => {
  for (let n = 0; n < 2; n++) book(item, 'deliver');
  const [{ key } = { key: 0 }] = journalEntries();
  const recorded = { latest: expect.anything() };
  await vi.waitFor(() => expect(journalEntries()).toMatchObject([{ movements: [recorded, recorded] }]));
  discarded([...deltas.keys()][1] ?? '');
  expect(units()).toEqual([1]);
  await setUnits(key, 3);
  await vi.waitFor(() => expect([...deltas.values()]).toEqual([-1, -1, -2]));
  await undoBooking(key);
  expect([...deltas.values()].slice(3).sort()).toEqual([1, 2]);
});

test('an undo that was discarded did not happen', async () => {
  book(item, 'deliver');
  book(item, 'deliver');
  await vi.waitFor(() => expect(stock.quantity).toBe(5));
  let undo: Action | undefined;
  await undoLast(async (action) => {
    undo = await performUndo(action);
  });
  expect(units()).toEqual([1]);
  const what = { kind: 'correct', name: item.name } as const;
  discarded(undo?.id ?? '', entryAction({ id: [...deltas.keys()][1] ?? '', itemId: item.id, delta: -1, what }));
  expect(units()).toEqual([2]);
});

test('what is not on hand leaves no booking, only the refusal', async () => {
  book(item, 'deliver', { units: 8 });
  await vi.waitFor(() => expect(feedback).toContain('refused'));
  expect(journalEntries()).toMatchObject([{ kind: 'refusal', mode: 'deliver', problem: { onHand: 7 } }]);
  expect([stock.quantity, deltas.size]).toEqual([7, 0]);
});
