// npm run bench -- cluster-gaps [--rounds 3] [--only kill-app,switchover] [--people 6]
// Breaks each component in turn while people click through the HAProxy of deploy/cluster. For each component it prints
// how long nobody could write, the longest wait of one person, and how many clicks failed after the app's retries. The
// cluster must be running (deploy/cluster/cluster.sh up). At the end the ledger must contain exactly what was
// acknowledged.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { addItem, type Click, ledgerOf, newClick, send, signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    people: { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const ROOT = join(import.meta.dirname, '..');
const SCRIPT = join(ROOT, 'deploy/cluster/cluster.sh');
const clusterUrl = settingsOf(process.env.CLUSTER_DIR ?? join(ROOT, '.cluster')).CLUSTER_URL ?? '';

/** The delays between retries, as in web/src/api/retry.ts. */
const RETRY_DELAYS_MS = [300, 1_000, 2_500];
const TIMEOUT_MS = 8_000;
/** Clients that click far more often than people, to see the end of an outage precisely. */
const PROBES = 3;
const PROBE_EVERY_MS = 50;
const PROBE_TIMEOUT_MS = 1_000;
const PAUSE_MS = 50;
const STOCK = 1_000_000;

type Fault = {
  goalSeconds: number | null;
  /** Injects the fault. Resolves with a function that repairs it. */
  inject(): Promise<() => Promise<unknown>>;
};

const faults: Record<string, Fault> = {
  'kill-app': {
    goalSeconds: 1,
    inject: () => kill('app', '1'),
  },
  'restart-app': {
    goalSeconds: 1,
    async inject() {
      await cluster('stop-app', '1');
      return () => cluster('start-app', '1');
    },
  },
  'freeze-app': {
    goalSeconds: null,
    async inject() {
      await cluster('freeze-app', '2');
      return () => cluster('thaw-app', '2');
    },
  },
  switchover: {
    goalSeconds: 4,
    async inject() {
      await cluster('switchover');
      return async () => {};
    },
  },
  'kill-postgres': {
    goalSeconds: 7,
    async inject() {
      await cluster('kill-postgres', await leader());
      return async () => {};
    },
  },
  'kill-node': {
    goalSeconds: 26,
    inject: async () => kill('node', await leader()),
  },
  'kill-machine': {
    goalSeconds: 26,
    inject: async () => kill('machine', await leader()),
  },
  'kill-standby': {
    goalSeconds: null,
    inject: async () => kill('node', await standby()),
  },
  'kill-etcd': {
    goalSeconds: null,
    inject: () => kill('etcd', '1'),
  },
  'kill-all-etcd': {
    goalSeconds: null,
    async inject() {
      for (const n of ['1', '2', '3']) await cluster('kill-etcd', n);
      return async () => {
        await sleep(15_000);
        for (const n of ['1', '2', '3']) await cluster('start-etcd', n);
      };
    },
  },
};

type Person = { itemId: string; sent: Click[]; done: Set<string>; acknowledgedAt: number[]; failed: number };

const cookie = await signIn(clusterUrl);
const people = await newPeople(Number(values.people));
const probes = await newPeople(PROBES);

let isRunning = true;
const clicking = people.map(async (person) => {
  while (isRunning) {
    await click(person, RETRY_DELAYS_MS, TIMEOUT_MS);
    await sleep(PAUSE_MS);
  }
});
const probing = probes.map(async (probe) => {
  while (isRunning) {
    await click(probe, [], PROBE_TIMEOUT_MS);
    await sleep(PROBE_EVERY_MS);
  }
});

console.log(
  `| fault | rounds | nobody could write, s | one person waited, s | clicks failed | wanted, s |\n|---|---|---|---|---|---|`,
);
let missedGoals = 0;
const chosen = values.only?.split(',') ?? Object.keys(faults);
for (const name of chosen) {
  const fault = faults[name];
  if (!fault) throw new Error(`no such fault: ${name}; there are ${Object.keys(faults).join(', ')}`);
  const gaps: number[] = [];
  const waits: number[] = [];
  const failedBefore = countFailed();
  for (let round = 0; round < Number(values.rounds); round++) {
    await waitUntilHealthy();
    await sleep(2_000);
    const from = performance.now();
    const repair = await fault.inject();
    // Responses already on their way are not a sign of recovery.
    await sleep(1_000);
    await waitForWrites(performance.now());
    await repair();
    await waitUntilHealthy();
    const until = performance.now();
    gaps.push(longestGap([...people, ...probes].flatMap((one) => one.acknowledgedAt).sort(ascending), from, until));
    waits.push(Math.max(...people.map((person) => longestGap(person.acknowledgedAt, from, until))));
  }
  const worst = Math.max(...gaps);
  const { goalSeconds } = fault;
  const failed = countFailed() - failedBefore;
  // With two servers the loss of one must affect nobody, so a single person's wait counts.
  const isOneOfTwo = name === 'kill-app' || name === 'restart-app';
  if (goalSeconds !== null && (isOneOfTwo ? Math.max(...waits) : worst) > goalSeconds) missedGoals++;
  if (isOneOfTwo && failed > 0) missedGoals++;
  console.log(
    `| ${name} | ${gaps.length} | ${seconds(gaps)} | ${seconds(waits)} | ${failed} | ${goalSeconds === null ? '' : `≤ ${goalSeconds}`} |`,
  );
}
isRunning = false;
await Promise.all([...clicking, ...probing]);

