import type { bulk } from '@perfume/contract/bulk';
import { call } from '../../api/client.ts';
import { insist } from '../../api/insist.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { eachMatching, hideItem, type Question, readListsAgain } from '../items/item-cache.ts';
import { problemText } from '../items/problem-text.ts';
import { did, takeBack } from '../items/undo-stack.ts';
import { beginJob, endJob, setReport, showProgress } from './bulk-job.ts';
import { type BulkWork, bulkWork, type Ending, type Portion } from './bulk-work.ts';
import { countSelected, forget, isSelected, type Selection } from './selection.ts';
import { changeSelection, type SelectionName } from './selection-store.ts';
import { type BatchUndone, batchDeed, type ManyDone } from './undo-batch.ts';

/** The rows somebody chose, and where they chose them. */
export type Chosen = { selection: Selection; question: Question; name: SelectionName };

type Action = 'deliver' | 'delete';
type Task = { action: Action; batch: string; chosen: Chosen; total: number; work: BulkWork; words: Words };

/** Delivers one of each, or deletes, what is chosen. What is done is no longer ticked; what failed stays so. */
export async function startBulk(action: Action, chosen: Chosen, words: Words): Promise<void> {
  const batch = crypto.randomUUID();
  const work = bulkWork({
    rows: rowsOf(chosen),
    send: async ({ key, ids }: Portion) => {
      const input = { body: { batch, action, ids }, headers: { 'idempotency-key': key } };
      const { data } = await insist(() => call<typeof bulk>({ method: 'POST', path: '/bulk' }, input));
      return data.results;
    },
    tell: (done, justDone) => {
      showProgress(done);
      if (action === 'delete') for (const id of justDone) hideItem(id);
      changeSelection(chosen.name, (now) => forget(now, justDone));
    },
  });
  await goOn({ action, batch, chosen, total: countSelected(chosen.selection), work, words });
}

async function goOn(task: Task): Promise<void> {
  const { action, work, total, chosen, words } = task;
  const signal = beginJob(action, total);
  if (signal === null) return tellBusy(words);
  showProgress(work.done());
  const ending = await work.run(signal).catch((problem: unknown): Ending => {
    tellProblem(problem, words);
    return 'stopped';
  });
  endJob();
  readListsAgain();
  const failures = work.failures();
  if (chosen.selection.kind === 'all') {
    changeSelection(chosen.name, () => ({ kind: 'some', ids: new Set(failures.map(({ id }) => id)) }));
  }
  if (work.done() > 0) tellDone(task, ending);
  if (failures.length > 0) {
    const retry = () => {
      work.retry();
      void goOn(task);
    };
    setReport({ kind: action, failures, unfinished: ending !== 'done', retry });
  }
}

function tellDone({ action, batch, work, total, words }: Task, ending: Ending): void {
  const { say } = words;
  const done = work.done();
  const what = { kind: action === 'deliver' ? 'deliverEach' : 'deleteMany', count: done } as const;
  did(batchDeed(batch, what));
  notify({
    kind: ending === 'done' ? 'success' : 'info',
    id: `bulk-${batch}`,
    text: ending === 'done' ? say(`bulk.done.${action}`, { count: done }) : say('bulk.stopped', { done, total }),
    action: { text: say('undo'), run: () => void undoBulk({ action, batch, what, words }) },
  });
}

type Undo = { action: Action; batch: string; what: ManyDone; words: Words };

/** Takes a whole bulk action back, a portion a call. */
async function undoBulk({ action, batch, what, words }: Undo): Promise<void> {
  const signal = beginJob('undo', what.count);
  if (signal === null) return tellBusy(words);
  let ended: BatchUndone | null = null;
  const onEnd = (all: BatchUndone) => {
    ended = all;
    const { undone, failures, unfinished } = all;
    if (undone > 0) {
      // In place of the toast that was clicked, so nobody undoes twice.
      notify({ kind: 'success', id: `bulk-${batch}`, text: words.say(`bulk.undone.${action}`, { count: undone }) });
    }
    if (failures.length > 0) {
      const retry = () => void undoBulk({ action, batch, what: { ...what, count: failures.length }, words });
      setReport({ kind: 'undo', failures, unfinished, retry });
    }
  };
  try {
    await takeBack(batchDeed(batch, what, { signal, onEnd }), (done) => showProgress(done));
  } catch (problem) {
    // Of rows that were refused the report tells.
    if (ended === null) tellProblem(problem, words);
  } finally {
    endJob();
  }
}

/** By age, which nothing we do to a row changes: none is met twice, none is passed over. */
async function* rowsOf({ selection, question }: Chosen): AsyncGenerator<string[]> {
  if (selection.kind === 'some') {
    yield [...selection.ids];
    return;
  }
  for await (const { items } of eachMatching({ ...question, sort: 'newest' }, new AbortController().signal)) {
    yield items.filter((item) => isSelected(selection, item)).map(({ id }) => id);
  }
}

export function tellProblem(problem: unknown, words: Words): void {
  console.error(problem);
  notify({ kind: 'error', id: 'bulk-problem', text: problemText(problem, words) });
}

export function tellBusy({ say }: Words): void {
  notify({ kind: 'info', id: 'bulk-busy', text: say('bulk.busy') });
}
