import { signIn } from '../shop.ts';
import { bodyOf } from './changes.ts';
import { check, type Violation } from './checker.ts';
import { nameFor, perform, type Session, work } from './client.ts';
import { type Environment, waitUntilReady } from './environment.ts';
import { readFinalState } from './final-state.ts';
import { type Attempt, recorder } from './history.ts';
import { uuidOf } from './random.ts';
import { type FaultKind, type NetworkFault, type Operation, type Plan, type PlanOptions, planRun } from './schedule.ts';

/** An injected fault, and when it was injected and repaired. */
export type InjectedFault = { kind: FaultKind; injectedAt: number; repairedAt: number };

export type Outcome = {
  plan: Plan;
  about: string;
  attempts: Attempt[];
  violations: Violation[];
  injectedFaults: InjectedFault[];
  /** Faults of this run that this environment cannot inject. */
  unavailable: FaultKind[];
  seconds: number;
};

/** Runs a plan: people work while faults are injected. Then the checker compares the responses with the final state. */
export async function run(
  environment: Environment,
  options: PlanOptions & { historyFile?: string | undefined; log?: (text: string) => void },
): Promise<Outcome> {
  const unavailable = options.kinds.filter((kind) => !environment.faults[kind]);
  const plan = planRun({ ...options, kinds: options.kinds.filter((kind) => environment.faults[kind]) });
  const startedAt = performance.now();
  const history = recorder(options.historyFile);
  const url = `http://127.0.0.1:${environment.proxies[0]?.port}`;
  const cookie = await signIn(url);
  await waitForSession(url, cookie);
  let started = 0;
  const session: Session = {
    plan,
    proxies: environment.proxies,
    cookie,
    items: [],
    recorder: history,
    onOperation: () => void started++,
  };
  await createPlannedItems(session);

  let isWorking = true;
  const people = Promise.all(Array.from({ length: plan.clients }, (_, client) => work(session, client))).finally(() => {
    isWorking = false;
  });
  const injecting = injectPlannedFaults(environment, plan, {
    started: () => started,
    isWorking: () => isWorking,
    log: options.log,
  });
  const [injectedFaults] = await Promise.all([injecting, people]);

  await waitUntilReady(environment.proxies);
  const known = new Set(session.items);
  for (const attempt of history.attempts) {
    const id =
      attempt.action.what === 'create' && attempt.status === 201 ? bodyOf<{ _id: string }>(attempt)?._id : null;
    if (id) known.add(id);
  }
  const items = await readFinalState(url, cookie, {
    known,
    ofThisRun: (name) => name.startsWith(nameFor(plan.seed, '')),
  });
  await history.close();
  return {
    plan,
    about: environment.description,
    attempts: history.attempts,
    violations: check({ attempts: history.attempts, items }),
    injectedFaults,
    unavailable,
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/**
 * Waits until the session is valid. Logging in is not a change of stock, so a session that is stored late does not
 * matter here.
 */
async function waitForSession(url: string, cookie: string): Promise<void> {
  while ((await fetch(`${url}/manage-inventory?_id=none`, { headers: { cookie } })).status === 401) {
    await pause(POLL_MS);
  }
}

/** Creates the items that everybody changes, before the first fault. */
async function createPlannedItems(session: Session): Promise<void> {
  const withoutNetworkFaults: Session = {
    ...session,
    plan: { ...session.plan, networkFault: () => ({ kind: 'none' }) satisfies NetworkFault },
  };
  for (const [itemNumber, quantity] of session.plan.initialQuantities.entries()) {
    const key = uuidOf(session.plan.seed, 'item', itemNumber);
    const operation: Operation = { client: 0, number: -1 - itemNumber, key, action: { what: 'create', quantity } };
    await perform(withoutNetworkFaults, operation);
    const created = session.recorder.attempts.at(-1);
    const id = created && bodyOf<{ _id: string }>(created)?._id;
    if (!id) throw new Error(`an item could not be created: ${created?.body ?? 'no response'}`);
    session.items.push(id);
  }
}

const POLL_MS = 5;

async function injectPlannedFaults(
  environment: Environment,
  plan: Plan,
  { started, isWorking, log }: { started(): number; isWorking(): boolean; log?: ((text: string) => void) | undefined },
): Promise<InjectedFault[]> {
  const injectedFaults: InjectedFault[] = [];
  for (const fault of plan.faults) {
    while (started() < fault.at && isWorking()) await pause(POLL_MS);
    const injectedAt = performance.now();
    const repair = await environment.faults[fault.kind]?.(fault);
    await pause(fault.durationMs);
    await repair?.();
    const repairedAt = performance.now();
    await waitUntilReady(environment.proxies);
    await environment.waitForRecovery?.();
    injectedFaults.push({ kind: fault.kind, injectedAt, repairedAt });
    log?.(`${injectedFaults.length}/${plan.faults.length} ${fault.kind}, ${Math.round(fault.durationMs)} ms`);
  }
  return injectedFaults;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
