import type { Action, Recorder } from './history.ts';
import type { NetworkFault, Operation, Plan } from './schedule.ts';
import type { ConnectionPlan, TcpProxy } from './tcp-proxy.ts';
import { type Answer, exchange, requestFor } from './wire.ts';

/** The app's delays between retries (web/src/api/retry.ts), and its timeout for a response. */
export const RETRY_DELAYS_MS = [300, 1_000, 2_500];
export const TIMEOUT_MS = 8_000;
/**
 * The statuses after which the app retries (web/src/api/query-client.ts): the server is unavailable, or a load balancer
 * has no server.
 */
const RETRYABLE = new Set([502, 503, 504]);
/** How long to wait before sending the retry that overtakes the first request. */
const OVERTAKE_AFTER_MS = 50;

export type Session = {
  plan: Plan;
  proxies: TcpProxy[];
  cookie: string;
  /** The ids of the planned items. */
  items: string[];
  recorder: Recorder;
  /** Called before each operation. */
  onOperation(): void;
};

/**
 * Does the work of one person: runs the planned operations one after the other, each until there is a response or the
 * retries are used up.
 */
export async function work(session: Session, client: number): Promise<void> {
  const { plan } = session;
  const duplicates: { at: number; operation: Operation }[] = [];
  for (let number = 0; number < plan.operationsPerClient; number++) {
    session.onOperation();
    const operation = plan.operation(client, number);
    await perform(session, operation);
    const networkFault = plan.networkFault(operation, 0);
    if (networkFault.kind === 'echo') duplicates.push({ at: number + networkFault.after, operation });
    for (const duplicate of duplicates.filter(({ at }) => at === number)) await send(session, duplicate.operation, 1);
  }
}

/** Performs one operation with its retries. Returns whether there was a final response. */
export async function perform(session: Session, operation: Operation): Promise<boolean> {
  const isRead = operation.action.what.startsWith('read');
  for (let attempt = 0; ; attempt++) {
    const answers = await attemptWithFault(session, operation, attempt);
    if (answers.some((answer) => answer !== null && !RETRYABLE.has(answer.status))) return true;
    const delay = isRead ? undefined : RETRY_DELAYS_MS[attempt];
    if (delay === undefined) return false;
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

/** Makes one attempt, with the network fault that is planned for it. */
async function attemptWithFault(session: Session, operation: Operation, attempt: number): Promise<(Answer | null)[]> {
  const networkFault = session.plan.networkFault(operation, attempt);
  switch (networkFault.kind) {
    case 'twice':
      return Promise.all([send(session, operation, attempt), send(session, operation, attempt + 1)]);
    case 'overtaken': {
      const first = send(session, operation, attempt, { requestMs: networkFault.requestMs });
      await new Promise((resolve) => setTimeout(resolve, OVERTAKE_AFTER_MS));
      return Promise.all([first, send(session, operation, attempt + 1)]);
    }
    default:
      return [await send(session, operation, attempt, connectionPlanFor(networkFault))];
  }
}

function connectionPlanFor(networkFault: NetworkFault): ConnectionPlan | undefined {
  switch (networkFault.kind) {
    case 'cut-request':
      return { cutRequestAt: networkFault.atByte };
    case 'cut-answer':
      return { cutAnswerAt: networkFault.atByte };
    case 'lost-answer':
      return { cutAnswerAt: 0 };
    case 'delay':
      return { requestMs: networkFault.requestMs, answerMs: networkFault.answerMs };
    default:
      return undefined;
  }
}

/** Sends one request. A retry goes to the next server, as through a load balancer. */
async function send(
  session: Session,
  operation: Operation,
  attempt: number,
  plan?: ConnectionPlan,
): Promise<Answer | null> {
  const { client, number } = operation;
  const proxy = session.proxies[(client + attempt) % session.proxies.length];
  if (!proxy) throw new Error('an environment has a proxy');
  const action = actionFor(operation, session.items, session.plan.seed);
  const key = action.what.startsWith('read') ? null : operation.key;
  const request = requestFor(action, key, session.cookie);
  const sentAt = performance.now();
  const answer = await exchange(proxy, request, { timeoutMs: TIMEOUT_MS, ...(plan && { plan }) });
  const answeredAt = answer ? performance.now() : null;
  const { status, body } = answer ?? { status: null, body: null };
  session.recorder.add({ client, operation: number, key, action, sentAt, answeredAt, status, body });
  return answer;
}

/** The planned operation with the ids that the server has assigned. */
function actionFor({ action: wish, key }: Operation, items: string[], seed: string): Action {
  if (wish.what === 'create') return { what: 'create', name: nameFor(seed, key), quantity: wish.quantity };
  if (!('itemNumber' in wish)) return wish;
  const { itemNumber, ...rest } = wish;
  return { ...rest, item: items[itemNumber] ?? '' } as Action;
}

/** The name of an item. It contains the key under which the item was created. */
export function nameFor(seed: string, key: string): string {
  return `Fault ${seed} ${key}`;
}
