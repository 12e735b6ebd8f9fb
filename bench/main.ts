// npm run bench -- [--database sqlite|postgres] [--items 1000,100000] [--connections 16] [--rounds 5] [--seconds 2]
// npm run bench -- --against ../before …   compares with another checkout of this product, not with the minimal server
// Two servers run side by side and get load in alternating slices, so that other load affects both. What counts is the
// ratio between them.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../server/testing/postgres.ts';
import { load, type Measured, type RequestSpec } from './load.ts';
import { perfume, searchWord, unknownWord } from './perfumes.ts';
import { type Running, startMinimal, startOurs } from './servers.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'both' },
    items: { type: 'string', default: '1000,100000' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    against: { type: 'string' },
  },
});
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

type Side = { server: Running; ids: string[]; cookie: string };

const workloads: Record<string, (side: Side) => (n: number) => RequestSpec> = {
  'list 50': () => () => ({ method: 'GET', path: '/inventory-items?limit=50' }),
  'one item': (side) => (n) => ({
    method: 'GET',
    path: `/manage-inventory?_id=${pick(side.ids, n)}`,
    headers: { cookie: side.cookie },
  }),
  'search, found': (side) => (n) => search(side, searchWord(n)),
  'search, nothing': (side) => (n) => search(side, unknownWord(n)),
  deliver: (side) => (n) => ({
    method: 'PUT',
    path: `/inventory-items/${pick(side.ids, n)}`,
    headers: { ...json(side), 'stock-base': '1000', 'idempotency-key': randomUUID() },
    body: '{"quantity":"999"}',
  }),
  create: (side) => (n) => ({
    method: 'POST',
    path: '/new-inventory-item',
    headers: { ...json(side), 'idempotency-key': randomUUID() },
    body: JSON.stringify(perfume(n)),
  }),
};

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${connections} connections, ${new Date().toISOString().slice(0, 10)}`,
);
const databases = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];
for (const database of databases) {
  for (const count of values.items.split(',').map(Number)) await compare(database, count);
}

async function compare(database: string, count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-bench-'));
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : null;
  await postgres?.createDatabase('baseline');
  await postgres?.createDatabase('ours');
  const stored = (name: string) => ({
    DATA_DIR: join(folder, name),
    ...(postgres ? { DATABASE_URL: postgres.url(name) } : {}),
  });
  const baseline = values.against
    ? await startOurs(stored('baseline'), resolve(values.against))
    : postgres
      ? await startMinimal('minimal-postgres', postgres.url('baseline'), String(count))
      : await startMinimal('minimal-sqlite', join(folder, 'minimal.sqlite'), String(count));
  const ours = await startOurs(stored('ours'));
  try {
    const oursFilled = await filledSide(ours, count);
    const sides = {
      ours: oursFilled,
      baseline: values.against
        ? await filledSide(baseline, count)
        : { server: baseline, cookie: oursFilled.cookie, ids: await idsOf(baseline, '', 'id') },
    };
    if (postgres) for (const name of ['baseline', 'ours']) await analyze(postgres.url(name));
    console.log(`\n### ${database}, ${count.toLocaleString('en')} items\n`);
    console.log(
      '| | ours /s | baseline /s | ratio | ours p50 / p99 ms | baseline p50 / p99 ms | CPU µs a request: ours / baseline | errors |\n|---|---|---|---|---|---|---|---|',
    );
    for (const [name, workload] of Object.entries(workloads)) {
      if (values.only && !name.includes(values.only)) continue;
      await measure(name, workload, sides);
    }
    console.log(
      `\nMemory: ours ${ours.rssMb()} MB, baseline ${baseline.rssMb()} MB. First start with its migrations and demo: ${Math.round(ours.readyMs)} ms.`,
    );
    if (!postgres) await restart(ours, folder);
  } finally {
    baseline.kill();
    ours.kill();
    await Promise.all([baseline.ended, ours.ended]);
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives both databases statistics at the same time. Autovacuum would reach one of them a minute before the other. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  await client.end();
}

