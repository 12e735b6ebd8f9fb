import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../core/errors.ts';

export type Query = { id: number; text: string; params: readonly unknown[] };
export type Reply = { id: number; rows: unknown[] } | { id: number; error: string; unavailable: boolean };
type Pending = { resolve: (rows: unknown[]) => void; reject: (error: unknown) => void };

const IDLE_TIMEOUT_MS = 60_000;
/** A query may take a second, so a client further back in the queue would have given up before its turn. */
const MAX_PENDING = 32;

/**
 * node:sqlite blocks the calling thread. A query over a million rows therefore runs in a worker thread with its own
 * connection, so other requests do not wait for it. The thread starts with the first query and stops when idle.
 */
export function analyticsWorker(file: string) {
  let worker: Worker | null = null;
  let lastId = 0;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  const pending = new Map<number, Pending>();

  function start(): Worker {
    const started = new Worker(new URL('./analytics-thread.ts', import.meta.url), { workerData: file });
    started.unref();
    started.on('message', (reply: Reply) => {
      const query = pending.get(reply.id);
      pending.delete(reply.id);
      if ('rows' in reply) query?.resolve(reply.rows);
      else query?.reject(reply.unavailable ? new StoreUnavailable(reply.error) : new Error(reply.error));
    });
    started.on('error', (error) => rejectAll(started, error));
    started.on('exit', () => rejectAll(started, new Error('the worker thread has ended')));
    return started;
  }

  function rejectAll(ended: Worker, cause: unknown): void {
    if (worker !== ended) return;
    worker = null;
    for (const { reject } of pending.values()) reject(new StoreUnavailable('a long query was interrupted', cause));
    pending.clear();
  }

  function stop(): void {
    const stopped = worker;
    worker = null;
    void stopped?.terminate();
  }

  return {
    async query(text: string, params: readonly unknown[]): Promise<unknown[]> {
      if (pending.size >= MAX_PENDING) throw new StoreUnavailable('too many long queries are waiting');
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => pending.size === 0 && stop(), IDLE_TIMEOUT_MS);
      idleTimer.unref();
      worker ??= start();
      const id = ++lastId;
      worker.postMessage({ id, text, params } satisfies Query);
      return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
    },
    close(): void {
      clearTimeout(idleTimer);
      stop();
    },
  };
}
