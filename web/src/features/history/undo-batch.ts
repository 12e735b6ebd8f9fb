import { fromWireNames } from '@perfume/contract/wire-item';
import { ApiProblem, call } from '../../api/client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { afterGracePeriod, type Failure, failureOf } from '../../live/bulk-work.ts';
import { refetchLists } from '../../live/item-cache.ts';
import { withUpdatesHeld } from '../../live/live-items.ts';
import type { Action, What } from '../../live/undo-stack.ts';
import { markBatchUndone } from './use-history.ts';

export type BatchUndone = {
  /** The batch that the undo itself was recorded as. Undoing this batch redoes the original bulk action. */
  batch: string;
  undone: number;
  failures: Failure[];
  /** Whether the undo stopped before every row was tried. */
  unfinished: boolean;
};

/** Undoes a bulk action, one chunk per request, and reports the rows that could not be undone. */
async function undoBatch(
  batch: string,
  { onProgress, signal }: { onProgress?: (undone: number) => void; signal?: AbortSignal } = {},
): Promise<BatchUndone> {
  const all: BatchUndone = { batch, undone: 0, failures: [], unfinished: true };
  let after: string | null = '';
  const cancel = signal && afterGracePeriod(signal);
  try {
    while (after !== null && !signal?.aborted) {
      const query: { after?: string } = after === '' ? {} : { after };
      const { data } = await withUpdatesHeld(() =>
        retryUntilAnswered(
          (trying) => call('POST /batches/:id/undo', { params: { id: batch }, query, signal: trying }),
          cancel,
        ),
      );
      all.batch = data.batch;
      after = data.next;
      const undoneBy = new Map<string, string>();
      for (const result of fromWireNames(data.results)) {
        if (!result.ok) all.failures.push(failureOf(result));
        else undoneBy.set(result.id, result.movementId ?? data.batch);
      }
      all.undone += undoneBy.size;
      markBatchUndone(batch, undoneBy);
      onProgress?.(all.undone);
    }
  } catch (problem) {
    if (!cancel?.aborted) throw problem;
  } finally {
    refetchLists();
  }
  all.unfinished = after !== null;
  return all;
}

export type ManyDone = Extract<What, { kind: `${string}Each` | `${string}Many` }>;

type Options = {
  /** Stops the undo between chunks. */
  signal?: AbortSignal;
  /** Called once at the end, with the combined result of all rows. */
  onEnd?: (all: BatchUndone) => void;
};

const unanswered = new ApiProblem('offline', 0);
const alreadyUndone = new ApiProblem('already_undone', 409);

/** Returns a bulk action as one action that can be undone. */
export function batchAction(batch: string, what: ManyDone, { signal, onEnd }: Options = {}): Action {
  return {
    id: batch,
    about: batch,
    what,
    undo: async (onProgress) => {
      const all = await undoBatch(batch, { onProgress, ...(signal && { signal }) });
      onEnd?.(all);
      const { undone, failures } = all;
      const [first] = failures;
      if (undone === 0) throw first?.problem ?? (all.unfinished ? unanswered : alreadyUndone);
      const mirror = batchAction(all.batch, { ...what, count: undone });
      return first ? { ...mirror, left: { count: failures.length, problem: first.problem } } : mirror;
    },
  };
}
