import type { Item } from '@perfume/domain/items';
import { ApiProblem } from '../../api/client.ts';
import { type Count, changeStock, countStock } from '../../live/change-stock.ts';
import { isUnanswered, problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, isDone, performed, trackPending } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';

/** Which of the spec's two texts says that an item is sold out. */
export type ScreenSize = 'desktop' | 'phone';

/**
 * Delivers units and confirms it in a toast. If the delivery is refused, the quantity goes back and a toast says why.
 * Returns whether it worked.
 */
export async function deliver(item: Item, units: number, screen: ScreenSize, words: Words): Promise<boolean> {
  try {
    const id = await trackPending(changeStock(item, -units));
    notifyMovement('delivered', item, { id, delta: -units }, words);
    return true;
  } catch (problem) {
    notifyRefusal(item, deliveryRefused(item, problem, screen, words));
    return false;
  }
}

function deliveryRefused({ name }: Item, problem: unknown, screen: ScreenSize, words: Words): string {
  const { say } = words;
  if (!(problem instanceof ApiProblem && problem.code === 'out_of_stock')) {
    return `${say('stock.notDelivered', { name })} ${reasonOf(problem, words)}`;
  }
  return problem.onHand ? say('stock.tooFew', { name, count: problem.onHand }) : say(`stock.outOfStock.${screen}`);
}

/** Adds units to the stock. Returns whether it worked. */
export async function receive(item: Item, units: number, words: Words): Promise<boolean> {
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

/** Sets the quantity that was counted, and confirms it in a toast. Returns whether it worked. */
export async function count(item: Item, counted: Count, words: Words): Promise<boolean> {
  const { id: itemId, name, quantity: before } = item;
  const { say } = words;
  const after = counted.counted;
  try {
    const id = await trackPending(countStock(item, counted));
    if (id === null) {
      notify({ kind: 'success', id: itemId, text: say('stock.confirmed', { name, count: after }) });
      return true;
    }
    const action = entryAction({ id, itemId, delta: after - before, what: { kind: 'correct', name } });
    performed(action);
    bursts.delete(itemId);
    const text = say('stock.counted', { name, before, after });
    notify({ kind: 'success', id: itemId, text, action: undoAction([action], words) });
    return true;
  } catch (problem) {
    notifyRefusal(item, `${say('stock.notCounted', { name })} ${reasonOf(problem, words)}`);
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