const { acknowledged, lost, unrequested } = await audit();
console.log(
  `\n${acknowledged} acknowledged changes: ${lost} lost, ${unrequested} that nobody sent or that stand twice.`,
);
process.exitCode = lost + unrequested + missedGoals > 0 ? 1 : 0;

async function newPeople(count: number): Promise<Person[]> {
  const all: Person[] = [];
  while (all.length < count) {
    const itemId = await addItem(clusterUrl, cookie, STOCK);
    all.push({ itemId, sent: [], done: new Set(), acknowledgedAt: [], failed: 0 });
  }
  return all;
}

/** Sends one click, and retries it under its key until there is a response or the retries are used up. */
async function click(person: Person, waits: number[], timeoutMs: number): Promise<void> {
  const click = newClick(person.itemId, -1);
  person.sent.push(click);
  for (const wait of [...waits, null]) {
    const { outcome } = await Promise.race([
      send(clusterUrl, cookie, click, STOCK),
      sleep(timeoutMs).then(() => ({ outcome: 'unknown' as const })),
    ]);
    if (outcome === 'done') {
      person.done.add(click.key);
      person.acknowledgedAt.push(performance.now());
      return;
    }
    if (wait !== null) await sleep(wait);
  }
  person.failed++;
}

async function waitForWrites(since: number): Promise<void> {
  while (!people.every((person) => person.acknowledgedAt.filter((at) => at > since).length >= 2)) await sleep(100);
}

/** Waits until all nodes follow the same primary, one of them synchronously, and both servers are ready. */
async function waitUntilHealthy(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const status = await cluster('status').catch(() => '');
    const streaming = status.match(/\| +(?:running|streaming) +\|/g)?.length ?? 0;
    const isHealthy =
      streaming === 3 &&
      /Sync Standby/.test(status) &&
      (status.match(/^etcd\d +healthy/gm)?.length ?? 0) === 3 &&
      (status.match(/^ready +app\d +UP/gm)?.length ?? 0) === 2;
    if (isHealthy) return;
    await sleep(500);
  }
  throw new Error(`the cluster did not recover:\n${await cluster('status')}`);
}

async function audit() {
  let acknowledged = 0;
  let lost = 0;
  let unrequested = 0;
  for (const { itemId, sent, done } of [...people, ...probes]) {
    const ledger = (await ledgerOf(clusterUrl, cookie, itemId)).map(({ id }) => id);
    const ids = new Set(ledger);
    const keys = new Set(sent.map(({ key }) => key));
    acknowledged += done.size;
    lost += [...done].filter((key) => !ids.has(key)).length;
    // The opening stock is the only movement that no click has caused.
    unrequested += ledger.length - ids.size + Math.max(0, ledger.filter((id) => !keys.has(id)).length - 1);
  }
  return { acknowledged, lost, unrequested };
}

async function kill(part: string, n: string): Promise<() => Promise<unknown>> {
  await cluster(`kill-${part}`, n);
  return () => cluster(`start-${part}`, n);
}

async function leader(): Promise<string> {
  return (await cluster('leader')).trim();
}

async function standby(): Promise<string> {
  return /pg(\d) .*Sync Standby/.exec(await cluster('status'))?.[1] ?? '';
}

async function cluster(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(SCRIPT, args, { encoding: 'utf8' });
  return stdout;
}

function settingsOf(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, 'cluster.env'), 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

function longestGap(times: number[], from: number, until: number): number {
  const before = times.findLast((at) => at <= from) ?? from;
  const within = times.filter((at) => at > from && at <= until);
  let last = before;
  let longest = 0;
  for (const at of within) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return longest / 1_000;
}

function countFailed(): number {
  return people.reduce((sum, { failed }) => sum + failed, 0);
}

function seconds(all: number[]): string {
  return all.map((value) => value.toFixed(1)).join(' ');
}

function ascending(a: number, b: number): number {
  return a - b;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
