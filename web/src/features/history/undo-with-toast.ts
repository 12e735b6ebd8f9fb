import { currentJob } from '../../live/bulk-job.ts';
import { type Action, isUndone, performUndo, redoLast, undoLast, undoOffer, type What } from '../../live/undo-stack.ts';
import { notify, type Toast } from '../../ui/toast.ts';
import { loadArea } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';
import { actionText } from './history-words.ts';
import { undoRefusalText } from './undo-refusal-text.ts';

type How = {
  /** Asked for in the history. `redoes`: what is undone there was an undo itself. */
  inHistory?: { redoes: boolean };
  /** How much of a long one is done, where a toast is not the place to say it. */
  onProgress?: (done: number) => void;
};

/**
 * Takes actions of one kind about one thing back, and the message about it says what was undone, with a way to do it
 * again; or why it was not. The same for what had been undone: that is done again.
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
    // What was not answered can still be taken back.
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

/** 'Undo' or 'Redo' in a toast: what the keys would do, and only as long as they would. */
export function undoAction(actions: readonly Action[], words: Words): NonNullable<Toast['action']> {
  return {
    text: words.say(actions.some(isUndone) ? 'undo.redo' : 'undo'),
    ...undoOffer(actions, () => undoWithToast(actions, words)),
  };
}

/** Several deliveries or restocks of one item, all together. */
function sumOf(first: What, actions: readonly Action[]): What {
  if (!('count' in first)) return first;
  return { ...first, count: actions.reduce((sum, { what }) => sum + ('count' in what ? what.count : 0), 0) };
}

/** Ctrl Z: the last thing this person did in this tab. */
export async function undoLastWithToast(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await undoLast(async (action) => void (await undoWithToast([action], words)));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothingToUndo') });
}

/** Ctrl Shift Z: the last thing they took back. */
export async function redoLastWithToast(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await redoLast(async (action) => void (await undoWithToast([action], words)));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothingToRedo') });
}

/** Many rows are being worked on: what is last done is not settled yet. */
async function isBusy(words: Words): Promise<boolean> {
  await loadArea(words.language, 'history');
  const isBusy = currentJob() !== null;
  if (isBusy) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.busy') });
  return isBusy;
}
