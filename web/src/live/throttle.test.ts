import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a change causes a refetch soon, many changes cause one, and the last is never lost', () => {
  const run = vi.fn();
  const throttled = throttle(2_000, run);
  for (let n = 0; n < 5; n++) throttled.request();
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(1);
  throttled.request();
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_500);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('nothing is refetched after unmounting', () => {
  const run = vi.fn();
  const throttled = throttle(2_000, run);
  throttled.request();
  throttled.stop();
  vi.advanceTimersByTime(5_000);
  expect(run).not.toHaveBeenCalled();
});
