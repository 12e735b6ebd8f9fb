// npm run bench -- overload [--items 20000] [--seconds 15] [--slow 60] [--soak 3600]: what happens beyond the server's
// capacity. First it measures the capacity; then it sends three times as much; then slow clients beside normal ones; then half the
// capacity for a long time. The load generator and the server share two cores.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Answers, crowd, type Times, times } from './crowd.ts';
import { flood } from './flood.ts';
import type { Asked } from './load.ts';
import { perfume } from './perfumes.ts';
import { type Running, startOurs } from './servers.ts';
import { addItem, fillShelves, signIn } from './shop.ts';
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
const PEOPLE = 32;
const CROWD = 512;
const OPENING = 1_000_000;

type Line = { what: string; measured: string; wanted: string; kept: boolean };
const lines: Line[] = [];

const folder = mkdtempSync(join(tmpdir(), 'perfume-overload-'));
const server = await startOurs({ DATA_DIR: folder });
try {
  const cookie = await signIn(server.url);
  await fillShelves(server.url, cookie, Number(values.items), perfume);
  const shelf = await Promise.all(Array.from({ length: 50 }, () => addItem(server.url, cookie, OPENING)));
  const ask = dealersDay(cookie, shelf);
  const held = await howMuchItHolds(server, ask);
  await threeTimesAsMuch(server, ask, held);
  if (Number(values.slow) > 0) await besideSlowClients(server, ask, held);
  if (Number(values.soak) > 0) await forALongTime(server, ask, held);
} finally {
  server.kill();
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}
const width = Math.max(...lines.map(({ what }) => what.length));
for (const { what, measured, wanted, kept } of lines)
  console.log(`${what.padEnd(width)}  ${measured.padEnd(44)} ${wanted.padEnd(22)} ${kept ? 'kept' : 'BROKEN'}`);
console.log(`${values.items} items, load of the machine ${loadavg()[0]?.toFixed(1)}`);
process.exitCode = lines.every(({ kept }) => kept) ? 0 : 1;

/**
 * Capacity is the highest even rate with no refusal and a p99 below a second. Clients that wait for each response get more, because
 * waiting creates batches; they can never overload the server, so that figure says little.
 */
async function howMuchItHolds({ url }: Running, ask: (n: number) => Asked): Promise<Held> {
  await crowd(url, { connections: PEOPLE, seconds: 3, ask });
  const most = await crowd(url, { connections: CROWD, seconds, ask });
  const few = await crowd(url, { connections: PEOPLE, seconds, ask });
  tell(`${CROWD} who wait for their answers`, `${rate(most)}, p99 ${most.good.p99} ms`, '', true);
  tell(`· ${PEOPLE} of them`, `${rate(few)}, p99 ${few.good.p99} ms`, '', true);
  for (let aSecond = Math.round(most.good.count / most.seconds); ; aSecond = Math.round(aSecond * 0.9)) {
    const even = await flood(url, { connections: CROWD, seconds, ask, aSecond });
    const isHeld = even.refused.count + even.other + even.broken === 0 && even.good.p99 < 1_000;
    await untilCalm(url, ask, few);
    if (!isHeld && aSecond > 100) continue;
    tell('what it holds, coming evenly', `${aSecond} a second, p99 ${even.good.p99} ms`, '', isHeld);
    return { aSecond, usual: few };
  }
}

type Held = { aSecond: number; usual: Answers };

async function threeTimesAsMuch(server: Running, ask: (n: number) => Asked, held: Held): Promise<void> {
  const aSecond = held.aSecond * 3;
  const [flooded, newcomers] = await Promise.all([
    flood(server.url, { connections: 2_500, seconds, ask, aSecond }),
    whoComesMeanwhile(server.url, seconds),
  ]);
  const back = await untilCalm(server.url, ask, held.usual);
  const share = flooded.good.count / flooded.seconds / held.aSecond;
  const asked = Math.round(flooded.asked / flooded.seconds);
  tell('three times that', `${asked} asked a second`, `≥ ${Math.round(aSecond * 0.95)}`, asked >= aSecond * 0.95);
  tell('· answered well', `${rate(flooded)}, p99 ${flooded.good.p99} ms`, '', flooded.good.count > 0);
  tell('· of what it holds', `${Math.round(share * 100)} %`, '', true);
  tell(
    '· refused with 503 or 429',
    `${flooded.refused.count}, p99 ${flooded.refused.p99} ms`,
    'p99 < 1,000 ms',
    isSoon(flooded),
  );
  tell(
    '· somebody who comes meanwhile',
    `has an answer after ${newcomers.p50} ms, at most ${newcomers.p99} ms`,
    '',
    newcomers.count > 0,
  );
  tell('· anything else', `${flooded.other} (${flooded.broken} connections broke)`, '0', flooded.other === 0);
  tell('· back to normal after', `${back.toFixed(1)} s`, '≤ 5 s', back <= 5);
}

