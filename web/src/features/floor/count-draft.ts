import { checkTypedQuantity, type Item } from '@perfume/domain/items';
import type { CountReason } from '@perfume/domain/ledger';
import { useEffect } from 'react';
import { removeText, storedText, storeText } from '../../api/stored-text.ts';
import { countStock } from '../../live/change-stock.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, performed, trackPending } from '../../live/undo-stack.ts';
import { createStore } from '../../ui/store.ts';
import { giveFeedback } from './feedback.ts';
import { addEntry, removeEntry } from './journal.ts';

/**
 * The item that is being counted. `item` is the item as it was when the count began: the difference to that quantity is
 * recorded, so what others deliver meanwhile is kept.
 */
export type CountDraft = { item: Item; text: string; reason: CountReason };

const draft = createStore<CountDraft | null>(null);

let owner = '';
const storageName = () => `count-draft:${owner}`;

/** The count that this person began on this device, even if the tab was closed meanwhile. */
export function useCountDraft(userId: string): CountDraft | null {
  const current = draft.use();
  useEffect(() => {
    if (userId === owner) return;
    owner = userId;
    draft.set(storedDraft());
  }, [userId]);
  return userId === owner ? current : null;
}

function storedDraft(): CountDraft | null {
  try {
    return JSON.parse(storedText(storageName()) ?? 'null');
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
  saveCount();
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

/** Records the count. A field without a number has nothing to record. */
export function saveCount(): void {
  const current = draft.get();
  if (!current) return;
  const counted = countedUnits(current);
  setDraft(null);
  if (counted === null) return;
  const { item } = current;
  const recorded = record(current, counted);
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
