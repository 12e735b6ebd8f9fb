import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentJob, currentReport, setReport } from '../../live/bulk-job.ts';
import type { Words } from '../../words/words.tsx';
import { type BulkSelection, startBulk } from './bulk-actions.ts';

vi.mock('../../ui/toast.ts', () => ({ notify: vi.fn() }));

const words = { say: (key: string) => key } as unknown as Words;
const bulkSelection: BulkSelection = {
  selection: { kind: 'some', ids: new Set(['a', 'b']) },
  filters: { scope: 'all', email: '', q: '', sort: 'newest', stock: null },
  name: 'selection all ines@example.com',
};
const fetchMock = vi.fn((_: string, __: RequestInit) => new Promise<Response>(() => {}));
const keys = () => fetchMock.mock.calls.map(([, { headers }]) => new Headers(headers).get('idempotency-key'));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetchMock.mockClear());
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} });
});
afterEach(() => {
  setReport(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a bulk action gives up on a connection that does not respond, and reports the rows as unanswered', async () => {
  const running = startBulk({ action: 'deliver', units: 1 }, bulkSelection, words);
  await vi.advanceTimersByTimeAsync(60_000);
  await running;
  expect(currentJob()).toBeNull();
  expect(currentReport()?.failures).toMatchObject([
    { id: 'a', problem: { code: 'offline' } },
    { id: 'b', problem: { code: 'offline' } },
  ]);
  expect(currentReport()?.unfinished).toBe(false);
});

test('Cancel aborts the running request, and a retry sends the same key', async () => {
  const running = startBulk({ action: 'deliver', units: 1 }, bulkSelection, words);
  await vi.advanceTimersByTimeAsync(0);
  currentJob()?.cancel();
  await vi.advanceTimersByTimeAsync(5_000);
  await running;
  expect(currentJob()).toBeNull();
  expect(fetchMock.mock.calls[0]?.[1].signal?.aborted).toBe(true);
  expect(currentReport()?.failures.map(({ id }) => id)).toEqual(['a', 'b']);
  currentReport()?.retry?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(keys()).toEqual([keys()[0], keys()[0]]);
  currentJob()?.cancel();
  await vi.advanceTimersByTimeAsync(5_000);
});
