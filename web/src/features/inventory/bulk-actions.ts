import { fromWireNames } from '@perfume/contract/wire-item';
import { call } from '../../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { beginJob, endJob, type JobKind, type Report, setReport, showProgress } from '../../live/bulk-job.ts';
import { type BulkWork, bulkWork, type Chunk, type Ending } from '../../live/bulk-work.ts';
import { eachMatching, type ListFilters, refetchLists, removeCachedItem } from '../../live/item-cache.ts';
import { withUpdatesHeld } from '../../live/live-items.ts';
import { problemText } from '../../live/problem-text.ts';
import { performed, undoOffer } from '../../live/undo-stack.ts';
import { undoWithToast } from '../../live/undo-with-toast.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { type BatchUndone, batchAction, type ManyDone } from '../history/undo-batch.ts';
import { countSelected, forget, isSelected, type Selection } from './selection.ts';
import { changeSelection, type SelectionName } from './selection-store.ts';

/** The selected rows, and the list they were selected in. Without a `name`, no list shows them as selected. */
export type BulkSelection = { selection: Selection; filters: ListFilters; name?: SelectionName };

/** What to do with each selected item. A reorder point that is null follows the setting of the warehouse. */
export type BulkAction =
  | { action: 'deliver' | 'restock'; units: number }
  | { action: 'setReorderPoint'; reorderPoint: number | null }
  | { action: 'assignCode' }
  | { action: 'delete' };

type Task = {
  change: BulkAction;
  batch: string;
  deselect: Deselect;
  total: number;
  /** The rows that are not done yet. */
  left: Set<string>;
  work: BulkWork;
  words: Words;
};

/** Changes the selection, if a list shows it. */
type Deselect = (change: (now: Selection) => Selection) => void;

/** Changes each selected item. Rows that are done are deselected. */
export async function startBulk(change: BulkAction, bulkSelection: BulkSelection, words: Words): Promise<void> {
  const { action } = change;
  const { name } = bulkSelection;
  const deselect: Deselect = (change) => name && changeSelection(name, change);
  const ids = await resolveRows(action, bulkSelection, words);
  if (ids === null) return;
  const left = new Set(ids);
  const batch = newIdempotencyKey();
  const work = bulkWork({
    rows: [ids],
    send: async ({ key, ids }: Chunk, cancel) => {
      const input = { body: { batch, ...change, ids }, headers: { 'idempotency-key': key } };
      const { data } = await withUpdatesHeld(() =>
        retryUntilAnswered((signal) => call('POST /bulk', { ...input, signal }), cancel),
      );
      return fromWireNames(data.results);
    },
    onProgress: (done, justDone) => {
      showProgress(done);
      for (const id of justDone) left.delete(id);
      if (action === 'delete') for (const id of justDone) removeCachedItem(id);
      deselect((now) => forget(now, justDone));
    },
  });
  await runTask({ change, batch, deselect, total: ids.length, left, work, words });
}

/**
 * Returns the rows to act on, or null if nothing may be done. "All that match" is looked up only now: if more rows
 * match than were counted, they are selected and shown, and the user has to start the action again.
 */
export async function resolveRows(
  action: JobKind,
  { selection, filters, name }: BulkSelection,
  words: Words,
): Promise<string[] | null> {
  if (selection.kind === 'some') return [...selection.ids];
  const counted = countSelected(selection);
  const signal = beginJob(action, counted);
  if (signal === null) {
    notifyBusy(words);
    return null;
  }
  const ids: string[] = [];
  try {
    // Sorted by creation time, which never changes, so that no row is skipped or returned twice.
    for await (const { items } of eachMatching({ ...filters, sort: 'newest' }, signal))
      ids.push(...items.filter((item) => isSelected(selection, item)).map(({ id }) => id));
  } catch (problem) {
    if (!signal.aborted) notifyProblem(problem, words);
    return null;
  } finally {
    endJob();
  }
  if (signal.aborted) return null;
  if (ids.length <= counted) return ids;
  if (name) changeSelection(name, () => ({ kind: 'some', ids: new Set(ids) }));
  refetchLists();
  notify({ kind: 'info', id: 'bulk-more', text: words.say('bulk.selectionChanged', { count: ids.length }) });
  return null;
}

async function runTask(task: Task): Promise<void> {
  const { work, total, deselect, left, words } = task;
  const { action } = task.change;
  const signal = beginJob(action, total);
  if (signal === null) return notifyBusy(words);
  showProgress(work.done());
  const ending = await work.run(signal).catch((problem: unknown): Ending => {
    notifyProblem(problem, words);
    return 'stopped';
  });
  endJob();
  refetchLists();
  deselect((now) => (now.kind === 'all' ? { kind: 'some', ids: new Set(left) } : now));
  const done = work.done() > 0 ? notifyDone(task, ending) : undefined;
  const failures = work.failures();
  if (failures.length === 0) return;
  const retry = () => {
    work.retry();
    void runTask(task);
  };
  setReport({
    kind: action,
    failures,
    unfinished: left.size > failures.length,
    ...(done && { done }),
    ...(work.canRetry() && { retry }),
  });
}

function notifyDone({ change, batch, work, total, words }: Task, ending: Ending): Report['done'] {
  const { say } = words;
  const isDone = ending === 'done';
  const text = isDone ? doneText(change, work, words) : say('bulk.stopped', { done: work.done(), total });
  const kind = isDone ? 'success' : 'info';
  const what = whatOf(change, work.changed());
  if (what.count === 0) {
    notify({ kind, id: batch, text });
    return undefined;
  }
  const bulkAction = batchAction(batch, what);
  performed(bulkAction);
  const { run: undo, availability } = undoOffer([bulkAction], () => undoBulk(batch, what, words));
  notify({ kind, id: batch, text, action: { text: say('undo'), run: undo, availability } });
  return { count: what.count, text, undo };
}

function doneText(change: BulkAction, work: BulkWork, { say }: Words): string {
  const count = work.done();
  // Items that had a code already are done, but got none.
  if (change.action === 'assignCode') return say('bulk.done.assignCode', { count: work.changed() });
  if (change.action === 'delete') return say('bulk.done.delete', { count });
  if (change.action !== 'setReorderPoint') return say(`bulk.done.${change.action}`, { count, units: change.units });
  const point = change.reorderPoint;
  return point === null
    ? say('bulk.done.clearReorderPoint', { count })
    : say('bulk.done.setReorderPoint', { count, point });
}

function whatOf(change: BulkAction, count: number): ManyDone {
  if ('units' in change) return { kind: `${change.action}Each`, count, units: change.units };
  return { kind: change.action === 'delete' ? 'deleteMany' : 'editMany', count };
}

/** Undoes a whole bulk action, one chunk per request. */
async function undoBulk(batch: string, what: ManyDone, words: Words): Promise<void> {
  const signal = beginJob('undo', what.count);
  if (signal === null) return notifyBusy(words);
  const onEnd = ({ failures, unfinished }: BatchUndone) => {
    if (failures.length > 0) setReport({ kind: 'undo', failures, unfinished });
  };
  try {
    await undoWithToast([batchAction(batch, what, { signal, onEnd })], words, { onProgress: showProgress });
  } finally {
    endJob();
  }
}

export function notifyProblem(problem: unknown, words: Words): void {
  console.error(problem);
  notify({ kind: 'error', id: 'bulk-problem', text: problemText(problem, words) });
}

export function notifyBusy({ say }: Words): void {
  notify({ kind: 'info', id: 'bulk-busy', text: say('bulk.busy') });
}
