import type { Item } from '@perfume/domain/items';
import { firstCharacters } from '@perfume/domain/text';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { useWords } from '../../words/words.tsx';
import type { Sides } from './edit-conflict.tsx';
import { clearEditDraft, loadEditDraft, saveEditDraft } from './edit-draft.ts';
import {
  type EditField,
  type EditTexts,
  editFields,
  editOf,
  isEmptyEdit,
  isReorderPoint,
  mergeRemoteEdit,
  textsOf,
} from './edit-fields.ts';
import { type ItemTexts, itemFields } from './item-fields.ts';
import { type Saved, saveEdit } from './save-edit.ts';
import { useItemForm } from './use-item-form.ts';

type Options = {
  item: Item;
  /** The storage key of the draft. */
  draftKey: string;
  onSaved: (saved: Extract<Saved, { ok: true }>) => void;
  onUnchanged: () => void;
  onRefused: (problem: unknown) => void;
};

const formFields = itemFields.filter((field) => field !== 'quantity');
const LONG = 80;

/** The state of the form that edits an item, which others may change at the same time. */
export function useEditItem({ item, draftKey, onSaved, onUnchanged, onRefused }: Options) {
  const { say } = useWords();
  const [draft, setDraft] = useState(() => loadEditDraft(draftKey));
  const [initial] = useState<EditTexts>(() => ({ ...textsOf(item), ...draft?.texts }));
  const seen = useRef<EditTexts>({ ...textsOf(item), ...draft?.seen });
  const [conflicting, setConflicting] = useState<EditField[]>([]);
  const [conflict, setConflict] = useState<{ theirs: EditTexts; fields: EditField[] } | null>(null);
  const reorder = useReorderPoint(initial.reorderPoint);

  const now = textsOf(item);
  const notes = Object.fromEntries(
    conflicting.map((field) => {
      const text = now[field] === '' ? say('edit.empty') : now[field].replaceAll('\n', ', ');
      const value = text.length > LONG ? `${firstCharacters(text, LONG)}…` : text;
      return [field, say('edit.changedByOther', { value })];
    }),
  );

  const form = useItemForm({
    initial: { ...initial, quantity: String(item.quantity) },
    fields: formFields,
    notes,
    onTyped: (texts) => saveEditDraft(draftKey, withReorder(texts), seen.current),
    send: async (texts) => {
      if (!reorder.check()) throw new ApiProblem('invalid_input', 422);
      const edit = editOf(withReorder(texts), seen.current);
      if (isEmptyEdit(edit)) {
        clearEditDraft(draftKey);
        return onUnchanged();
      }
      const saved = await saveEdit(item, edit);
      if (saved.ok) {
        clearEditDraft(draftKey);
        onSaved(saved);
      } else setConflict({ theirs: textsOf(saved.theirs), fields: saved.fields });
    },
    onRefused,
  });

  function withReorder(texts: ItemTexts): EditTexts {
    const { quantity: _, ...rest } = texts;
    return { ...rest, reorderPoint: reorder.text() };
  }

  function put(texts: Partial<EditTexts>): void {
    if (texts.reorderPoint !== undefined) reorder.put(texts.reorderPoint);
    form.setValues(texts);
  }

  /** Copies changes by others into the fields that were not edited here. */
  const applyChange = useEffectEvent(() => {
    const followed = mergeRemoteEdit(withReorder(form.texts), seen.current, textsOf(item));
    seen.current = followed.seen;
    setConflicting(followed.conflicting);
    if (Object.keys(followed.put).length > 0) put(followed.put);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the item changes.
  useEffect(() => applyChange(), [item]);

  function resolve(sides: Sides): void {
    if (!conflict) return;
    for (const field of conflict.fields) {
      // Whichever side the user chose, they have now seen the other person's value.
      seen.current = { ...seen.current, [field]: conflict.theirs[field] };
      if (sides[field] === 'theirs') put({ [field]: conflict.theirs[field] });
    }
    setConflicting((now) => now.filter((field) => !conflict.fields.includes(field)));
    setConflict(null);
    void form.submit();
  }

  return {
    form,
    reorder: {
      ...reorder,
      note: notes.reorderPoint,
      type: (text: string) => {
        reorder.put(text);
        saveEditDraft(draftKey, withReorder(form.texts), seen.current);
      },
    },
    conflict: conflict && { ...conflict, mine: withReorder(form.texts), resolve, leave: () => setConflict(null) },
    isRestored: draft !== null,
    discard: () => {
      const typed = withReorder(form.texts);
      const [seenBefore, conflictingBefore] = [seen.current, conflicting];
      const fresh = textsOf(item);
      seen.current = fresh;
      setConflicting([]);
      setDraft(null);
      put(fresh);
      clearEditDraft(draftKey);
      return () => {
        // What others changed since they began to type is a conflict again.
        seen.current = seenBefore;
        setConflicting(conflictingBefore);
        put(Object.fromEntries(editFields.map((field) => [field, typed[field]])));
        saveEditDraft(draftKey, typed, seenBefore);
      };
    },
  };
}

/** The state of the reorder point field, which only the edit form has. */
function useReorderPoint(initial: string) {
  const [shown, setShown] = useState(initial);
  const [isWrong, setWrong] = useState(false);
  const latest = useRef(initial);
  return {
    shown,
    isWrong,
    text: () => latest.current,
    put: (text: string) => {
      latest.current = text;
      setShown(text);
      if (isReorderPoint(text)) setWrong(false);
    },
    check: () => {
      setWrong(!isReorderPoint(latest.current));
      return isReorderPoint(latest.current);
    },
  };
}
