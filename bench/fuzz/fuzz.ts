import { knownRows } from './known-rows.ts';
import { isLoggedIn, type Person, signUp } from './people.ts';
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
  /** Only routes whose `METHOD /path` contains this text are fuzzed. */
  only?: string;
  onProgress?: (done: number) => void;
};

type Fault = { number: number; what: string; curl: string };
export type FuzzReport = {
  seed: number;
  requests: number;
  statuses: Record<string, number>;
  /** The number of routes to which requests were sent. */
  routes: number;
  slowestMs: number;
  refusedBatches: number;
  faults: Fault[];
};

const BATCH = 64;
const CONCURRENCY = 16;
const MAX_FAULTS = 25;
const VERIFIED_PEOPLE = 6;
/** After this many batches the known ids are loaded again, because the requests change the items. */
const RELOAD_EVERY_BATCHES = 5;

type Sent = { number: number; request: RawRequest; outcome: Outcome };

/**
 * Sends many requests, most of them malformed, in batches. Refused requests must change nothing: if a request in the
 * batch was accepted, the refused ones are sent again by themselves.
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
  const weightedRoutes = weighted(
    routes.filter(({ method, path }) => `${method} ${path}`.includes(options.only ?? '')),
  );
  let context: Context | null = null;
  try {
    for (let batch = 0; report.requests < requests && report.faults.length < MAX_FAULTS; batch++) {
      await replaceLoggedOutPeople();
      if (!context || batch % RELOAD_EVERY_BATCHES === 0) context = await loadContext();
      const before = await settled(state);
      const sent = await sendAll(batchFrom(report.requests, context));
      for (const { number, request, outcome } of sent) record(number, request, outcome);
      await checkNothingChanged(before, sent);
      options.onProgress?.(report.requests);
    }
  } finally {
    wire.close();
    await state.close();
  }
  report.routes = reached.size;
  return report;

  async function replaceLoggedOutPeople(): Promise<void> {
    const replacing = Array.from({ length: VERIFIED_PEOPLE + 1 }, async (_, index) => {
      const person = people[index];
      if (!person || !(await isLoggedIn(url, person))) people[index] = await signUp(url, index < VERIFIED_PEOPLE);
    });
    await Promise.all(replacing);
  }

  async function loadContext(): Promise<Context> {
    const reader = people[0];
    if (!reader) throw new Error('nobody is there');
    return { people, rows: await knownRows(url, reader), host: new URL(url).host };
  }

  function batchFrom(first: number, context: Context): { number: number; request: RawRequest }[] {
    const size = Math.min(BATCH, requests - first);
    return Array.from({ length: size }, (_, index) => {
      const random = randomOf(seed, first + index);
      const route = random.pick(weightedRoutes);
      reached.add(route);
      return { number: first + index, request: requestFor(route, context, random) };
    });
  }

  async function sendAll(batch: { number: number; request: RawRequest }[]): Promise<Sent[]> {
    const sent: Sent[] = [];
    const waiting = [...batch];
    const workers = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        sent.push({ ...next, outcome: await wire.ask(next.request) });
    });
    await Promise.all(workers);
    return sent;
  }

  function record(number: number, request: RawRequest, outcome: Outcome): void {
    report.requests++;
    const status = outcome.ok ? String(outcome.answer.status) : outcome.reason;
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    report.slowestMs = Math.max(report.slowestMs, outcome.ok ? outcome.answer.ms : outcome.ms);
    const what = faultIn(request, outcome);
    if (what) report.faults.push({ number, what, curl: curlOf(url, request) });
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
    if (changed.length > 0) await findCulprit(refused, changed);
  }

  /** Sends the refused requests one by one, to find the one that changed something. */
  async function findCulprit(refused: Sent[], once: string[]): Promise<void> {
    let found = false;
    for (const { number, request } of refused) {
      const before = await settled(state);
      const [again] = await sendAll([{ number, request }]);
      const changed = differing(before, await settled(state));
      if (changed.length === 0 || !again || !isRefused(again)) continue;
      found = true;
      report.faults.push({ number, what: `refused, and yet it changed ${changed}`, curl: curlOf(url, request) });
    }
    if (found) return;
    const first = refused[0];
    const what = `one of this batch was refused, changed ${once}, and does not do it again`;
    if (first) report.faults.push({ number: first.number, what, curl: curlOf(url, first.request) });
  }
}

function isRefused({ outcome }: Sent): boolean {
  return outcome.ok && outcome.answer.status >= 400;
}

/**
 * Whether a request may have changed something: all that were accepted, except plain reads. Links in emails and
 * callbacks of providers are reads that change something.
 */
function mayHaveChanged({ request, outcome }: Sent): boolean {
  if (outcome.ok && outcome.answer.status >= 400) return false;
  return (
    !(request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') ||
    request.target.includes('auth')
  );
}

function weighted(list: readonly Route[]): Route[] {
  return list.flatMap((route) => Array.from({ length: Math.max(1, Math.round(route.share / 5)) }, () => route));
}
