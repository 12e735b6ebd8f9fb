import { notify, type Toast } from '../ui/toast.ts';
import { loadArea } from '../words/catalogues.ts';
import type { Words } from '../words/words.tsx';
import { currentJob } from './bulk-job.ts';
import { type Action, isUndone, performUndo, redoLast, undoLast, undoOffer, type What } from './undo-stack.ts';
import { actionText, undoRefusalText } from './undo-text.ts';

type How = {
  /** Set when the user undoes an entry in the history. `redoes`: that entry was an undo, so undoing it is a redo. */
  inHistory?: { redoes: boolean };
  /** Called with the number of rows undone so far. If given, no toast shows the progress. */
  onProgress?: (done: number) => void;
};

/**
 * Undoes actions of one kind on one item or batch; actions that are already undone are redone. A toast says what
 * happened and offers the reverse, or says why it failed. Returns whether at least one action succeeded.
 */
export async function undoWithToast(actions: readonly Action[], words: Words, how: How = {}): Promise<boolean> {
  const [first] = actions;
  if (!first) return false;
  await loadArea(words.language, 'history');
  const { say } = words;
  const { about: id, isUndo } = first;
  const redoes = how.inHistory?.redoes ?? isUndone(first);
  const onProgress =
    how.onProgress ?? ((count: number) => notify({ kind: 'info', id, text: say('undo.working', { count }) }));
  const outcomes = await Promise.allSettled(
    actions.map((action) => performUndo(action, { onProgress, inHistory: how.inHistory })),
  );
  const mirrors = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  const [mirror] = mirrors;
  if (!mirror) {
    const what = actionText({ what: sumOf(first.what, actions), isUndo }, words);
    const text = `${say(redoes ? 'undo.notRedone' : 'undo.failed', { what })} ${undoRefusalText(refused?.reason, words)}`;
    // The button is only available if the server did not answer: after a refusal, trying again would not help.
    notify({ kind: 'error', id, text, action: undoAction(actions, words) });
    return false;
  }
  const what = actionText({ what: sumOf(mirror.what, mirrors), isUndo }, words);
  const left = mirror.left ?? (refused && { count: actions.length - mirrors.length, problem: refused.reason });
  const rest = left && say('undo.failedCount', { count: left.count, why: undoRefusalText(left.problem, words) });
  const text = [say(redoes ? 'undo.redone' : 'undo.done', { what }), rest].filter(Boolean).join('. ');
  notify({ kind: 'success', id, text, action: undoAction(mirrors, words) });
  return true;
}

/** Returns the 'Undo' or 'Redo' button of a toast. The button disappears when it can no longer do either. */
export function undoAction(actions: readonly Action[], words: Words): NonNullable<Toast['action']> {
  return {
    text: words.say(actions.some(isUndone) ? 'undo.redo' : 'undo'),
    ...undoOffer(actions, () => undoWithToast(actions, words)),
  };
}

/** Returns `first` with the units of all actions added up, for several deliveries or restocks of one item. */
function sumOf(first: What, actions: readonly Action[]): What {
  if (!('count' in first)) return first;
  return { ...first, count: actions.reduce((sum, { what }) => sum + ('count' in what ? what.count : 0), 0) };
}

/** Ctrl Z: undoes the last action of this person in this tab. */
export async function undoLastWithToast(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await undoLast(async (action) => void (await undoWithToast([action], words)));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothingToUndo') });
}

/** Ctrl Shift Z: redoes the last undone action. */
export async function redoLastWithToast(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await redoLast(async (action) => void (await undoWithToast([action], words)));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothingToRedo') });
}

/** Returns whether a bulk action is running. If so, a toast says that undo and redo have to wait. */
async function isBusy(words: Words): Promise<boolean> {
  await loadArea(words.language, 'history');
  const isBusy = currentJob() !== null;
  if (isBusy) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.busy') });
  return isBusy;
}
