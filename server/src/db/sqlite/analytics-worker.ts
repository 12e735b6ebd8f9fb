import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../core/errors.ts';

type Waiting = { resolve: (rows: unknown[]) => void; reject: (error: unknown) => void };
export type Answered = { id: number; rows: unknown[] } | { id: number; error: string; unavailable: boolean };

const REST_AFTER_MS = 60_000;
/** Each may take a second: who comes later than this would have gone by the time it is their turn. */
const MOST_WAITING = 32;

/**
 * SQLite answers in the thread that asks. A question over a million rows is therefore asked in a thread of its own,
 * over a connection of its own, and nobody else waits for it. The thread is started when it is first needed and ends
 * when nobody has asked for a while.
 */
export function analyticsWorker(file: string) {
  let worker: Worker | null = null;
  let asked = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('./analytics-thread.ts', import.meta.url), { workerData: file });
    started.unref();
    started.on('message', (answer: Answered) => {
      const asker = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('rows' in answer) asker?.resolve(answer.rows);
      else asker?.reject(answer.unavailable ? new StoreUnavailable(answer.error) : new Error(answer.error));
    });
    started.on('error', (error) => giveUp(started, error));
    started.on('exit', () => giveUp(started, new Error('the thread has ended')));
    return started;
  }

  function giveUp(ended: Worker, cause: unknown): void {
    if (worker !== ended) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(new StoreUnavailable('a long question was cut off', cause));
    waiting.clear();
  }

  function stop(): void {
    const stopped = worker;
    worker = null;
    void stopped?.terminate();
  }

  return {
    async ask(text: string, params: readonly unknown[]): Promise<unknown[]> {
      if (waiting.size >= MOST_WAITING) throw new StoreUnavailable('too many long questions are waiting');
      clearTimeout(rest);
      rest = setTimeout(() => waiting.size === 0 && stop(), REST_AFTER_MS);
      rest.unref();
      worker ??= start();
      const id = ++asked;
      worker.postMessage({ id, text, params });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    close(): void {
      clearTimeout(rest);
      stop();
    },
  };
}
