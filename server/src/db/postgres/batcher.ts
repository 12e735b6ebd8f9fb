import type { Db } from '../core/database.ts';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';

/**
 * How long an input waits for its result: slightly less than a client waits. PostgreSQL has no timeout for a commit
 * that waits for a standby: when no standby is left, the commit waits until one is back.
 */
const TIMEOUT_MS = 7_000;

/** Two batches may run at the same time: while one waits for the disk, the next one already runs. */
const MAX_RUNNING = 2;

/** Inputs with the same `conflictKey` never share a batch. Without this option, any inputs can. */
type BatchOptions<Input> = { maxSize: number; readsOnly?: boolean; conflictKey?: (input: Input) => string };

/** Returns a function that runs inputs in batches. Each open database has its own batcher. */
export function batcherPerStore<Input, Result>(
  runBatch: (db: Db, inputs: Input[]) => Promise<Result[]>,
  options: BatchOptions<Input>,
): (db: Db, input: Input) => Promise<Result> {
  const batchers = new WeakMap<Db, (input: Input) => Promise<Result>>();
  return (db, input) => {
    let run = batchers.get(db);
    if (!run) {
      run = createBatcher((inputs) => runBatch(db, inputs), options);
      batchers.set(db, run);
    }
    return run(input);
  };
}

/** Collects inputs while a batch is running, then runs them together: they share one round trip and one commit. */
export function createBatcher<Input, Result>(
  runBatch: (inputs: Input[]) => Promise<Result[]>,
  { maxSize, readsOnly, conflictKey }: BatchOptions<Input>,
): (input: Input) => Promise<Result> {
  type Job = { input: Input; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let waiting: Job[] = [];
  let running = 0;

  function enqueue(input: Input): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job: Job = { input, resolve, reject };
      const timer = setTimeout(() => timeOut(job), TIMEOUT_MS);
      job.resolve = (result) => {
        clearTimeout(timer);
        resolve(result);
      };
      job.reject = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      waiting.push(job);
      if (waiting.length === 1 && running < MAX_RUNNING) setImmediate(runNext);
    });
  }

  /**
   * Rejects a job that has waited too long. A running batch is not stopped and keeps its connection: opening a new
   * connection for each retry would soon use up all of them.
   */
  function timeOut(job: Job): void {
    const index = waiting.indexOf(job);
    const isRunning = index === -1;
    if (!isRunning) waiting.splice(index, 1);
    const cause = new Error(`no answer within ${TIMEOUT_MS} ms`);
    job.reject(isRunning && !readsOnly ? new OutcomeUnknown(cause) : new StoreUnavailable('the store is slow', cause));
  }

  async function runNext(): Promise<void> {
    if (waiting.length === 0 || running >= MAX_RUNNING) return;
    const batch = takeBatch();
    running++;
    try {
      const results = await runBatch(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running--;
      if (waiting.length > 0) setImmediate(runNext);
    }
  }

  function takeBatch(): Job[] {
    const batch: Job[] = [];
    const later: Job[] = [];
    const keys = new Set<string>();
    for (const job of waiting) {
      const key = conflictKey?.(job.input);
      if (batch.length >= maxSize || (key !== undefined && keys.has(key))) {
        later.push(job);
        continue;
      }
      if (key !== undefined) keys.add(key);
      batch.push(job);
    }
    waiting = later;
    return batch;
  }

  return enqueue;
}
