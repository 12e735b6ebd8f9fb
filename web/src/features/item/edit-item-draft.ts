import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { type EditTexts, editFields } from './edit-item-fields.ts';

/** What somebody has typed into the form of an item and not saved, and what they saw there when they began. */
export type EditDraft = { texts: Partial<EditTexts>; seen: Partial<EditTexts> };

export const draftPlace = (owner: string, itemId: string) => `edit-draft:${owner}:${itemId}`;

/** Only the fields that differ: the others follow the item. */
export function keepEdit(place: string, texts: EditTexts, seen: EditTexts): void {
  const touched = editFields.filter((field) => texts[field] !== seen[field]);
  if (touched.length === 0) {
    forgetEdit(place);
    return;
  }
  const part = (of: EditTexts) => Object.fromEntries(touched.map((field) => [field, of[field]]));
  storeText(place, JSON.stringify({ texts: part(texts), seen: part(seen) }));
}

export function keptEdit(place: string): EditDraft | null {
  try {
    const found = JSON.parse(storedText(place) ?? 'null') as Partial<EditDraft> | null;
    const draft = { texts: known(found?.texts), seen: known(found?.seen) };
    const isWhole = Object.keys(draft.texts).every((field) => field in draft.seen);
    return isWhole && Object.keys(draft.texts).length > 0 ? draft : null;
  } catch {
    return null;
  }
}

export const forgetEdit = removeText;

/** Storage may hold anything: an older version's draft, or somebody's experiments. */
function known(texts: Partial<EditTexts> = {}): Partial<EditTexts> {
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([name, text]) => editFields.some((field) => field === name) && typeof text === 'string',
    ),
  );
}
