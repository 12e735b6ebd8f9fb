import type { Ask, Recorder } from './history.ts';
import type { Mischief, Operation, Plan } from './schedule.ts';
import type { ConnectionPlan, TcpProxy } from './tcp-proxy.ts';
import { type Answer, exchange, requestFor } from './wire.ts';

/** The app's delays between retries (web/src/api/retry.ts), and its timeout for a response. */
export const WAITS = [300, 1_000, 2_500];
export const PATIENCE_MS = 8_000;
/** "Not now", or a load balancer without a server (web/src/api/query-client.ts). */
const PASSING = new Set([502, 503, 504]);
/** The longest delay of a request that is overtaken by its own retry. */
const IMPATIENCE_MS = 50;

export type Shop = {
  plan: Plan;
  proxies: TcpProxy[];
  cookie: string;
  /** The ids of the planned items. */
  items: string[];
  recorder: Recorder;
  /** Called before each operation. */
  begun(): void;
};

/** One person: runs the planned operations one after the other, each until there is a response or the retries are used up. */
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

/** Whether there was a final response. */
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

/** One attempt, with its network fault. */
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

function lineFor(mischief: Mischief): ConnectionPlan | undefined {
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

/** A retry goes to the next server, as through a load balancer. */
async function send(shop: Shop, operation: Operation, attempt: number, plan?: ConnectionPlan): Promise<Answer | null> {
  const { client, number } = operation;
  const proxy = shop.proxies[(client + attempt) % shop.proxies.length];
  if (!proxy) throw new Error('an environment has a proxy');
  const ask = askFor(operation, shop.items, shop.plan.seed);
  const key = ask.what.startsWith('read') ? null : operation.key;
  const request = requestFor(ask, key, shop.cookie);
  const sentAt = performance.now();
  const answer = await exchange(proxy, request, { patienceMs: PATIENCE_MS, ...(plan && { plan }) });
  const answeredAt = answer ? performance.now() : null;
  const { status, body } = answer ?? { status: null, body: null };
  shop.recorder.add({ client, operation: number, key, ask, sentAt, answeredAt, status, body });
  return answer;
}

/** The planned operation with the ids that the server has assigned. */
function askFor({ wish, key }: Operation, items: string[], seed: string): Ask {
  if (wish.what === 'create') return { what: 'create', name: nameFor(seed, key), quantity: wish.quantity };
  if (!('shelf' in wish)) return wish;
  const { shelf, ...rest } = wish;
  return { ...rest, item: items[shelf] ?? '' } as Ask;
}

/** An item's name contains the key under which it was created. */
export function nameFor(seed: string, key: string): string {
  return `Fault ${seed} ${key}`;
}
