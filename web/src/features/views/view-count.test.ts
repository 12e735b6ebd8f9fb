import { QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { filtersOf } from '../../live/list-query.ts';
import { applyChange } from '../../live/live-items.ts';
import { countAfterChanges, countQuery } from './view-count.ts';

/** How long the server takes for a count. */
let took: number;
/** The searches and stock filters that were counted, in their order. */
let sent: string[];
let aborted: string[];
let stop: () => void;

// One clock for all tests: what one has counted makes the next wait as well.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

beforeEach(() => {
  took = 10;
  sent = [];
  aborted = [];
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    const { searchParams } = new URL(path, 'http://localhost');
    const counted = searchParams.get('q') ?? searchParams.get('stock') ?? '';
    sent.push(counted);
    signal.addEventListener('abort', () => aborted.push(counted));
    await new Promise((resolve) => setTimeout(resolve, took));
    return Response.json([], { headers: { 'x-total-count': String(sent.length) } });
  });
  stop = countAfterChanges();
});

afterEach(async () => {
  stop();
  await vi.advanceTimersByTimeAsync(1_000_000);
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** Shows the numbers of views. Returns functions that hide them again. */
function show(...queries: string[]): (() => void)[] {
  return queries.map((query) => {
    const filters = filtersOf(new URLSearchParams(query), 'all', '');
    return new QueryObserver(queryClient, countQuery(filters)).subscribe(() => {});
  });
}

function change(kind: 'stock' | 'deleted'): void {
  applyChange({ id: '1-1', itemId: '0190a000-0000-7000-8000-000000000001', kind, item: null });
}

async function sentWithin(ms: number): Promise<string[]> {
  sent = [];
  await vi.advanceTimersByTimeAsync(ms);
  return sent;
}

test('views are counted at once when they are shown, one after the other', async () => {
  took = 1_000;
  show('q=amber', 'q=cedar', 'q=iris');
  expect(await sentWithin(500)).toEqual(['amber']);
  expect(await sentWithin(1_000)).toEqual(['cedar']);
  expect(await sentWithin(1_000)).toEqual(['iris']);
});

test('a count that fails does not stop the next', async () => {
  const answer = fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await answer(...request);
    return Response.json({}, { status: sent.length === 1 ? 400 : 200 });
  });
  vi.spyOn(console, 'error').mockImplementationOnce(() => {});
  show('q=amber', 'q=cedar');
  expect(await sentWithin(500)).toEqual(['amber', 'cedar']);
});

test('quick counts follow changes, at most every four seconds', async () => {
  show('q=amber', 'stock=low');
  await vi.advanceTimersByTimeAsync(5_000);
  change('deleted');
  expect(await sentWithin(500)).toEqual(['amber', 'low']);
  change('stock');
  expect(await sentWithin(3_000)).toEqual([]);
  expect(await sentWithin(1_000)).toEqual(['low']);
  expect(await sentWithin(60_000)).toEqual([]);
});

test('slow counts take at most about a tenth of the time, and the last change is never lost', async () => {
  show('q=amber', 'q=cedar', 'stock=low');
  await vi.advanceTimersByTimeAsync(5_000);
  took = 2_000;
  change('deleted');
  expect(await sentWithin(10_000)).toEqual(['amber', 'cedar', 'low']);
  // The round took six seconds, so the next starts a minute after it began.
  change('deleted');
  change('stock');
  expect(await sentWithin(50_000)).toEqual([]);
  expect(await sentWithin(12_000)).toEqual(['amber', 'cedar', 'low']);
  expect(await sentWithin(120_000)).toEqual([]);
});

test('a change aborts no count in flight', async () => {
  show('q=amber', 'q=cedar');
  await vi.advanceTimersByTimeAsync(5_000);
  took = 9_000;
  change('deleted');
  await vi.advanceTimersByTimeAsync(1_000);
  change('deleted');
  expect(await sentWithin(17_000)).toEqual(['cedar']);
  expect(aborted).toEqual([]);
});

test('a view that is no longer shown is not counted, and its count in flight is aborted', async () => {
  took = 5_000;
  const [hideAmber, hideCedar] = show('q=amber', 'q=cedar', 'q=iris');
  await vi.advanceTimersByTimeAsync(100);
  hideCedar?.();
  expect(aborted).toEqual([]);
  hideAmber?.();
  expect(aborted).toEqual(['amber']);
  expect(await sentWithin(100)).toEqual(['iris']);
});
