// npm run bench -- year [--database sqlite|postgres] [--items 100000] [--movements 10] [--rounds 9]
// npm run bench -- year --items 100000,1000000     also prints how many times slower the larger warehouse is
// Fills a large warehouse with a year of movements and measures how long each query takes over HTTP: the first time, and
// then the median. A delivery before each request prevents cached responses. With --folder, an SQLite warehouse is kept
// there for the next time. With --urls, PostgreSQL databases that `million` has filled are used, one for each size.
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../server/testing/postgres.ts';
import { fillMillion } from './million.ts';
import { startOurs } from './servers.ts';
import { addItem, newClick, send, signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'both' },
    items: { type: 'string', default: '100000' },
    movements: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '9' },
    folder: { type: 'string' },
    urls: { type: 'string' },
  },
});
const DAY_MS = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const instant = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString();
const year = `from=${day(364)}&to=${day(0)}`;

/** How many of the delivered item there are at first. */
const STOCK = 1_000;
const LIST = '/all-inventory-items?limit=50';
const CACHED_ROUNDS = 300;
const sorts = ['newest', 'name', 'price', 'quantity'];

/** A function: something else each time, so that no search is repeated. */
type Path = string | ((round: number) => string);

/** What is asked, for a warehouse of so many items. */
const queries = (items: number, itemId: string): Record<string, Path> => ({
  'home page': '/inventory-items?limit=50',
  ...Object.fromEntries(sorts.map((sort) => [`list by ${sort}`, `${LIST}&sort=${sort}`])),
  ...Object.fromEntries(
    sorts.map((sort) => [`list by ${sort}, in the middle`, `${LIST}&sort=${sort}&skip=${Math.floor(items / 2)}`]),
  ),
  'list of what is in stock': `${LIST}&stock=in`,
  'list of what is low': `${LIST}&stock=low`,
  // With as many digits as most numbers have, so that it finds as much in each warehouse.
  'search, a number': (n) =>
    `${LIST}&q=${encodeURIComponent(`no. ${Math.floor(((n * 7_919) % 100_000) * (items / 100_000))}`)}`,
  'search, nothing': (n) => `${LIST}&q=zxq${n}vwk`,
  'search, a sixteenth of all': (n) => `${LIST}&q=ambre${' '.repeat(n)}`,
  'search, two letters': (n) => `${LIST}&q=z${n % 10}`,
  'one item': `/manage-inventory?_id=${itemId}`,
  'movements of an item': `/inventory-items/${itemId}/movements`,
  'history of an item': `/history?item=${itemId}`,
  alerts: '/alerts',
  figures: '/insights/figures',
  'series, a year by day': `/insights/series?${year}&step=day`,
  'series, one supplier': `/insights/series?${year}&step=month&supplier=Maison%207`,
  'fastest sellers of a year': `/insights/sellers?${year}`,
  'slowest sellers of a year': `/insights/sellers?${year}&order=slowest`,
  'fastest sellers of 30 days': `/insights/sellers?from=${day(29)}&to=${day(0)}`,
  'suppliers, a year': `/insights/suppliers?${year}`,
  'dead stock, 90 days': '/insights/dead-stock?days=90',
  'history, all': '/history',
  'history, half a year back': `/history?to=${instant(182)}`,
  'history, restocks alone': '/history?kind=restock',
  'history, corrections alone': '/history?kind=correction',
  'half a year ago: rows': `/as-of?at=${instant(182)}`,
  'half a year ago: rows in the middle': `/as-of?at=${instant(182)}&skip=${Math.floor(items / 2)}`,
  'half a year ago: least stock first': `/as-of?at=${instant(182)}&sort=quantity`,
  'half a year ago: what was out of stock': `/as-of?at=${instant(182)}&stock=out`,
  'half a year ago: figures': `/as-of/figures?at=${instant(182)}`,
  'a week ago: figures': `/as-of/figures?at=${instant(7)}`,
});

