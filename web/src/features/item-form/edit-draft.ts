import { fromWireNames } from '@perfume/contract/wire-item';
import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { type EditTexts, editFields } from './edit-fields.ts';

/** Unsaved edits of an item, and the values the fields had when editing began. */
export type EditDraft = { texts: Partial<EditTexts>; seen: Partial<EditTexts> };

export const editDraftKey = (owner: string, itemId: string) => `edit-draft:${owner}:${itemId}`;

/** Saves the edited fields only. When the draft is restored, all other fields show the item's current values. */
export function saveEditDraft(draftKey: string, texts: EditTexts, seen: EditTexts): void {
  const touched = editFields.filter((field) => texts[field] !== seen[field]);
  if (touched.length === 0) {
    clearEditDraft(draftKey);
    return;
  }
  const part = (of: EditTexts) => Object.fromEntries(touched.map((field) => [field, of[field]]));
  storeText(draftKey, JSON.stringify({ texts: part(texts), seen: part(seen) }));
}

export function loadEditDraft(draftKey: string): EditDraft | null {
  try {
    const found = JSON.parse(storedText(draftKey) ?? 'null') as Partial<EditDraft> | null;
    const draft = { texts: known(found?.texts), seen: known(found?.seen) };
    const isWhole = Object.keys(draft.texts).every((field) => field in draft.seen);
    return isWhole && Object.keys(draft.texts).length > 0 ? draft : null;
  } catch {
    return null;
  }
}

export const clearEditDraft = removeText;

/**
 * Returns the valid fields of a stored draft. Storage may hold anything, such as a draft of an older version of the
 * app, which has the API's field names.
 */
function known(texts: Partial<EditTexts> = {}): Partial<EditTexts> {
  return Object.fromEntries(
    Object.entries(fromWireNames(texts)).filter(
      ([name, text]) => editFields.some((field) => field === name) && typeof text === 'string',
    ),
  );
}
