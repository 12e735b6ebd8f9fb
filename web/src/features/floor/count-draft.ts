import { checkTypedQuantity, type Item } from '@perfume/domain/items';
import type { CountReason } from '@perfume/domain/ledger';
import { useEffect } from 'react';
import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { changedHere, countIfUnchanged } from '../../live/change-stock.ts';
import { cachedItem } from '../../live/item-cache.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, performed, trackPending } from '../../live/undo-stack.ts';
import { createStore } from '../../ui/store.ts';
import { giveFeedback } from './feedback.ts';
import { addEntry, removeEntry, replaceEntry } from './journal.ts';

/**
 * The item that is being counted. `item` is the item as it was when the count began: the difference to that quantity is
 * recorded. `changedBefore` is what this tab had changed of the item by then. What it has changed since is known and
 * kept. If somebody else has changed the item since, nobody knows whether it was a delivery or a correction of the same
 * difference, so the person decides.
 */
export type CountDraft = { item: Item; text: string; reason: CountReason; changedBefore: number };

const draft = createStore<CountDraft | null>(null);

let owner = '';
const storageName = () => `count-draft:${owner}`;

/** The count that this person began in their house on this device, even if the tab was closed meanwhile. */
export function useCountDraft(ownerName: string): CountDraft | null {
  const current = draft.use();
  useEffect(() => restoreDraft(ownerName), [ownerName]);
  return ownerName === owner ? current : null;
}

export function restoreDraft(ownerName: string): void {
  if (ownerName === owner) return;
  owner = ownerName;
  draft.set(storedDraft());
}

function storedDraft(): CountDraft | null {
  try {
    const stored: CountDraft | null = JSON.parse(storedText(storageName()) ?? 'null');
    return stored && { ...stored, changedBefore: changedHere(stored.item.id) };
  } catch {
    return null;
  }
}

function setDraft(next: CountDraft | null): void {
  draft.set(next);
  if (next === null) removeText(storageName());
  else storeText(storageName(), JSON.stringify(next));
}

/** Counts one more unit of an item. The count of another item is saved first. */
export function countOne(item: Item): void {
  const current = draft.get();
  const counted = current?.item.id === item.id ? countedUnits(current) : null;
  if (current?.item.id === item.id) setDraft({ ...current, text: String((counted ?? 0) + 1) });
  else startCount(item, '1');
  giveFeedback('done');
}

/** Begins to count an item. The count of another item is saved first. */
export function startCount(item: Item, text = ''): void {
  const current = draft.get();
  if (current?.item.id === item.id) return;
  if (current) save(current);
  setDraft({ item, text, reason: 'miscount', changedBefore: changedHere(item.id) });
}

export function changeCount(change: Partial<Pick<CountDraft, 'text' | 'reason'>>): void {
  const current = draft.get();
  if (current) setDraft({ ...current, ...change });
}

export function cancelCount(): void {
  setDraft(null);
}

export function countedUnits({ text }: CountDraft): number | null {
  const checked = checkTypedQuantity(text);
  return checked.ok ? checked.value : null;
}

/** Returns by how much this tab has changed the item since the count began. */
function changedSince({ item, changedBefore }: CountDraft): number {
  return changedHere(item.id) - changedBefore;
}

/**
 * Returns the count as the screen shows it: compared with the item as it is now, if somebody else has changed it since
 * the count began.
 */
export function upToDate(count: CountDraft, now = cachedItem(count.item.id)): CountDraft {
  if (!now || now.quantity === count.item.quantity + changedSince(count)) return count;
  return { ...count, item: now, changedBefore: changedHere(now.id) };
}

/** Records the count as the screen shows it. */
export function saveCount(): void {
  const current = draft.get();
  setDraft(null);
  if (current) save(upToDate(current));
}

/** Records a count. A field without a number has nothing to record. */
function save(count: CountDraft): void {
  const { item } = count;
  const counted = countedUnits(count);
  if (counted === null) return;
  const recorded = record(count, counted);
  const key = addEntry({ kind: 'counted', item, counted, latest: null, isUndone: false });
  recorded.then(
    (latest) => {
      replaceEntry(key, { kind: 'counted', item, counted, latest, isUndone: false });
      giveFeedback('done');
    },
    (problem) => {
      removeEntry(key);
      addEntry({ kind: 'refusal', mode: 'count', item, problem, counted });
      giveFeedback('refused');
    },
  );
}

/** Resolves with null when the count confirms the quantity: nothing is recorded then. */
async function record(count: CountDraft, counted: number): Promise<Action | null> {
  const { item, reason } = count;
  const since = changedSince(count);
  const expected = { ...item, quantity: item.quantity + since };
  const after = Math.max(0, counted + since);
  const id = await trackPending(countIfUnchanged(expected, { counted: after, reason }));
  if (id === null) return null;
  const delta = after - expected.quantity;
  const action = entryAction({ id, itemId: item.id, delta, what: { kind: 'correct', name: item.name } });
  performed(action);
  return action;
}
