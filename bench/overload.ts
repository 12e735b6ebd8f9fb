// npm run bench -- overload [--items 20000] [--seconds 15] [--slow 60] [--soak 3600]
// Measures what happens beyond the server's capacity. First it measures the capacity. Then it sends three times as many
// requests, then adds slow clients to normal ones, then sends half the capacity for a long time. The load generator and
// the server share two cores.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LoadResult, runClients, type Times, times } from './clients.ts';
import { flood } from './flood.ts';
import type { RequestSpec } from './load.ts';
import { perfume } from './perfumes.ts';
import { type Running, startOurs } from './servers.ts';
import { addItem, addItems, signIn } from './shop.ts';
import { holdSlowClients } from './slow-clients.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '15' },
    slow: { type: 'string', default: '60' },
    clients: { type: 'string', default: '500' },
    soak: { type: 'string', default: '0' },
  },
});
const seconds = Number(values.seconds);
const FEW_CLIENTS = 32;
const MANY_CLIENTS = 512;
const OPENING = 1_000_000;

type ReportLine = { what: string; measured: string; goal: string; met: boolean };
const lines: ReportLine[] = [];

const folder = mkdtempSync(join(tmpdir(), 'perfume-overload-'));
const server = await startOurs({ DATA_DIR: folder });
try {
  const cookie = await signIn(server.url);
  await addItems(server.url, cookie, Number(values.items), perfume);
  const itemIds = await Promise.all(Array.from({ length: 50 }, () => addItem(server.url, cookie, OPENING)));
  const makeRequest = dealerRequests(cookie, itemIds);
  const capacity = await measureCapacity(server, makeRequest);
  await overloadThreefold(server, makeRequest, capacity);
  if (Number(values.slow) > 0) await measureBesideSlowClients(server, makeRequest, capacity);
  if (Number(values.soak) > 0) await soak(server, makeRequest, capacity);
} finally {
  server.kill();
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}
const width = Math.max(...lines.map(({ what }) => what.length));
for (const { what, measured, goal, met } of lines)
  console.log(`${what.padEnd(width)}  ${measured.padEnd(44)} ${goal.padEnd(22)} ${met ? 'kept' : 'BROKEN'}`);
console.log(`${values.items} items, load of the machine ${loadavg()[0]?.toFixed(1)}`);
process.exitCode = lines.every(({ met }) => met) ? 0 : 1;

/**
 * Measures the capacity: the highest steady rate with no refusal and a p99 below a second. Clients that wait for each
 * response reach a higher rate, because waiting creates batches, but they can never overload the server, so their rate
 * says little.
 */
async function measureCapacity({ url }: Running, makeRequest: (n: number) => RequestSpec): Promise<Capacity> {
  await runClients(url, { connections: FEW_CLIENTS, seconds: 3, makeRequest });
  const many = await runClients(url, { connections: MANY_CLIENTS, seconds, makeRequest });
  const few = await runClients(url, { connections: FEW_CLIENTS, seconds, makeRequest });
  report(`${MANY_CLIENTS} clients that wait for each response`, `${rate(many)}, p99 ${many.good.p99} ms`, '', true);
  report(`· ${FEW_CLIENTS} of them`, `${rate(few)}, p99 ${few.good.p99} ms`, '', true);
  for (let perSecond = Math.round(many.good.count / many.seconds); ; perSecond = Math.round(perSecond * 0.9)) {
    const result = await flood(url, { connections: MANY_CLIENTS, seconds, makeRequest, perSecond });
    const isSustained = result.refused.count + result.other + result.broken === 0 && result.good.p99 < 1_000;
    await waitUntilNormal(url, makeRequest, few);
    if (!isSustained && perSecond > 100) continue;
    report('capacity at an even rate', `${perSecond} a second, p99 ${result.good.p99} ms`, '', isSustained);
    return { perSecond, usual: few };
  }
}

type Capacity = { perSecond: number; usual: LoadResult };

async function overloadThreefold(
  server: Running,
  makeRequest: (n: number) => RequestSpec,
  capacity: Capacity,
): Promise<void> {
  const perSecond = capacity.perSecond * 3;
  const [flooded, newcomers] = await Promise.all([
    flood(server.url, { connections: 2_500, seconds, makeRequest, perSecond }),
    measureNewcomers(server.url, seconds),
  ]);
  const recoverySeconds = await waitUntilNormal(server.url, makeRequest, capacity.usual);
  const share = flooded.good.count / flooded.seconds / capacity.perSecond;
  const sent = Math.round(flooded.sent / flooded.seconds);
  report(
    'three times that',
    `${sent} requests a second`,
    `≥ ${Math.round(perSecond * 0.95)}`,
    sent >= perSecond * 0.95,
  );
  report('· served', `${rate(flooded)}, p99 ${flooded.good.p99} ms`, '', flooded.good.count > 0);
  report('· served, of the capacity', `${Math.round(share * 100)} %`, '', true);
  report(
    '· refused with 503 or 429',
    `${flooded.refused.count}, p99 ${flooded.refused.p99} ms`,
    'p99 < 1,000 ms',
    refusesQuickly(flooded),
  );
  report(
    '· a new client meanwhile',
    `is answered after ${newcomers.p50} ms, at most ${newcomers.p99} ms`,
    '',
    newcomers.count > 0,
  );
  report('· anything else', `${flooded.other} (${flooded.broken} connections broke)`, '0', flooded.other === 0);
  report('· back to normal after', `${recoverySeconds.toFixed(1)} s`, '≤ 5 s', recoverySeconds <= 5);
}

