import { toWire } from '@perfume/contract/wire-item';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { testItem } from '../testing.ts';
import { cachedItem, itemQuery } from './item-cache.ts';
import { applyChange, onLiveChange, withUpdatesHeld } from './live-items.ts';
import { entryAction } from './undo-entry.ts';

let id = '';
const at = (version: number, quantity: number) => toWire(testItem({ id, version, quantity }));
const told = (version: number, quantity: number) =>
  applyChange({ id: `1-${version}`, itemId: id, kind: 'stock', item: at(version, quantity) });

/** By how many versions the feed was ahead of what this screen knew, each time it said something. */
let ahead: number[];
let answers: ((body: unknown) => void)[];
const stops: (() => void)[] = [];

beforeEach(async () => {
  id = crypto.randomUUID();
  ahead = [];
  answers = [];
  vi.stubGlobal('fetch', () => new Promise((resolve) => answers.push((body) => resolve(Response.json(body)))));
  stops.push(new QueryObserver(queryClient, itemQuery(id)).subscribe(() => {}));
  answers.shift()?.([at(5, 4)]);
  await expect.poll(() => cachedItem(id)?.version).toBe(5);
  stops.push(onLiveChange(({ item }) => ahead.push((item?.version ?? 0) - (cachedItem(id)?.version ?? 0))));
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test("an undo on the history page does not look like somebody else's change, though the feed reports it before the reply", async () => {
  const undone = entryAction({ id: 'e', itemId: id, what: { kind: 'edit', name: 'Nuit' } }).undo(() => {});
  told(6, 5);
  answers.shift()?.({ entry: { id: 'u', itemId: id, delta: 1 }, item: at(6, 5) });
  await undone;
  expect(ahead).toEqual([0]);
  told(7, 9);
  expect(ahead).toEqual([0, 1]);
});

test('nor does a bulk request, whose reply does not contain the item', async () => {
  const request = withUpdatesHeld(async () => told(6, 5));
  await expect.poll(() => answers.length).toBe(1);
  expect(ahead).toEqual([]);
  answers.shift()?.([at(6, 5)]);
  await request;
  expect(ahead).toEqual([0]);
});
