import type { DatabaseSync } from 'node:sqlite';
import { isIoError, isStorageFailure, OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import type { Queries } from '../core/statement.ts';

type Job = {
  changesData: boolean;
  work: (db: Queries) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

const MAX_BATCH_SIZE = 128;
/** How long a commit waits until about as many changes have arrived as the one before had. */
const MAX_GATHER_MS = 1;
/** After so long, the changes that are left wait for the next batch, and reads go in between. */
const MAX_BATCH_MS = 20;

/**
 * Creates the only writer of the database. It takes all waiting changes, runs one after the other and commits once. The
 * changes share one fsync, and none resolves before it is on disk. If one fails, they are rolled back and run again, each in
 * its own savepoint, so that it takes none of the others with it. Few fail, and a savepoint costs a tenth of a change.
 *
 * `beforeCommit` does work that is cheaper once per batch than once per change. `afterBatch` is called before any change of
 * the batch resolves, whether it was committed or not.
 */
export function groupCommit(
  connection: DatabaseSync,
  db: Queries,
  { beforeCommit, afterBatch }: { beforeCommit: () => void; afterBatch: (hasChangedData: boolean) => void },
) {
  const begin = connection.prepare('begin immediate');
  const commit = connection.prepare('commit');
  const savepoint = connection.prepare('savepoint change');
  const release = connection.prepare('release change');
  let waiting: Job[] = [];
  let running: Promise<void> | null = null;

  function change<T>(work: (db: Queries) => Promise<T>, { changesData = true } = {}): Promise<T> {
    const result = new Promise<T>((resolve, reject) => {
      waiting.push({ changesData, work, resolve: resolve as Job['resolve'], reject });
    });
    running ??= drain();
    return result;
  }

  async function drain(): Promise<void> {
    // Waiting for one tick lets every request that has already arrived join the first batch.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH_SIZE);
      waiting = waiting.slice(MAX_BATCH_SIZE);
      waiting = [...(await commitBatch(batch)), ...waiting];
      // Whoever has just got an answer may have a next change. A commit costs almost as much for one as for many.
      const until = performance.now() + MAX_GATHER_MS;
      do await new Promise(setImmediate);
      while (waiting.length < batch.length - 1 && performance.now() < until);
    }
    running = null;
  }

  /** Returns the changes of the batch for which there was no time. */
  async function commitBatch(whole: Job[], inSavepoints = false): Promise<Job[]> {
    const settle: (() => void)[] = [];
    const until = performance.now() + MAX_BATCH_MS;
    let batch = whole;
    let committing = false;
    const hasChangedData = whole.some((job) => job.changesData);
    try {
      rollback();
      begin.run();
      for (const job of whole) {
        settle.push(await (inSavepoints ? runInSavepoint(job) : run(job)));
        if (performance.now() > until) break;
      }
      batch = whole.slice(0, settle.length);
      beforeCommit();
      committing = true;
      commit.run();
      afterBatch(hasChangedData);
    } catch (error) {
      afterBatch(hasChangedData);
      if (!rollback() || isStorageFailure(error)) {
        // The commit may be in the WAL without a confirmed fsync. After a crash SQLite recovers it, unless the next
        // commit has overwritten it.
        const reason =
          committing && isIoError(error)
            ? new OutcomeUnknown(error)
            : new StoreUnavailable('the database could not be written', error);
        for (const job of batch) job.reject(reason);
      } else if (whole.length === 1) whole[0]?.reject(error);
      else if (!inSavepoints) return commitBatch(whole, true);
      // Deferred constraints are checked at the commit. Committing the changes one by one finds the one that violates a
      // constraint.
      else for (const job of batch) await commitBatch([job]);
      return whole.slice(batch.length);
    }
    for (const settleJob of settle) settleJob();
    return whole.slice(batch.length);
  }

  /** Returns false when even the rollback fails, because the database is closed or broken. */
  function rollback(): boolean {
    try {
      if (connection.isTransaction) connection.exec('rollback');
      return true;
    } catch {
      return false;
    }
  }

  async function run(job: Job): Promise<() => void> {
    const value = await job.work(db);
    // Some errors end the transaction, and the work may have caught it. What comes next must not be written without one.
    if (!connection.isTransaction) throw new StoreUnavailable('the transaction has ended');
    return () => job.resolve(value);
  }

  async function runInSavepoint(job: Job): Promise<() => void> {
    savepoint.run();
    try {
      const settle = await run(job);
      release.run();
      return settle;
    } catch (error) {
      // A full disk aborts the whole transaction, so no change of the batch may resolve.
      if (!connection.isTransaction || isStorageFailure(error)) throw error;
      connection.exec('rollback to change');
      release.run();
      return () => job.reject(error);
    }
  }

  return { change, isBusy: () => running !== null, idle: () => running ?? Promise.resolve() };
}
