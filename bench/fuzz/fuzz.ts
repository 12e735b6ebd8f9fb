import { knownRows } from './known-rows.ts';
import { newPerson, type Person, stillIn } from './people.ts';
import { randomOf } from './random.ts';
import { type Context, requestFor } from './requests.ts';
import { type Route, routes } from './routes.ts';
import { faultIn } from './rules.ts';
import { differing, openState, settled } from './state.ts';
import { curlOf, type Outcome, type RawRequest, wireTo } from './wire.ts';

export type FuzzOptions = {
  url: string;
  store: { dataDir: string; databaseUrl: string | null };
  seed: number;
  requests: number;
  /** Only routes whose `METHOD /path` contains this. */
  only?: string;
  onProgress?: (done: number) => void;
};

type Fault = { number: number; what: string; curl: string };
export type FuzzReport = {
  seed: number;
  requests: number;
  statuses: Record<string, number>;
  /** Routes that were reached and gave a response of their own, success or refusal. */
  routes: number;
  slowestMs: number;
  refusedBatches: number;
  faults: Fault[];
};

const BATCH = 64;
const AT_ONCE = 16;
const MOST_FAULTS = 25;
const VERIFIED = 6;
/** The requests change the items, so ids are reloaded now and then. */
const LOOK_AGAIN_EVERY = 5;

type Sent = { number: number; asked: RawRequest; outcome: Outcome };

/**
 * Sends many requests, most of them malformed, in batches. Refused requests must change nothing: if something in the batch was
 * accepted, the refused ones are sent again by themselves.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { url, seed, requests } = options;
  const wire = wireTo(url);
  const state = await openState(options.store);
  const people: Person[] = [];
  const report: FuzzReport = {
    seed,
    requests: 0,
    statuses: {},
    routes: 0,
    slowestMs: 0,
    refusedBatches: 0,
    faults: [],
  };
  const reached = new Set<Route>();
  const drawn = weighted(routes.filter(({ method, path }) => `${method} ${path}`.includes(options.only ?? '')));
  let context: Context | null = null;
  try {
    for (let batch = 0; report.requests < requests && report.faults.length < MOST_FAULTS; batch++) {
      await keepPeopleIn();
      if (!context || batch % LOOK_AGAIN_EVERY === 0) context = await lookAround();
      const before = await settled(state);
      const sent = await sendAll(batchFrom(report.requests, context));
      for (const { number, asked, outcome } of sent) note(number, asked, outcome);
      await checkNothingChanged(before, sent);
      options.onProgress?.(report.requests);
    }
  } finally {
    wire.close();
    await state.close();
  }
  report.routes = reached.size;
  return report;

  async function keepPeopleIn(): Promise<void> {
    const places = Array.from({ length: VERIFIED + 1 }, async (_, at) => {
      const person = people[at];
      if (!person || !(await stillIn(url, person))) people[at] = await newPerson(url, at < VERIFIED);
    });
    await Promise.all(places);
  }

  async function lookAround(): Promise<Context> {
    const reader = people[0];
    if (!reader) throw new Error('nobody is there');
    return { people, rows: await knownRows(url, reader), host: new URL(url).host };
  }

  function batchFrom(first: number, around: Context): { number: number; asked: RawRequest }[] {
    const size = Math.min(BATCH, requests - first);
    return Array.from({ length: size }, (_, at) => {
      const random = randomOf(seed, first + at);
      const route = random.pick(drawn);
      reached.add(route);
      return { number: first + at, asked: requestFor(route, around, random) };
    });
  }

  async function sendAll(batch: { number: number; asked: RawRequest }[]): Promise<Sent[]> {
    const sent: Sent[] = [];
    const waiting = [...batch];
    const hands = Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        sent.push({ ...next, outcome: await wire.ask(next.asked) });
    });
    await Promise.all(hands);
    return sent;
  }

  function note(number: number, asked: RawRequest, outcome: Outcome): void {
    report.requests++;
    const status = outcome.ok ? String(outcome.answer.status) : outcome.reason;
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    report.slowestMs = Math.max(report.slowestMs, outcome.ok ? outcome.answer.ms : outcome.ms);
    const what = faultIn(asked, outcome);
    if (what) report.faults.push({ number, what, curl: curlOf(url, asked) });
  }

  async function checkNothingChanged(before: Record<string, string>, sent: Sent[]): Promise<void> {
    const refused = sent.filter(isRefused);
    let start = before;
    if (sent.some(mayHaveChanged)) {
      start = await settled(state);
      // A request that was refused before may succeed now, such as an undo after a restock.
      if ((await sendAll(refused)).some((again) => !isRefused(again))) return;
    }
    report.refusedBatches++;
    const changed = differing(start, await state.read());
    if (changed.length > 0) await blame(refused, changed);
  }

  /** One by one, to find the culprit. */
  async function blame(refused: Sent[], once: string[]): Promise<void> {
    let known = false;
    for (const { number, asked } of refused) {
      const before = await settled(state);
      const [again] = await sendAll([{ number, asked }]);
      const changed = differing(before, await settled(state));
      if (changed.length === 0 || !again || !isRefused(again)) continue;
      known = true;
      report.faults.push({ number, what: `refused, and yet it changed ${changed}`, curl: curlOf(url, asked) });
    }
    if (known) return;
    const first = refused[0];
    const what = `one of this batch was refused, changed ${once}, and does not do it again`;
    if (first) report.faults.push({ number: first.number, what, curl: curlOf(url, first.asked) });
  }
}

function isRefused({ outcome }: Sent): boolean {
  return outcome.ok && outcome.answer.status >= 400;
}

/** Everything accepted except plain reads. Links in emails and callbacks of providers are reads that change something. */
function mayHaveChanged({ asked, outcome }: Sent): boolean {
  if (outcome.ok && outcome.answer.status >= 400) return false;
  return (
    !(asked.method === 'GET' || asked.method === 'HEAD' || asked.method === 'OPTIONS') || asked.target.includes('auth')
  );
}

function weighted(list: readonly Route[]): Route[] {
  return list.flatMap((route) => Array.from({ length: Math.max(1, Math.round(route.share / 5)) }, () => route));
}
