import { type EditTexts, editFields } from './edit-item-fields.ts';

/** What somebody has typed into the form of an item and not saved, and what they saw there when they began. */
export type EditDraft = { texts: Partial<EditTexts>; seen: Partial<EditTexts> };

/** For browsers that refuse storage: then a draft lasts as long as its tab. */
const held = new Map<string, string>();

export const draftPlace = (owner: string, itemId: string) => `edit-draft:${owner}:${itemId}`;

/** Only the fields that differ: the others follow the item. */
export function keepEdit(place: string, texts: EditTexts, seen: EditTexts): void {
  const touched = editFields.filter((field) => texts[field] !== seen[field]);
  if (touched.length === 0) {
    forgetEdit(place);
    return;
  }
  const part = (of: EditTexts) => Object.fromEntries(touched.map((field) => [field, of[field]]));
  const text = JSON.stringify({ texts: part(texts), seen: part(seen) });
  held.set(place, text);
  try {
    localStorage.setItem(place, text);
  } catch {
    // Kept in memory alone.
  }
}

export function keptEdit(place: string): EditDraft | null {
  try {
    const found = JSON.parse(stored(place) ?? 'null') as Partial<EditDraft> | null;
    const draft = { texts: known(found?.texts), seen: known(found?.seen) };
    const isWhole = Object.keys(draft.texts).every((field) => field in draft.seen);
    return isWhole && Object.keys(draft.texts).length > 0 ? draft : null;
  } catch {
    return null;
  }
}

export function forgetEdit(place: string): void {
  held.delete(place);
  try {
    localStorage.removeItem(place);
  } catch {
    // There was none.
  }
}

function stored(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return held.get(place) ?? null;
  }
}

/** Storage may hold anything: an older version's draft, or somebody's experiments. */
function known(texts: Partial<EditTexts> = {}): Partial<EditTexts> {
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([name, text]) => editFields.some((field) => field === name) && typeof text === 'string',
    ),
  );
}
