import { checkTypedQuantity, type Item } from '@perfume/domain/items';
import type { CountReason } from '@perfume/domain/ledger';
import { useEffect } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { countStock } from '../../live/change-stock.ts';
import { cachedItem } from '../../live/item-cache.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, performed, trackPending } from '../../live/undo-stack.ts';
import { createStore } from '../../ui/store.ts';
import { giveFeedback } from './feedback.ts';
import { addEntry, removeEntry } from './journal.ts';

/**
 * The item that is being counted. `item` is the item as it was when the count began: the difference to that quantity is
 * recorded, so what others deliver meanwhile is kept. `isRestored`: the draft comes from storage and may be days old. If
 * the item has changed since, nobody knows whether the change was a delivery or a correction of the same difference.
 */
export type CountDraft = { item: Item; text: string; reason: CountReason; isRestored?: boolean };

const draft = createStore<CountDraft | null>(null);

let owner = '';
const storageName = () => `count-draft:${owner}`;

/** The count that this person began on this device, even if the tab was closed meanwhile. */
export function useCountDraft(userId: string): CountDraft | null {
  const current = draft.use();
  useEffect(() => restoreDraft(userId), [userId]);
  return userId === owner ? current : null;
}

export function restoreDraft(userId: string): void {
  if (userId === owner) return;
  owner = userId;
  draft.set(storedDraft());
}

function storedDraft(): CountDraft | null {
  try {
    const stored: CountDraft | null = JSON.parse(storedText(storageName()) ?? 'null');
    return stored && { ...stored, isRestored: true };
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
  saveOrRefuse();
  setDraft({ item, text, reason: 'miscount' });
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

/**
 * Returns the item to which the difference is recorded. For a restored draft it is the item as it is now, which the
 * screen shows.
 */
function baseOf({ item, isRestored }: CountDraft): Item {
  return (isRestored && cachedItem(item.id)) || item;
}

/** Records the count because another one begins. The person has to look at an old count of a changed item first. */
function saveOrRefuse(): void {
  const current = draft.get();
  if (!current?.isRestored || cachedItem(current.item.id)?.version === current.item.version) {
    saveCount();
    return;
  }
  setDraft(null);
  if (countedUnits(current) === null) return;
  addEntry({ kind: 'refusal', mode: 'count', item: current.item, problem: new ApiProblem('stale_version', 412) });
  giveFeedback('refused');
}

/** Records the count. A field without a number has nothing to record. */
export function saveCount(): void {
  const current = draft.get();
  if (!current) return;
  const counted = countedUnits(current);
  setDraft(null);
  if (counted === null) return;
  const item = baseOf(current);
  const recorded = record({ ...current, item }, counted);
  const key = addEntry({ kind: 'counted', item, counted, recorded, undone: false });
  recorded.then(
    () => giveFeedback('done'),
    (problem) => {
      removeEntry(key);
      addEntry({ kind: 'refusal', mode: 'count', item, problem });
      giveFeedback('refused');
    },
  );
}

/** Resolves with null when the count confirms the quantity: nothing is recorded then. */
async function record({ item, reason }: CountDraft, counted: number): Promise<Action | null> {
  const id = await trackPending(countStock(item, { counted, reason }));
  if (id === null) return null;
  const delta = counted - item.quantity;
  const action = entryAction({ id, itemId: item.id, delta, what: { kind: 'correct', name: item.name } });
  performed(action);
  return action;
}
