// npm run bench -- [--database sqlite|postgres] [--items 1000,100000] [--connections 16] [--rounds 5] [--seconds 2]
// npm run bench -- --write                 also puts what it prints into docs/performance.md
// npm run bench -- --against ../before …   compares with another checkout of this product, not with the minimal server
// Two servers run side by side and get load in alternating slices, so that other load affects both. What counts is the
// ratio between them.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../server/testing/postgres.ts';
import { load, type Measured, type RequestSpec } from './load.ts';
import { perfume, SAMPLE, searchWord, unknownWord } from './perfumes.ts';
import { type Running, startMinimal, startOurs } from './servers.ts';
import { addItems, signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'both' },
    items: { type: 'string', default: '1000,100000' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    against: { type: 'string' },
    write: { type: 'boolean', default: false },
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
    headers: { ...json(side), 'stock-base': '1000', 'idempotency-key': newKey() },
    body: '{"quantity":"999"}',
  }),
  create: (side) => (n) => ({
    method: 'POST',
    path: '/new-inventory-item',
    headers: { ...json(side), 'idempotency-key': newKey() },
    body: JSON.stringify(perfume(n)),
  }),
};

const report: string[] = [];
function print(text: string): void {
  console.log(text);
  report.push(text);
}

print(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${connections} connections, ` +
    `${rounds} rounds of ${seconds} s, ${new Date().toISOString().slice(0, 10)}`,
);
const databases = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];
for (const database of databases) {
  for (const count of values.items.split(',').map(Number)) await compare(database, count);
}
if (values.write) writeReport();

/** Replaces what the last run wrote into the document. */
function writeReport(): void {
  const file = join(import.meta.dirname, '../docs/performance.md');
  const [begin, end] = ['<!-- npm run bench -- --write -->\n', '\n<!-- end -->'];
  const [before, rest] = readFileSync(file, 'utf8').split(begin);
  const after = rest?.slice(rest.indexOf(end));
  if (!after?.startsWith(end)) throw new Error(`${file} has no place for the tables: ${begin.trim()} … ${end.trim()}`);
  writeFileSync(file, `${before}${begin}${report.join('\n')}${after}`);
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
        : { server: baseline, cookie: oursFilled.cookie, ids: await sampleOf(baseline) },
    };
    if (postgres) for (const name of ['baseline', 'ours']) await analyze(postgres.url(name));
    const name = database === 'postgres' ? 'PostgreSQL' : 'SQLite';
    print(
      `\n| ${name}, ${count.toLocaleString('en')} items | ours / baseline | a second | p50, p99, ms | CPU a request, µs | failed |\n|---|---|---|---|---|---|`,
    );
    const loadBefore = loadavg()[0] ?? 0;
    for (const [name, workload] of Object.entries(workloads)) {
      if (values.only && !name.includes(values.only)) continue;
      await measure(name, workload, sides);
    }
    print(
      `\nLoad of the machine before and after: ${loadBefore.toFixed(1)}, ${(loadavg()[0] ?? 0).toFixed(1)}. Memory: ours ${ours.rssMb()} MB, baseline ${baseline.rssMb()} MB. First start with its migrations and demo: ${Math.round(ours.readyMs)} ms.`,
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
  const ratios = seen.ours.map((slice, i) => slice.perSecond / (seen.baseline[i]?.perSecond ?? Number.NaN));
  const both = (key: 'perSecond' | 'p50' | 'p99' | 'cpuUs') =>
    [seen.ours, seen.baseline].map((slices) => Math.round(median(slices.map((slice) => slice[key])))).join(' / ');
  const failed = median([...seen.ours, ...seen.baseline].map((slice) => slice.errors));
  print(
    `| ${name} | ${ratios.every(Number.isFinite) ? withSpread(ratios) : 'the baseline answers nothing in time'} | ${both('perSecond')} | ${both('p50')}, ${both('p99')} | ${both('cpuUs')} | ${(failed * 100).toFixed(1)} % |`,
  );
}

/** The median of all rounds, and the lowest and the highest. */
function withSpread(ratios: number[]): string {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `**${median(ratios).toFixed(2)}** (${low} to ${high})`;
}

async function filledSide(server: Running, count: number): Promise<Side> {
  const cookie = await signIn(server.url);
  const ids = await addItems(server.url, cookie, count, perfume);
  const every = Math.max(1, Math.floor(count / SAMPLE));
  return { server, cookie, ids: ids.filter((_, n) => n % every === 0) };
}

async function sampleOf(minimal: Running): Promise<string[]> {
  const rows = (await (await fetch(`${minimal.url}/sample`)).json()) as { id: string }[];
  return rows.map(({ id }) => id);
}

async function restart(ours: Running, folder: string): Promise<void> {
  ours.kill();
  await ours.ended;
  const again = await startOurs({ DATA_DIR: join(folder, 'ours') });
  print(`Second start: ready in ${Math.round(again.readyMs)} ms.`);
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

/** Keys begin with the time, as those of the web app do. */
function newKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
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
