import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from './client.ts';
import { queryClient } from './query-client.ts';

const queryFn = vi.fn<() => Promise<string>>();
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
  queryFn.mockReset();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Observes the query, as an open page does. */
function observe() {
  const observer = new QueryObserver(queryClient, { queryKey: ['something'], queryFn });
  stop = observer.subscribe(() => {});
  return () => observer.getCurrentResult();
}

async function reconnect(): Promise<void> {
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(0);
}

test('a failed query is refetched when the browser is back online', async () => {
  queryFn.mockRejectedValue(new ApiProblem('offline', 0));
  const result = observe();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(result().status).toBe('error');
  queryFn.mockResolvedValue('there');
  await reconnect();
  expect(result().data).toBe('there');
});

test('a failed query is logged once it is given up', async () => {
  const problem = new ApiProblem('unavailable', 503);
  queryFn.mockRejectedValue(problem);
  observe();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(queryFn).toHaveBeenCalledTimes(3);
  expect(console.error).toHaveBeenCalledExactlyOnceWith(problem);
});

test('a query without observers is not logged', async () => {
  queryFn.mockReturnValue(new Promise(() => {}));
  observe();
  await queryClient.cancelQueries();
  expect(console.error).not.toHaveBeenCalled();
});

test('a loaded query is left to the change feed', async () => {
  queryFn.mockResolvedValue('there');
  observe();
  await vi.advanceTimersByTimeAsync(120_000);
  await reconnect();
  expect(queryFn).toHaveBeenCalledOnce();
});
