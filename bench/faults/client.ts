import type { Ask, Recorder } from './history.ts';
import type { Line, LinePlan } from './line.ts';
import type { Mischief, Operation, Plan } from './schedule.ts';
import { type Answer, exchange, requestFor } from './wire.ts';

/** As the app waits between its tries (web/src/api/retry.ts), and for how long it waits for an answer. */
export const WAITS = [300, 1_000, 2_500];
export const PATIENCE_MS = 8_000;
/** "Not now", or a balancer that found nobody (web/src/api/query-client.ts). */
const PASSING = new Set([502, 503, 504]);
/** Whoever is overtaken by their own repetition has not waited longer than this. */
const IMPATIENCE_MS = 50;

export type Shop = {
  plan: Plan;
  doors: Line[];
  cookie: string;
  /** The ids of the shelves' items. */
  items: string[];
  recorder: Recorder;
  /** Told before each operation. */
  begun(): void;
};

/** One person: does the operations planned for them one after the other, each until it is answered or given up. */
export async function work(shop: Shop, client: number): Promise<void> {
  const { plan } = shop;
  const echoes: { at: number; operation: Operation }[] = [];
  for (let number = 0; number < plan.operationsEach; number++) {
    shop.begun();
    const operation = plan.operation(client, number);
    await perform(shop, operation);
    const mischief = plan.mischief(operation, 0);
    if (mischief.kind === 'echo') echoes.push({ at: number + mischief.after, operation });
    for (const echo of echoes.filter(({ at }) => at === number)) await send(shop, echo.operation, 1);
  }
}

/** Whether there was an answer that settles it. */
export async function perform(shop: Shop, operation: Operation): Promise<boolean> {
  const isRead = operation.wish.what.startsWith('read');
  for (let attempt = 0; ; attempt++) {
    const answers = await disturbed(shop, operation, attempt);
    if (answers.some((answer) => answer !== null && !PASSING.has(answer.status))) return true;
    const wait = isRead ? undefined : WAITS[attempt];
    if (wait === undefined) return false;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** One try, with whatever happens to it on the way. */
async function disturbed(shop: Shop, operation: Operation, attempt: number): Promise<(Answer | null)[]> {
  const mischief = shop.plan.mischief(operation, attempt);
  switch (mischief.kind) {
    case 'twice':
      return Promise.all([send(shop, operation, attempt), send(shop, operation, attempt + 1)]);
    case 'overtaken': {
      const first = send(shop, operation, attempt, { requestMs: mischief.requestMs });
      await new Promise((resolve) => setTimeout(resolve, IMPATIENCE_MS));
      return Promise.all([first, send(shop, operation, attempt + 1)]);
    }
    default:
      return [await send(shop, operation, attempt, lineFor(mischief))];
  }
}

function lineFor(mischief: Mischief): LinePlan | undefined {
  switch (mischief.kind) {
    case 'cut-request':
      return { cutRequestAt: mischief.atByte };
    case 'cut-answer':
      return { cutAnswerAt: mischief.atByte };
    case 'lost-answer':
      return { cutAnswerAt: 0 };
    case 'delay':
      return { requestMs: mischief.requestMs, answerMs: mischief.answerMs };
    default:
      return undefined;
  }
}

/** Who tries again knocks at the next door, as a balancer would have it. */
async function send(shop: Shop, operation: Operation, attempt: number, plan?: LinePlan): Promise<Answer | null> {
  const { client, number } = operation;
  const door = shop.doors[(client + attempt) % shop.doors.length];
  if (!door) throw new Error('a shop has a door');
  const ask = askFor(operation, shop.items, shop.plan.seed);
  const key = ask.what.startsWith('read') ? null : operation.key;
  const request = requestFor(ask, key, shop.cookie);
  const sentAt = performance.now();
  const answer = await exchange(door, request, { patienceMs: PATIENCE_MS, ...(plan && { plan }) });
  const answeredAt = answer ? performance.now() : null;
  const { status, body } = answer ?? { status: null, body: null };
  shop.recorder.add({ client, operation: number, key, ask, sentAt, answeredAt, status, body });
  return answer;
}

/** The wish with the ids the server gave. */
function askFor({ wish, key }: Operation, items: string[], seed: string): Ask {
  if (wish.what === 'create') return { what: 'create', name: nameFor(seed, key), quantity: wish.quantity };
  if (!('shelf' in wish)) return wish;
  const { shelf, ...rest } = wish;
  return { ...rest, item: items[shelf] ?? '' } as Ask;
}

/** By its name an item says under which key it was made. */
export function nameFor(seed: string, key: string): string {
  return `Fault ${seed} ${key}`;
}
