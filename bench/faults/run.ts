import { signIn } from '../shop.ts';
import { bodyOf } from './changes.ts';
import { check, type Violation } from './checker.ts';
import { nameFor, perform, type Shop, work } from './client.ts';
import { type Environment, untilReady } from './environment.ts';
import { readFinalState } from './final-state.ts';
import { type Attempt, recorder } from './history.ts';
import { uuidOf } from './random.ts';
import { type FaultKind, type Mischief, type Operation, type Plan, type PlanOptions, planRun } from './schedule.ts';

/** An injected fault, and when it was injected. */
export type Struck = { kind: FaultKind; beganAt: number; mendedAt: number };

export type Outcome = {
  plan: Plan;
  about: string;
  attempts: Attempt[];
  violations: Violation[];
  struck: Struck[];
  /** Faults of this run that this environment cannot inject. */
  unknown: FaultKind[];
  seconds: number;
};

/** People work while faults are injected as planned; then the checker compares the responses with the final state. */
export async function run(
  environment: Environment,
  options: PlanOptions & { historyFile?: string | undefined; tell?: (text: string) => void },
): Promise<Outcome> {
  const unknown = options.kinds.filter((kind) => !environment.faults[kind]);
  const plan = planRun({ ...options, kinds: options.kinds.filter((kind) => environment.faults[kind]) });
  const began = performance.now();
  const history = recorder(options.historyFile);
  const url = `http://127.0.0.1:${environment.proxies[0]?.port}`;
  const cookie = await signIn(url);
  await untilKnown(url, cookie);
  let begun = 0;
  const shop: Shop = {
    plan,
    proxies: environment.proxies,
    cookie,
    items: [],
    recorder: history,
    begun: () => void begun++,
  };
  await openShelves(shop);

  let working = true;
  const people = Promise.all(Array.from({ length: plan.clients }, (_, client) => work(shop, client))).finally(() => {
    working = false;
  });
  const strikes = strikeAsPlanned(environment, plan, {
    begun: () => begun,
    working: () => working,
    tell: options.tell,
  });
  const [struck] = await Promise.all([strikes, people]);

  await untilReady(environment.proxies);
  const known = new Set(shop.items);
  for (const attempt of history.attempts) {
    const id = attempt.ask.what === 'create' && attempt.status === 201 ? bodyOf<{ _id: string }>(attempt)?._id : null;
    if (id) known.add(id);
  }
  const items = await readFinalState(url, cookie, {
    known,
    ofThisRun: (name) => name.startsWith(nameFor(plan.seed, '')),
  });
  await history.close();
  return {
    plan,
    about: environment.about,
    attempts: history.attempts,
    violations: check({ attempts: history.attempts, items }),
    struck,
    unknown,
    seconds: (performance.now() - began) / 1_000,
  };
}

/** Logging in is not a change of stock, so a session that is stored late does not matter here. */
async function untilKnown(url: string, cookie: string): Promise<void> {
  while ((await fetch(`${url}/manage-inventory?_id=none`, { headers: { cookie } })).status === 401) {
    await pause(LOOK_EVERY_MS);
  }
}

/** The items everybody works on, created before any fault. */
async function openShelves(shop: Shop): Promise<void> {
  const calm: Shop = { ...shop, plan: { ...shop.plan, mischief: () => ({ kind: 'none' }) satisfies Mischief } };
  for (const [shelf, quantity] of shop.plan.shelves.entries()) {
    const key = uuidOf(shop.plan.seed, 'shelf', shelf);
    const operation: Operation = { client: 0, number: -1 - shelf, key, wish: { what: 'create', quantity } };
    await perform(calm, operation);
    const made = shop.recorder.attempts.at(-1);
    const id = made && bodyOf<{ _id: string }>(made)?._id;
    if (!id) throw new Error(`a shelf could not be opened: ${made?.body ?? 'no answer'}`);
    shop.items.push(id);
  }
}

const LOOK_EVERY_MS = 5;

async function strikeAsPlanned(
  environment: Environment,
  plan: Plan,
  { begun, working, tell }: { begun(): number; working(): boolean; tell?: ((text: string) => void) | undefined },
): Promise<Struck[]> {
  const struck: Struck[] = [];
  for (const fault of plan.faults) {
    while (begun() < fault.at && working()) await pause(LOOK_EVERY_MS);
    const beganAt = performance.now();
    const mend = await environment.faults[fault.kind]?.(fault);
    await pause(fault.lastsMs);
    await mend?.();
    const mendedAt = performance.now();
    await untilReady(environment.proxies);
    await environment.whole?.();
    struck.push({ kind: fault.kind, beganAt, mendedAt });
    tell?.(`${struck.length}/${plan.faults.length} ${fault.kind}, ${Math.round(fault.lastsMs)} ms`);
  }
  return struck;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
