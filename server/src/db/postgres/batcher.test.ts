import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../core/database.ts';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import { batcherPerStore } from './batcher.ts';

const store = {} as Db;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a change whose commit is never confirmed times out, and the changes waiting behind it never start', async () => {
  let confirm = (_: string[]) => {};
  const started: string[][] = [];
  const change = batcherPerStore<string, string>(
    (_, inputs) => {
      started.push(inputs);
      return new Promise((resolve) => {
        confirm = resolve;
      });
    },
    { maxSize: 1 },
  );
  const results = ['first', 'second', 'third'].map((input) => change(store, input).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(0);
  const third = results.at(-1);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await results[0]).toBeInstanceOf(OutcomeUnknown);
  expect(await third).toBeInstanceOf(StoreUnavailable);
  expect(started.flat()).not.toContain('third');

  confirm(['done at last']);
  await vi.advanceTimersByTimeAsync(0);
  const next = change(store, 'fourth');
  await vi.advanceTimersByTimeAsync(0);
  confirm(['fourth done']);
  expect(await next).toBe('fourth done');
  expect(started.flat()).not.toContain('third');
});