async function measure(
  name: string,
  workload: (side: Side) => (n: number) => RequestSpec,
  sides: { ours: Side; baseline: Side },
) {
  const seen: Record<'ours' | 'baseline', (Measured & { cpuUs: number })[]> = { ours: [], baseline: [] };
  for (const who of ['ours', 'baseline'] as const)
    await load(sides[who].server.url, connections, 0.5, workload(sides[who]));
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that neither server always runs after the other.
    const order = round % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const);
    for (const who of order) {
      const { server } = sides[who];
      const before = server.cpuMs();
      const slice = await load(server.url, connections, seconds, workload(sides[who]));
      seen[who].push({ ...slice, cpuUs: ((server.cpuMs() - before) * 1_000) / Math.max(1, slice.answered) });
    }
  }
  const ratio = median(seen.ours.map((slice, i) => slice.perSecond / (seen.baseline[i]?.perSecond ?? Number.NaN)));
  const ratioText = Number.isFinite(ratio) ? `**${ratio.toFixed(2)}**` : 'the baseline answered nothing in time';
  const column = (who: 'ours' | 'baseline', key: 'perSecond' | 'p50' | 'p99' | 'cpuUs') =>
    median(seen[who].map((slice) => slice[key]));
  const errors = median([...seen.ours, ...seen.baseline].map((slice) => slice.errors));
  console.log(
    `| ${name} | ${Math.round(column('ours', 'perSecond'))} | ${Math.round(column('baseline', 'perSecond'))} | ${ratioText} | ` +
      `${column('ours', 'p50')} / ${column('ours', 'p99')} | ${column('baseline', 'p50')} / ${column('baseline', 'p99')} | ${Math.round(column('ours', 'cpuUs'))} / ${Math.round(column('baseline', 'cpuUs'))} | ${(errors * 100).toFixed(1)} % |`,
  );
}

async function filledSide(server: Running, count: number): Promise<Side> {
  const cookie = await signIn(server);
  await fill(server, cookie, count);
  return { server, cookie, ids: await idsOf(server, cookie, '_id') };
}

/** Creates items through the API, many at a time, as an import would. */
async function fill(ours: Running, cookie: string, count: number): Promise<void> {
  let next = 0;
  const people = Array.from({ length: 64 }, async () => {
    while (next < count) {
      const body = JSON.stringify(perfume(next++));
      const answer = await fetch(`${ours.url}/new-inventory-item`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body,
      });
      if (answer.status !== 201) throw new Error(`an item was refused: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  });
  await Promise.all(people);
}

async function signIn(ours: Running): Promise<string> {
  const answer = await fetch(`${ours.url}/demo/sign-in`, { method: 'POST' });
  return (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

async function idsOf(server: Running, cookie: string, name: string): Promise<string[]> {
  const answer = await fetch(`${server.url}/all-inventory-items?limit=200`, { headers: { cookie } });
  return ((await answer.json()) as Record<string, string>[]).map((item) => item[name] ?? '');
}

async function restart(ours: Running, folder: string): Promise<void> {
  ours.kill();
  await ours.ended;
  const again = await startOurs({ DATA_DIR: join(folder, 'ours') });
  console.log(`Second start: ready in ${Math.round(again.readyMs)} ms.`);
  again.kill();
  await again.ended;
}

function search(side: Side, q: string): RequestSpec {
  return {
    method: 'GET',
    path: `/all-inventory-items?limit=50&q=${encodeURIComponent(q)}`,
    headers: { cookie: side.cookie },
  };
}

function json(side: Side): Record<string, string> {
  return { cookie: side.cookie, 'content-type': 'application/json' };
}

function pick(ids: string[], n: number): string {
  return ids[(n * 7) % ids.length] ?? '';
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
