import { expect, test } from 'vitest';
import { createCache } from './cache.ts';
import type { Db } from './database.ts';

const MB = 1024 * 1024;

test('holds at most 64 MB, also of values that were loaded at the same time', async () => {
  const cache = createCache({ dataVersion: () => 1 } as Db);
  const version = cache.newDataVersion();
  const keys = Array.from({ length: 40 }, (_, n) => `list ${n}`);
  const load = async () => {
    await new Promise(setImmediate);
    return 'items';
  };
  const sizeOf = () => 20 * MB;
  const loaded = await Promise.all(keys.map((key) => cache.getOrLoad(version, key, load, sizeOf)));
  expect(loaded).toEqual(keys.map(() => 'items'));
  await new Promise(setImmediate);
  const held = await Promise.all(keys.map((key) => cache.has(version, key)));
  expect(held.filter(Boolean).length * 20).toBeLessThanOrEqual(64);
});