/** On a new connection, which has to be accepted first. Any response counts. */
async function whoComesMeanwhile(url: string, seconds: number): Promise<Times> {
  const took: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    await pause(100);
    const began = performance.now();
    const request = get(`${url}/login`, { agent: false });
    const [answer] = await once(request, 'response');
    await once(answer.resume(), 'end');
    took.push(performance.now() - began);
  }
  return times(took);
}

function isSoon({ refused }: Answers): boolean {
  return refused.count === 0 || refused.p99 < 1_000;
}

/** Normal: the next second is about as fast as an ordinary one. */
async function untilCalm(url: string, ask: (n: number) => Asked, usual: Answers): Promise<number> {
  const began = performance.now();
  for (;;) {
    const now = await crowd(url, { connections: PEOPLE, seconds: 1, ask });
    const passed = (performance.now() - began) / 1_000 - 1;
    const isNormal = now.refused.count === 0 && now.other === 0 && now.good.p50 <= usual.good.p50 * 1.5;
    if (isNormal || passed > 30) return Math.max(0, passed);
  }
}

/** Slices with and without slow clients alternate, so that other load affects both equally. */
async function besideSlowClients(server: Running, ask: (n: number) => Asked, held: Held): Promise<void> {
  const aSecond = Math.round(held.aSecond / 4);
  const usual = { connections: PEOPLE, seconds: 5, ask, aSecond };
  const without: number[] = [];
  const beside: number[] = [];
  let lost = 0;
  for (let slice = 0; slice < Number(values.slow) / 5; slice++) {
    without.push((await crowd(server.url, usual)).good.p99);
    const slow = await holdSlowClients(server.url, Number(values.clients));
    const answers = await crowd(server.url, usual);
    beside.push(answers.good.p99);
    lost += answers.refused.count + answers.other;
    slow.leave();
  }
  const [p99Without, p99Beside] = [median(without), median(beside)];
  const ratio = p99Beside / Math.max(1, p99Without);
  tell(
    `beside ${values.clients} slow clients`,
    `p99 ${p99Beside} ms against ${p99Without}: ${ratio.toFixed(2)} ×`,
    '< 2 ×',
    ratio < 2,
  );
  tell('· others not served', String(lost), '0', lost === 0);
}

async function forALongTime(server: Running, ask: (n: number) => Asked, held: Held): Promise<void> {
  const aSecond = Math.round(held.aSecond / 2);
  const slice = Math.min(60, Number(values.soak) / 10);
  const own: number[] = [];
  const whole: number[] = [];
  let [good, bad] = [0, 0];
  for (let passed = 0; passed < Number(values.soak); passed += slice) {
    const answers = await flood(server.url, { connections: CROWD, seconds: slice, ask, aSecond });
    good += answers.good.count;
    bad += answers.refused.count + answers.other + answers.broken;
    own.push(server.ownMb());
    whole.push(server.rssMb());
    console.error(
      `${Math.round(passed + slice)} s: ${good} answered well, ${bad} not, p99 ${answers.good.p99} ms, memory ${own.at(-1)} of ${whole.at(-1)} MB`,
    );
  }
  const [ownGrown, wholeGrown] = [growth(own), growth(whole)];
  tell(`half of it for ${values.soak} s`, `${good} answered well, ${bad} not`, '0 not', bad === 0);
  tell('· memory of its own', said(ownGrown), '< 10 %', ownGrown.percent < 10);
  tell('· with the database as mapped', said(wholeGrown), '', true);
}

/** The first sixth is warm-up; because of garbage collection, several samples are taken at both ends. */
function growth(memory: number[]): { early: number; late: number; percent: number } {
  const sixth = Math.max(1, Math.floor(memory.length / 6));
  const [early, late] = [median(memory.slice(sixth, sixth * 2)), median(memory.slice(-sixth))];
  return { early, late, percent: (late / early - 1) * 100 };
}

function said({ early, late, percent }: ReturnType<typeof growth>): string {
  return `${early} → ${late} MB: ${percent.toFixed(1)} %`;
}

/** The requests of a dealer's screens, in realistic proportions. No search text is used twice. */
function dealersDay(cookie: string, shelf: string[]): (n: number) => Asked {
  const json = { cookie, 'content-type': 'application/json' };
  return (n) => {
    const item = shelf[n % shelf.length];
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

function tell(what: string, measured: string, wanted: string, kept: boolean): void {
  lines.push({ what, measured, wanted, kept });
}

function rate({ good, seconds }: Answers): string {
  return `${Math.round(good.count / seconds)} a second`;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
