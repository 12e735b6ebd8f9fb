import type { DatabaseSync } from 'node:sqlite';
import { isIoError, isStorageFailure, OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import type { Queries } from '../core/statement.ts';

type Job = {
  work: (db: Queries) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

const MOST_JOBS_IN_A_BATCH = 128;

/**
 * One writer takes all changes that are waiting, runs each in its own savepoint, and commits once:
 * they share one fsync, and nobody is answered before it is on disk. A change that fails takes back only itself.
 * `beforeCommit` does what is cheaper for all of them at once than for each.
 */
export function groupCommit(connection: DatabaseSync, db: Queries, beforeCommit: () => void) {
  const begin = connection.prepare('begin immediate');
  const commit = connection.prepare('commit');
  const savepoint = connection.prepare('savepoint change');
  const release = connection.prepare('release change');
  let waiting: Job[] = [];
  let running: Promise<void> | null = null;

  function change<T>(work: (db: Queries) => Promise<T>): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Job['resolve'], reject });
    });
    running ??= drain();
    return answer;
  }

  async function drain(): Promise<void> {
    // One turn of the event loop lets every request that has already arrived join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_JOBS_IN_A_BATCH);
      waiting = waiting.slice(MOST_JOBS_IN_A_BATCH);
      await commitTogether(batch);
      await new Promise(setImmediate);
    }
    running = null;
  }

  async function commitTogether(batch: Job[]): Promise<void> {
    const settle: (() => void)[] = [];
    let committing = false;
    try {
      takeBack();
      begin.run();
      for (const job of batch) settle.push(await runInSavepoint(job));
      beforeCommit();
      committing = true;
      commit.run();
    } catch (error) {
      if (!takeBack() || isStorageFailure(error)) {
        // A commit that reached the log but not surely the disk is found there again after a crash, unless the next
        // one is written over it.
        const reason =
          committing && isIoError(error)
            ? new OutcomeUnknown(error)
            : new StoreUnavailable('the database could not be written', error);
        for (const job of batch) job.reject(reason);
      } else if (batch.length === 1) batch[0]?.reject(error);
      // Only the commit itself knows of a broken rule it was told to check last: find whose it is.
      else for (const job of batch) await commitTogether([job]);
      return;
    }
    for (const answer of settle) answer();
  }

  /** Nobody's change stays half done; false when the store is closed, or too broken even for that. */
  function takeBack(): boolean {
    try {
      if (connection.isTransaction) connection.exec('rollback');
      return true;
    } catch {
      return false;
    }
  }

  async function runInSavepoint(job: Job): Promise<() => void> {
    savepoint.run();
    try {
      const value = await job.work(db);
      release.run();
      return () => job.resolve(value);
    } catch (error) {
      // A full disk ends the whole transaction by itself; then nothing of the batch may be answered as done.
      if (!connection.isTransaction || isStorageFailure(error)) throw error;
      connection.exec('rollback to change');
      release.run();
      return () => job.reject(error);
    }
  }

  return { change, idle: () => running ?? Promise.resolve() };
}
