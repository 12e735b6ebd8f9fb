import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './use-live-insights.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a change is read soon, many changes are read together, and the last is never forgotten', () => {
  const run = vi.fn();
  const reading = throttle(2_000, run);
  for (let n = 0; n < 5; n++) reading.ask();
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(1);
  reading.ask();
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_500);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test('nothing is read after the screen is gone', () => {
  const run = vi.fn();
  const reading = throttle(2_000, run);
  reading.ask();
  reading.stop();
  vi.advanceTimersByTime(5_000);
  expect(run).not.toHaveBeenCalled();
});
