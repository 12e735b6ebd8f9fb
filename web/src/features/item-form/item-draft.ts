import { fromWireNames } from '@perfume/contract/wire-item';
import { newIdempotencyKey } from '../../api/retry.ts';
import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { createStore } from '../../ui/store.ts';
import { type ItemTexts, itemFields } from './item-fields.ts';

/**
 * Unsaved texts of a new item, and the idempotency key of the last attempt to save them. `corrects` is the id of an item
 * that the server refused and that these texts correct.
 */
type Draft = {
  texts: Partial<ItemTexts>;
  attempt: { key: string; texts: string } | null;
  corrects: string | null;
};

const draftKey = (owner: string) => `new-item-draft:${owner}`;

/**
 * Saves the draft of a new item, so that it survives a reload, a visit to another page and a failed save. Each user has
 * their own draft in each house.
 */
export function saveDraft(owner: string, texts: ItemTexts, blank: ItemTexts): void {
  if (itemFields.every((name) => texts[name] === blank[name])) clearDraft(owner);
  else write(owner, { ...read(owner), texts });
}

/** Puts the texts of an item that the server refused into the form for a new item. */
export function startCorrection(owner: string, itemId: string, texts: Partial<ItemTexts>): void {
  write(owner, { texts, attempt: null, corrects: itemId });
  corrections.set(corrections.get() + 1);
}

/** How many corrections were started in this tab. A form that is open starts again with each. */
export const corrections = createStore(0);

/** Returns the id of the refused item that the draft corrects, or null. */
export function correctedItem(owner: string): string | null {
  return read(owner).corrects;
}

export function loadDraft(owner: string): Partial<ItemTexts> | null {
  const { texts } = read(owner);
  return Object.keys(texts).length > 0 ? texts : null;
}

export function clearDraft(owner: string): void {
  removeText(draftKey(owner));
}

/**
 * Returns the idempotency key for saving these texts. The same texts keep the same key, even after a reload: if only
 * the response was lost, a retry returns the existing item instead of creating a second one.
 */
export function attemptKey(owner: string, texts: ItemTexts): string {
  const known = savedAttemptKey(owner, texts);
  if (known !== null) return known;
  const key = newIdempotencyKey();
  write(owner, { ...read(owner), texts, attempt: { key, texts: asOneText(texts) } });
  return key;
}

/** Forgets an attempt that the server refused. The same texts may be accepted later, and a known key would not be. */
export function forgetAttempt(owner: string): void {
  const draft = read(owner);
  if (draft.attempt) write(owner, { ...draft, attempt: null });
}

/** Returns the key of an earlier attempt to save exactly these texts, or null if there was none. */
export function savedAttemptKey(owner: string, texts: ItemTexts): string | null {
  const { attempt } = read(owner);
  return attempt?.texts === asOneText(texts) ? attempt.key : null;
}

function asOneText(texts: ItemTexts): string {
  return JSON.stringify(itemFields.map((name) => texts[name]));
}

function write(owner: string, draft: Draft): void {
  storeText(draftKey(owner), JSON.stringify(draft));
}

function read(owner: string): Draft {
  try {
    return draftOf(JSON.parse(storedText(draftKey(owner)) ?? '{}'));
  } catch {
    return { texts: {}, attempt: null, corrects: null };
  }
}

/**
 * Returns the valid parts of a stored draft. Storage may hold anything, such as a draft of an older version of the app,
 * which has the API's field names.
 */
function draftOf(found: Partial<Draft>): Draft {
  const texts = Object.entries(fromWireNames(found.texts ?? {})).filter(
    ([name, text]) => itemFields.some((field) => field === name) && typeof text === 'string',
  );
  const { key, texts: tried } = found.attempt ?? {};
  return {
    texts: Object.fromEntries(texts),
    attempt: typeof key === 'string' && typeof tried === 'string' ? { key, texts: tried } : null,
    corrects: typeof found.corrects === 'string' ? found.corrects : null,
  };
}
