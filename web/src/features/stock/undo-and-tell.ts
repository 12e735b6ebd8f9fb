import { notify } from '../../ui/toast.ts';
import { loadArea } from '../../words/catalogues.ts';
import type { Words } from '../../words/words.tsx';
import { type Deed, redoLast, takeBack, undoLast } from '../items/undo-stack.ts';
import { currentJob } from './bulk-job.ts';
import { whatText } from './history-words.ts';
import { whyNot } from './undo-words.ts';

type How = {
  /** Taking this back does something again that had been undone. */
  redoes?: boolean;
  toast?: string;
  /** How much of a long one is done, where a toast is not the place to say it. */
  tell?: (done: number) => void;
};

/** Takes a deed back, and a toast says what was undone, with a way to do it again; or why it was not. */
export async function undoAndTell(deed: Deed, words: Words, how: How = {}): Promise<boolean> {
  const { redoes = false, toast } = how;
  await loadArea(words.language, 'history');
  const { say } = words;
  const what = whatText(deed.what, words);
  const id = toast ?? `undo-${deed.id}`;
  const tellProgress = (count: number) => notify({ kind: 'info', id, text: say('undo.working', { count }) });
  try {
    const mirror = await takeBack(deed, how.tell ?? tellProgress);
    const text = say(redoes ? 'undo.again' : 'undo.done', { what: whatText(mirror.what, words) });
    const { left } = mirror;
    const rest = left && say('undo.left', { count: left.count, why: whyNot(left.problem, words) });
    notify({
      kind: 'success',
      id,
      text: [text, rest].filter(Boolean).join('. '),
      action: {
        text: say(redoes ? 'undo' : 'undo.redo'),
        run: () => void undoAndTell(mirror, words, { redoes: !redoes, toast: id }),
      },
    });
    return true;
  } catch (problem) {
    const text = `${say(redoes ? 'undo.notAgain' : 'undo.failed', { what })} ${whyNot(problem, words)}`;
    notify({ kind: 'error', id: `${id}-failed`, text });
    return false;
  }
}

/** Ctrl Z: the last thing this person did in this tab. */
export async function undoLastAndTell(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await undoLast(async (deed) => void (await undoAndTell(deed, words)));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothing') });
}

/** Ctrl Shift Z: the last thing they took back. */
export async function redoLastAndTell(words: Words): Promise<void> {
  if (await isBusy(words)) return;
  const found = await redoLast(async (deed) => void (await undoAndTell(deed, words, { redoes: true })));
  if (!found) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.nothingAgain') });
}

/** Many rows are being worked on: what is last done is not settled yet. */
async function isBusy(words: Words): Promise<boolean> {
  await loadArea(words.language, 'history');
  const isBusy = currentJob() !== null;
  if (isBusy) notify({ kind: 'info', id: 'undo-nothing', text: words.say('undo.busy') });
  return isBusy;
}
