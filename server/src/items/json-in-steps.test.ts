import type { Item } from '@perfume/domain/items';
import { expect, test } from 'vitest';
import { jsonInSteps } from './json-in-steps.ts';

const item = (id: string) => ({ id }) as Item;

async function* steps(...parts: string[][]): AsyncGenerator<Item[]> {
  for (const ids of parts) yield ids.map(item);
}

test('items that are left out, also whole steps of them, leave no gap in the JSON', async () => {
  const shown = (items: Item[]) => items.filter(({ id }) => id !== 'hidden');
  const write = async (...parts: string[][]) => {
    const { body, rows } = await jsonInSteps(steps(...parts), shown);
    return [JSON.parse(body.toString()), rows];
  };
  expect(await write(['a', 'hidden'], ['hidden'], ['b'])).toEqual([[{ id: 'a' }, { id: 'b' }], 2]);
  expect(await write(['hidden'], ['a', 'b'], ['hidden'])).toEqual([[{ id: 'a' }, { id: 'b' }], 2]);
  expect(await write(['hidden'])).toEqual([[], 0]);
  expect(await write()).toEqual([[], 0]);
});

test('the ETag is that of the whole body', async () => {
  const toWire = (items: Item[]) => items;
  const one = await jsonInSteps(steps(['a', 'b']), toWire);
  expect((await jsonInSteps(steps(['a', 'b']), toWire)).etag).toBe(one.etag);
  expect((await jsonInSteps(steps(['a'], ['b']), toWire)).etag).toBe(one.etag);
  expect((await jsonInSteps(steps(['b'], ['a']), toWire)).etag).not.toBe(one.etag);
});
