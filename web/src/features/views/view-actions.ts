import type { WireView } from '@perfume/contract/views';
import { newIdempotencyKey } from '../../api/retry.ts';
import { problemText } from '../../live/problem-text.ts';
import { type Action, performed, trackPending, type What } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { createView, deleteView, type NewView, updateView, type ViewChange } from './views-query.ts';

type Done = {
  what: Extract<What, { name: string }>;
  about: string;
  undo: () => Promise<unknown>;
  redo: () => Promise<unknown>;
};

/** Saves a new view. A toast says so, with undo, or says why not. Resolves with null if the view was not saved. */
export async function saveView(body: NewView, words: Words): Promise<WireView | null> {
  const { say } = words;
  const view = await orToast(() => createView(body), say('views.notSaved'), words);
  if (view === null) return null;
  const { id, name } = view;
  const undo = () => deleteView(id);
  offerUndo({ what: { kind: 'saveView', name }, about: id, undo, redo: () => updateView(id, {}) }, 'save', words);
  return view;
}

/** Changes those fields of a view that differ. Resolves with whether it worked. */
export async function changeView(view: WireView, wanted: ViewChange, words: Words): Promise<boolean> {
  const { id } = view;
  const fields = (Object.keys(wanted) as (keyof ViewChange)[]).filter((field) => wanted[field] !== view[field]);
  const those = (of: ViewChange): ViewChange => Object.fromEntries(fields.map((field) => [field, of[field]]));
  if (fields.length === 0) return true;
  const change = those(wanted);
  const changed = await orToast(() => updateView(id, change), words.say('views.notSaved'), words);
  if (changed === null) return false;
  const undo = () => updateView(id, those(view));
  const what = { kind: 'changeView', name: changed.name } as const;
  const isEmailOnly = fields.length === 1 && fields[0] === 'email';
  const done = isEmailOnly ? (change.email ? 'emailOn' : 'emailOff') : 'change';
  offerUndo({ what, about: id, undo, redo: () => updateView(id, change) }, done, words);
  return true;
}

export async function removeView({ id, name }: WireView, words: Words): Promise<void> {
  const removed = await orToast(() => deleteView(id).then(() => true), words.say('views.notDeleted'), words);
  if (removed === null) return;
  const redo = () => deleteView(id);
  offerUndo({ what: { kind: 'deleteView', name }, about: id, undo: () => updateView(id, {}), redo }, 'delete', words);
}

async function orToast<T>(request: () => Promise<T>, failed: string, words: Words): Promise<T | null> {
  try {
    return await trackPending(request());
  } catch (problem) {
    notify({ kind: 'error', id: 'views', text: `${failed} ${problemText(problem, words)}` });
    return null;
  }
}

function offerUndo(done: Done, kind: 'save' | 'change' | 'emailOn' | 'emailOff' | 'delete', words: Words): void {
  const action = toAction(done);
  performed(action);
  const text = words.say(`views.done.${kind}`, { name: done.what.name });
  notify({ kind: 'success', id: done.about, text, action: undoAction([action], words) });
}

function toAction({ what, about, undo, redo }: Done): Action {
  return {
    id: newIdempotencyKey(),
    about,
    what,
    undo: async () => {
      await undo();
      return toAction({ what, about, undo: redo, redo: undo });
    },
  };
}