const sizes = values.items.split(',').map(Number);
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, ` +
    `${values.movements} movements for each item`,
);
for (const database of values.database === 'both' ? ['sqlite', 'postgres'] : [values.database]) {
  const warehouses: Warehouse[] = [];
  try {
    for (const [n, items] of sizes.entries()) warehouses.push(await open(database, items, values.urls?.split(',')[n]));
    await ask(warehouses);
    print(
      database,
      warehouses.map(({ figures }) => figures),
    );
  } finally {
    for (const { close } of warehouses) await close();
  }
}

/** What was measured, in milliseconds; of a query also how long it took the first time. */
type Figures = Record<string, { first?: number; usual: number }>;

/** Prints a table with columns for each size, and how many times the last takes what the first takes. */
function print(database: string, columns: Figures[]): void {
  const isSeveral = columns.length > 1;
  const names = sizes.map((items) => `${items.toLocaleString('en')} items | the first time`);
  console.log(`\n| ${database}, ms | ${names.join(' | ')} |${isSeveral ? ' times |' : ''}`);
  console.log(`|---|${'---|'.repeat(names.length * 2 + (isSeveral ? 1 : 0))}`);
  for (const name of Object.keys(columns[0] ?? {})) {
    const cells = columns.map((column) => column[name] ?? { usual: Number.NaN });
    const times = isSeveral ? ` ${((cells.at(-1)?.usual ?? 0) / (cells[0]?.usual ?? 1)).toFixed(1)} |` : '';
    const figures = cells.map(({ first, usual }) => `${rounded(usual)} | ${first === undefined ? '' : rounded(first)}`);
    console.log(`| ${name} | ${figures.join(' | ')} |${times}`);
  }
}

type Warehouse = {
  items: number;
  queries: ReturnType<typeof queries>;
  figures: Figures;
  /** How long an answer takes right after a delivery. */
  timeChanged(path: Path, round: number): Promise<number>;
  /** How long an answer takes. */
  time(path: string): Promise<number>;
  deliveries: number[];
  readFile(): Promise<void>;
  ownMb(): number;
  close(): Promise<void>;
};

/** Starts a server with a filled database. */
async function open(database: string, items: number, filled?: string): Promise<Warehouse> {
  const folder = values.folder ? join(values.folder, String(items)) : mkdtempSync(join(tmpdir(), 'perfume-insights-'));
  const isFilled = filled !== undefined || existsSync(join(folder, 'warehouse.sqlite'));
  mkdirSync(folder, { recursive: true });
  const postgres = database === 'postgres' && !filled ? await startPostgres({ durable: true }) : null;
  const release = async () => {
    await postgres?.stop();
    if (!values.folder) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await postgres?.createDatabase('insights');
    const url = filled ?? postgres?.url('insights');
    const env = { DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) };
    const filling = performance.now();
    if (!isFilled) {
      // The first start creates the tables.
      const first = await startOurs(env);
      first.kill();
      await first.ended;
      await fillMillion(url ?? join(folder, 'warehouse.sqlite'), {
        items,
        movements: Number(values.movements),
      });
    }
    const filledMs = performance.now() - filling;
    const server = await startOurs(env);
    const cookie = await signIn(server.url);
    const item = await addItem(server.url, cookie, STOCK);
    const [other] = (await (await fetch(`${server.url}${LIST}&skip=100`, { headers: { cookie } })).json()) as {
      _id: string;
    }[];
    const deliveries: number[] = [];
    return {
      items,
      queries: queries(items, other?._id ?? ''),
      figures: {
        ...(isFilled ? {} : { 'fill the database': { usual: filledMs } }),
        start: { usual: server.readyMs },
      },
      async timeChanged(path, round) {
        const startedAt = performance.now();
        await send(server.url, cookie, newClick(item, -1), STOCK);
        deliveries.push(performance.now() - startedAt);
        return retryUntilAnswered(server.url, cookie, typeof path === 'string' ? path : path(round));
      },
      time: (path) => retryUntilAnswered(server.url, cookie, path),
      deliveries,
      readFile: () => (url === undefined ? readWhole(join(folder, 'warehouse.sqlite')) : Promise.resolve()),
      ownMb: server.ownMb,
      async close() {
        server.kill();
        await server.ended;
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Asks all warehouses in turn, so that a machine that is slower for a while is slower for each of them. */
async function ask(warehouses: Warehouse[]): Promise<void> {
  for (const { figures, ...warehouse } of warehouses) {
    figures['own memory at rest, MB'] = { usual: warehouse.ownMb() };
    figures['add up a year, once'] = { usual: await warehouse.time('/insights/figures') };
    for (const [name, path] of Object.entries(warehouse.queries))
      figures[name] = { first: await warehouse.timeChanged(path, 0), usual: Number.NaN };
  }
  // The servers have had time to finish what they compute in the background.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  for (const { readFile } of warehouses) await readFile();
  for (const name of Object.keys(queries(0, ''))) {
    const times = warehouses.map(() => [] as number[]);
    for (let round = 1; round <= Number(values.rounds); round++)
      for (const [n, { timeChanged, queries }] of warehouses.entries())
        times[n]?.push(await timeChanged(queries[name] ?? '', round));
    for (const [n, { figures }] of warehouses.entries())
      figures[name] = { ...figures[name], usual: median(times[n] ?? []) };
  }
  // One cached answer takes less than a millisecond, so it needs more rounds.
  const cached = warehouses.map(() => [] as number[]);
  for (let round = 0; round < CACHED_ROUNDS; round++)
    for (const [n, { time }] of warehouses.entries()) cached[n]?.push(await time('/insights/figures'));
  for (const [n, { items, figures, ...warehouse }] of warehouses.entries()) {
    figures['a delivery'] = { usual: median(warehouse.deliveries) };
    figures['figures, nothing changed'] = { usual: median(cached[n] ?? []) };
    const exported = await warehouse.time('/exports/items?format=csv');
    figures['export of all items, for each thousand'] = { usual: exported / (items / 1_000) };
    figures['own memory afterwards, MB'] = { usual: warehouse.ownMb() };
  }
}

/** Reads a file, so that the system has it in memory: more of a larger one would come from the disk. */
async function readWhole(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 1024 * 1024 }));
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/**
 * Repeats a request until it succeeds. The first one sums a whole year, and the first answer of a large warehouse reads all of it. Both
 * may take longer than a request may wait, and continue in the background.
 */
async function retryUntilAnswered(url: string, cookie: string, path: string): Promise<number> {
  const startedAt = performance.now();
  for (let tries = 0; tries < 200; tries++) {
    const answered = await timed(url, cookie, path).catch(() => null);
    if (answered !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return performance.now() - startedAt;
}

async function timed(url: string, cookie: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url + path, { headers: { cookie } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - startedAt;
}

function rounded(time: number): string {
  return time < 10 ? time.toFixed(1) : String(Math.round(time));
}
