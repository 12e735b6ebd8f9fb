import type { Item } from '@perfume/domain/items';
import { ApiProblem } from '../../api/client.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { isUnanswered, problemText } from '../items/problem-text.ts';
import { type Deed, did, takeBack, whileUnderWay } from '../items/undo-stack.ts';
import { changeStock } from './change-stock.ts';
import type { Layout } from './item-layout.ts';
import { type Movement, movementDeed } from './undo-movement.ts';

/** One unit leaves the shelf, and a toast says so; or the number goes back, and a toast says why. */
export async function deliverOne(item: Item, layout: Layout, words: Words): Promise<void> {
  try {
    const id = await whileUnderWay(changeStock(item, -1));
    tellOf('delivered', item, { id, delta: -1 }, words);
  } catch (problem) {
    const soldOut = problem instanceof ApiProblem && problem.code === 'out_of_stock';
    const text = soldOut
      ? words.say(`stock.outOfStock.${layout}`)
      : `${words.say('stock.notDelivered', { name: item.name })} ${reasonOf(problem, words)}`;
    notify({ kind: 'error', id: toastAbout(`refused ${item.id}`), text });
  }
}

/** Adds to what is on the shelf. Answers whether it was done. */
export async function restock(item: Item, units: number, words: Words): Promise<boolean> {
  try {
    const id = await whileUnderWay(changeStock(item, units));
    tellOf('restocked', item, { id, delta: units }, words);
    return true;
  } catch (problem) {
    const text = `${words.say('stock.notRestocked', { name: item.name })} ${reasonOf(problem, words)}`;
    notify({ kind: 'error', id: toastAbout(`refused ${item.id}`), text });
    return false;
  }
}

/** What was done to an item in quick succession: one toast tells of all, and one 'Undo' takes all of it back. */
type Burst = { toast: string; movements: Done[] };
type Done = Movement & { deed: Deed };
const bursts = new Map<string, Burst>();

function tellOf(done: 'delivered' | 'restocked', item: Item, movement: Movement, words: Words): void {
  const about = `${done} ${item.id}`;
  const toast = toastAbout(about);
  const before = bursts.get(about);
  const burst = before?.toast === toast ? before : { toast, movements: [] };
  bursts.set(about, burst);
  const deed = movementDeed(item, movement);
  burst.movements.push({ ...movement, deed });
  did(deed);
  notify({
    kind: 'success',
    id: toast,
    text: words.say(`stock.${done}`, { units: unitsOf(burst.movements), name: item.name }),
    action: { text: words.say('undo'), run: () => void takeAllBack(item, burst, words) },
  });
}

async function takeAllBack(item: Item, burst: Burst, words: Words): Promise<void> {
  // Taken out at once: a second click on 'Undo' finds nothing left to do, and the next delivery starts a new count.
  const movements = burst.movements.splice(0);
  if (movements.length === 0) return;
  const outcomes = await Promise.allSettled(movements.map(({ deed }) => takeBack(deed)));
  const left = movements.filter((_, index) => isRefused(outcomes[index]));
  const undone = movements.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  const { name } = item;
  if (undone.length > 0) {
    notify({
      kind: 'success',
      id: burst.toast,
      text: words.say('stock.takenBack', { units: unitsOf(undone), name }),
    });
  }
  const refusal = outcomes.find(isRefused);
  if (!refusal) return;
  burst.movements.push(...left);
  const text = `${words.say('stock.notTakenBack', { units: unitsOf(left), name })} ${reasonOf(refusal.reason, words)}`;
  notify({ kind: 'error', id: toastAbout(`refused ${item.id}`), text });
}

/** What has been taken back before, with the keys or in the history, is as it should be. */
function isRefused(outcome: PromiseSettledResult<unknown> | undefined): outcome is PromiseRejectedResult {
  if (outcome?.status !== 'rejected') return false;
  return !(outcome.reason instanceof ApiProblem && outcome.reason.code === 'already_undone');
}

function unitsOf(movements: Movement[]): number {
  return movements.reduce((sum, { delta }) => sum + Math.abs(delta), 0);
}

/** When nobody answered, nobody here knows whether it was done: then that is what is said. */
function reasonOf(problem: unknown, words: Words): string {
  return isUnanswered(problem) ? words.say('stock.unanswered') : problemText(problem, words);
}

/** A little less than a toast lives: one that is on its way out cannot be spoken to any more. */
const TOGETHER_MS = 4_500;
const toasts = new Map<string, { id: string; last: number }>();
let count = 0;

/** The same toast for what follows quickly, a new one for what comes later. */
export function toastAbout(subject: string): string {
  const now = performance.now();
  const known = toasts.get(subject);
  const id = known && now - known.last < TOGETHER_MS ? known.id : `${subject} ${++count}`.replaceAll(' ', '-');
  toasts.set(subject, { id, last: now });
  return id;
}
