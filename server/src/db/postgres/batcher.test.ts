import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../core/database.ts';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import { gatheringPerStore } from './batcher.ts';

const store = {} as Db;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a change whose commit nobody confirms is answered in time, and what waits behind it was not begun', async () => {
  let confirm = (_: string[]) => {};
  const begun: string[][] = [];
  const change = gatheringPerStore<string, string>(
    (_, asked) => {
      begun.push(asked);
      return new Promise((resolve) => {
        confirm = resolve;
      });
    },
    { most: 1 },
  );
  const answers = ['first', 'second', 'third'].map((asked) => change(store, asked).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(0);
  const third = answers.at(-1);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await answers[0]).toBeInstanceOf(OutcomeUnknown);
  expect(await third).toBeInstanceOf(StoreUnavailable);
  expect(begun.flat()).not.toContain('third');

  confirm(['done at last']);
  await vi.advanceTimersByTimeAsync(0);
  const next = change(store, 'fourth');
  await vi.advanceTimersByTimeAsync(0);
  confirm(['fourth done']);
  expect(await next).toBe('fourth done');
  expect(begun.flat()).not.toContain('third');
});
