import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from './client.ts';
import { queryClient } from './query-client.ts';

const read = vi.fn<() => Promise<string>>();
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  queryClient.mount();
});
afterEach(() => {
  stop();
  queryClient.clear();
  queryClient.unmount();
  read.mockReset();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** As a page does while it is open. */
function watch() {
  const observer = new QueryObserver(queryClient, { queryKey: ['something'], queryFn: read });
  stop = observer.subscribe(() => {});
  return () => observer.getCurrentResult();
}

async function backOnline(): Promise<void> {
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(0);
}

test('a failed query is refetched when the browser is back online', async () => {
  read.mockRejectedValue(new ApiProblem('offline', 0));
  const result = watch();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(result().status).toBe('error');
  read.mockResolvedValue('there');
  await backOnline();
  expect(result().data).toBe('there');
});

test('a failed query is logged once it is given up', async () => {
  const problem = new ApiProblem('unavailable', 503);
  read.mockRejectedValue(problem);
  watch();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(3);
  expect(console.error).toHaveBeenCalledExactlyOnceWith(problem);
});

test('a query without observers is not logged', async () => {
  read.mockReturnValue(new Promise(() => {}));
  watch();
  await queryClient.cancelQueries();
  expect(console.error).not.toHaveBeenCalled();
});

test('a loaded query is left to the change feed', async () => {
  read.mockResolvedValue('there');
  watch();
  await vi.advanceTimersByTimeAsync(120_000);
  await backOnline();
  expect(read).toHaveBeenCalledOnce();
});
