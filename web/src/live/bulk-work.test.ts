import type { BulkResult } from '@perfume/contract/bulk';
import { describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/client.ts';
import { bulkWork, type Chunk } from './bulk-work.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `id-${from + at}`);
const success = (id: string): BulkResult => ({ id, ok: true, movementId: `entry of ${id}` });
const never = new AbortController().signal;

describe('bulk work', () => {
  test('sends at most a hundred rows at a time, one chunk after the other, each with its own key', async () => {
    let under = 0;
    const sent: Chunk[] = [];
    const onProgress = vi.fn();
    const work = bulkWork({
      rows: [ids(0, 250), ids(250, 260)],
      send: async (chunk) => {
        expect(++under).toBe(1);
        await Promise.resolve();
        under--;
        sent.push(chunk);
        return chunk.ids.map(success);
      },
      onProgress,
    });
    await expect(work.run(never)).resolves.toBe('done');
    expect(sent.map((chunk) => chunk.ids.length)).toEqual([100, 100, 50, 10]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(4);
    expect(onProgress.mock.calls.map(([done]) => done)).toEqual([100, 200, 250, 260]);
    expect(work.failures()).toEqual([]);
  });

  test('reports each refused row and does not offer to retry it', async () => {
    const work = bulkWork({
      rows: [['a', 'b', 'c']],
      send: async ({ ids }) =>
        ids.map((id) => (id === 'b' ? { id, ok: false, code: 'out_of_stock', onHand: 0 } : success(id))),
      onProgress: () => {},
    });
    await work.run(never);
    expect(work.failures()).toMatchObject([{ id: 'b', problem: { code: 'out_of_stock', onHand: 0 } }]);
    expect([work.done(), work.canRetry()]).toEqual([2, false]);
  });

  test('counts a row that was already as wanted as done, but not as changed', async () => {
    const work = bulkWork({
      rows: [['a', 'b', 'c']],
      send: async ({ ids }) => ids.map((id) => (id === 'b' ? { id, ok: true, movementId: null } : success(id))),
      onProgress: () => {},
    });
    await work.run(never);
    expect([work.done(), work.changed()]).toEqual([3, 2]);
  });

  test('retries only what may succeed', async () => {
    const sent: Chunk[] = [];
    const answers: (ApiProblem | BulkResult['ok'])[] = [false, new ApiProblem('internal', 500), true];
    const work = bulkWork({
      rows: [ids(0, 150)],
      send: async (chunk) => {
        const answer = answers[sent.push(chunk) - 1];
        if (answer instanceof ApiProblem) throw answer;
        return chunk.ids.map((id) => (answer ? success(id) : { id, ok: false, code: 'item_not_found' }));
      },
      onProgress: () => {},
    });
    await work.run(never);
    expect([work.failures().length, work.canRetry()]).toEqual([150, true]);
    work.retry();
    await expect(work.run(never)).resolves.toBe('done');
    expect(sent.slice(2)).toEqual([sent[1]]);
    expect([work.done(), work.failures().length, work.canRetry()]).toEqual([50, 100, false]);
  });

  test('does not retry what the user may not do', async () => {
    const work = bulkWork({
      rows: [ids(0, 50)],
      send: async () => {
        throw new ApiProblem('email_not_verified', 403);
      },
      onProgress: () => {},
    });
    await expect(work.run(never)).resolves.toBe('stopped');
    expect([work.failures().length, work.canRetry()]).toEqual([50, false]);
  });

  test('a chunk without a response is sent again under the same key, so that nothing is done twice', async () => {
    const sent: Chunk[] = [];
    const work = bulkWork({
      rows: [ids(0, 150)],
      send: async (chunk) => {
        sent.push(chunk);
        if (sent.length === 2) throw new ApiProblem('offline', 0);
        return chunk.ids.map(success);
      },
      onProgress: () => {},
    });
    await expect(work.run(never)).resolves.toBe('stopped');
    expect(work.failures()).toHaveLength(50);
    work.retry();
    await expect(work.run(never)).resolves.toBe('done');
    expect(sent[2]).toEqual(sent[1]);
    expect(work.done()).toBe(150);
  });

  test('stops without a connection, and continues after a fault of one chunk', async () => {
    const faults: Record<number, ApiProblem> = {
      1: new ApiProblem('internal', 500),
      3: new ApiProblem('overloaded', 503),
    };
    let sent = 0;
    const work = bulkWork({
      rows: [ids(0, 500)],
      send: async (chunk) => {
        const fault = faults[sent++];
        if (fault) throw fault;
        return chunk.ids.map(success);
      },
      onProgress: () => {},
    });
    await expect(work.run(never)).resolves.toBe('stopped');
    expect([sent, work.done(), work.failures().length]).toEqual([4, 200, 200]);
  });

  test('stops after the chunk in flight when cancelled', async () => {
    const stop = new AbortController();
    let sent = 0;
    const work = bulkWork({
      rows: [ids(0, 500)],
      send: async (chunk) => {
        if (++sent === 2) stop.abort();
        return chunk.ids.map(success);
      },
      onProgress: () => {},
    });
    await expect(work.run(stop.signal)).resolves.toBe('cancelled');
    expect([sent, work.done()]).toEqual([2, 200]);
  });
});