/**
 * Measures how long people wait who open a new connection, which the server has to accept first. Any response counts.
 */
async function measureNewcomers(url: string, seconds: number): Promise<Times> {
  const durations: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    await pause(100);
    const startedAt = performance.now();
    const request = get(`${url}/login`, { agent: false });
    const [answer] = await once(request, 'response');
    await once(answer.resume(), 'end');
    durations.push(performance.now() - startedAt);
  }
  return times(durations);
}

function refusesQuickly({ refused }: LoadResult): boolean {
  return refused.count === 0 || refused.p99 < 1_000;
}

/** Waits until the server is about as fast as it usually is. */
async function waitUntilNormal(
  url: string,
  makeRequest: (n: number) => RequestSpec,
  usual: LoadResult,
): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const now = await runClients(url, { connections: FEW_CLIENTS, seconds: 1, makeRequest });
    const passed = (performance.now() - startedAt) / 1_000 - 1;
    const isNormal = now.refused.count === 0 && now.other === 0 && now.good.p50 <= usual.good.p50 * 1.5;
    if (isNormal || passed > 30) return Math.max(0, passed);
  }
}

/**
 * Measures normal clients with and without slow clients, in alternating slices, so that other load affects both
 * equally.
 */
async function measureBesideSlowClients(
  server: Running,
  makeRequest: (n: number) => RequestSpec,
  capacity: Capacity,
): Promise<void> {
  const perSecond = Math.round(capacity.perSecond / 4);
  const usual = { connections: FEW_CLIENTS, seconds: 5, makeRequest, perSecond };
  const without: number[] = [];
  const beside: number[] = [];
  let lost = 0;
  for (let slice = 0; slice < Number(values.slow) / 5; slice++) {
    without.push((await runClients(server.url, usual)).good.p99);
    const slow = await holdSlowClients(server.url, Number(values.clients));
    const answers = await runClients(server.url, usual);
    beside.push(answers.good.p99);
    lost += answers.refused.count + answers.other;
    slow.leave();
  }
  const [p99Without, p99Beside] = [median(without), median(beside)];
  const ratio = p99Beside / Math.max(1, p99Without);
  report(
    `beside ${values.clients} slow clients`,
    `p99 ${p99Beside} ms against ${p99Without}: ${ratio.toFixed(2)} ×`,
    '< 2 ×',
    ratio < 2,
  );
  report('· others not served', String(lost), '0', lost === 0);
}

async function soak(server: Running, makeRequest: (n: number) => RequestSpec, capacity: Capacity): Promise<void> {
  const perSecond = Math.round(capacity.perSecond / 2);
  const slice = Math.min(60, Number(values.soak) / 10);
  const ownMb: number[] = [];
  const rssMb: number[] = [];
  let [good, bad] = [0, 0];
  for (let passed = 0; passed < Number(values.soak); passed += slice) {
    const answers = await flood(server.url, { connections: MANY_CLIENTS, seconds: slice, makeRequest, perSecond });
    good += answers.good.count;
    bad += answers.refused.count + answers.other + answers.broken;
    ownMb.push(server.ownMb());
    rssMb.push(server.rssMb());
    console.error(
      `${Math.round(passed + slice)} s: ${good} served, ${bad} not, p99 ${answers.good.p99} ms, memory ${ownMb.at(-1)} of ${rssMb.at(-1)} MB`,
    );
  }
  const [ownGrown, wholeGrown] = [growth(ownMb), growth(rssMb)];
  report(`half of it for ${values.soak} s`, `${good} served, ${bad} not`, '0 not', bad === 0);
  report('· memory of its own', growthText(ownGrown), '< 10 %', ownGrown.percent < 10);
  report('· with the database as mapped', growthText(wholeGrown), '', true);
}

/**
 * How much the memory grew. The first sixth of the samples is warm-up. Medians of several samples at both ends are
 * compared, because of garbage collection.
 */
function growth(memory: number[]): { early: number; late: number; percent: number } {
  const sixth = Math.max(1, Math.floor(memory.length / 6));
  const [early, late] = [median(memory.slice(sixth, sixth * 2)), median(memory.slice(-sixth))];
  return { early, late, percent: (late / early - 1) * 100 };
}

function growthText({ early, late, percent }: ReturnType<typeof growth>): string {
  return `${early} → ${late} MB: ${percent.toFixed(1)} %`;
}

/** The requests of a dealer's screens, in realistic proportions. No search text is used twice. */
function dealerRequests(cookie: string, itemIds: string[]): (n: number) => RequestSpec {
  const json = { cookie, 'content-type': 'application/json' };
  return (n) => {
    const item = itemIds[n % itemIds.length];
    if (n % 10 < 4) {
      const headers = { ...json, 'stock-base': String(OPENING), 'idempotency-key': randomUUID() };
      const quantity = String(OPENING + (n % 20 < 10 ? -1 : 1));
      return { method: 'PUT', path: `/inventory-items/${item}`, headers, body: JSON.stringify({ quantity }) };
    }
    if (n % 10 < 7) return { method: 'GET', path: `/manage-inventory?_id=${item}`, headers: { cookie } };
    const q = encodeURIComponent(`${perfume((n * 7_919) % Number(values.items)).name.slice(0, 5 + (n % 4))}`);
    return { method: 'GET', path: `/all-inventory-items?limit=50&q=${q}`, headers: { cookie } };
  };
}

function report(what: string, measured: string, goal: string, met: boolean): void {
  lines.push({ what, measured, goal, met });
}

function rate({ good, seconds }: LoadResult): string {
  return `${Math.round(good.count / seconds)} a second`;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
