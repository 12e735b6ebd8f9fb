import type { Item } from '@perfume/domain/items';
import { ApiProblem } from '../../api/client.ts';
import { changeStock } from '../../live/change-stock.ts';
import { isUnanswered, problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, isDone, performed, trackPending } from '../../live/undo-stack.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { undoAction } from '../history/undo-with-toast.ts';
import type { ItemLayout } from './use-item-layout.ts';

/**
 * Delivers one unit and confirms it in a toast. If the delivery is refused, the quantity goes back and a toast says
 * why.
 */
export async function deliverOne(item: Item, layout: ItemLayout, words: Words): Promise<void> {
  try {
    const id = await trackPending(changeStock(item, -1));
    notifyMovement('delivered', item, { id, delta: -1 }, words);
  } catch (problem) {
    const soldOut = problem instanceof ApiProblem && problem.code === 'out_of_stock';
    const text = soldOut
      ? words.say(`stock.outOfStock.${layout}`)
      : `${words.say('stock.notDelivered', { name: item.name })} ${reasonOf(problem, words)}`;
    notifyRefusal(item, text);
  }
}

/** Adds units to the stock. Returns whether it worked. */
export async function restock(item: Item, units: number, words: Words): Promise<boolean> {
  try {
    const id = await trackPending(changeStock(item, units));
    notifyMovement('restocked', item, { id, delta: units }, words);
    return true;
  } catch (problem) {
    const text = `${words.say('stock.notRestocked', { name: item.name })} ${reasonOf(problem, words)}`;
    notifyRefusal(item, text);
    return false;
  }
}

/**
 * Shows a refusal in a toast of its own. In a shared toast, the refusal and a confirmed delivery with its 'Undo' would
 * replace each other.
 */
export function notifyRefusal(item: Item, text: string): void {
  notify({ kind: 'error', id: `${item.id} refused`, text });
}

/** Movements of an item that follow each other within this time share one toast, whose 'Undo' undoes all of them. */
const BURST_MS = 5_000;
type Burst = { done: 'delivered' | 'restocked'; actions: Action[]; last: number };
const bursts = new Map<string, Burst>();

function notifyMovement(done: Burst['done'], item: Item, movement: { id: string; delta: number }, words: Words): void {
  const kind = done === 'delivered' ? 'deliver' : 'restock';
  const what = { kind, name: item.name, count: Math.abs(movement.delta) } as const;
  const action = entryAction({ ...movement, itemId: item.id, what });
  const before = openBurst(item.id, done);
  const actions = [...before, action];
  bursts.set(item.id, { done, actions, last: performance.now() });
  performed(action);
  const units = actions.reduce((sum, { what }) => sum + ('count' in what ? what.count : 0), 0);
  notify({
    kind: 'success',
    id: item.id,
    text: words.say(`stock.${done}`, { units, name: item.name }),
    action: undoAction(actions, words),
  });
}

/**
 * Returns the actions in the toast that the next movement joins. Returns none, so that the movement gets a new toast,
 * after a pause, after the other kind of movement, or once one of the actions was undone.
 */
function openBurst(itemId: string, done: Burst['done']): Action[] {
  const burst = bursts.get(itemId);
  if (burst?.done !== done || performance.now() - burst.last > BURST_MS) return [];
  return burst.actions.every(isDone) ? burst.actions : [];
}

/**
 * Returns why a movement failed. Without an answer nobody knows whether the movement was made, and the text says so.
 */
function reasonOf(problem: unknown, words: Words): string {
  return isUnanswered(problem) ? words.say('stock.noAnswer') : problemText(problem, words);
}
