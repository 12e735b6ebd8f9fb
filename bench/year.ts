// npm run bench -- year [--database sqlite|postgres] [--items 100000] [--movements 10] [--rounds 9]
// npm run bench -- year --items 100000,1000000     also prints how many times slower the larger warehouse is
// Fills a large warehouse with a year of movements and measures how long each query takes over HTTP: the first time, and
// then the median. A delivery before each request prevents cached responses. With --folder, an SQLite warehouse is kept
// there for the next time.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
  },
});
const DAY_MS = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const instant = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString();
const year = `from=${day(364)}&to=${day(0)}`;

const LIST = '/all-inventory-items?limit=50';
const sorts = ['newest', 'name', 'price', 'quantity'];

/** What is asked, for a warehouse of so many items. A function: something else each time, so that no search is repeated. */
const queries = (items: number, itemId: string): Record<string, string | ((n: number) => string)> => ({
  'home page': '/inventory-items?limit=50',
  ...Object.fromEntries(sorts.map((sort) => [`list by ${sort}`, `${LIST}&sort=${sort}`])),
  ...Object.fromEntries(
    sorts.map((sort) => [`list by ${sort}, in the middle`, `${LIST}&sort=${sort}&skip=${Math.floor(items / 2)}`]),
  ),
  'list of what is in stock': `${LIST}&stock=in`,
  'list of what is low': `${LIST}&stock=low`,
  'search, a number': (n) => `${LIST}&q=${encodeURIComponent(`no. ${(n * 7_919) % items}`)}`,
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
  const columns = [];
  for (const items of sizes) columns.push(await measure(database, items));
  print(database, columns);
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

async function measure(database: string, items: number): Promise<Figures> {
  const folder = values.folder ? join(values.folder, String(items)) : mkdtempSync(join(tmpdir(), 'perfume-insights-'));
  const isFilled = existsSync(join(folder, 'warehouse.sqlite'));
  mkdirSync(folder, { recursive: true });
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : null;
  await postgres?.createDatabase('insights');
  const env = { DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url('insights') } : {}) };
  try {
    const filling = performance.now();
    if (!isFilled) {
      // The first start creates the tables.
      const first = await startOurs(env);
      first.kill();
      await first.ended;
      await fillMillion(postgres?.url('insights') ?? join(folder, 'warehouse.sqlite'), {
        items,
        movements: Number(values.movements),
      });
    }
    const filled = performance.now() - filling;
    const server = await startOurs(env);
    try {
      const atRest = server.ownMb();
      const answers = await ask(server.url, items);
      return {
        ...(isFilled ? {} : { 'fill the database': { usual: filled } }),
        start: { usual: server.readyMs },
        ...answers,
        'own memory at rest, MB': { usual: atRest },
        'own memory afterwards, MB': { usual: server.ownMb() },
      };
    } finally {
      server.kill();
      await server.ended;
    }
  } finally {
    await postgres?.stop();
    if (!values.folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(url: string, items: number): Promise<Figures> {
  const cookie = await signIn(url);
  const stock = 1_000;
  const item = await addItem(url, cookie, stock);
  const [other] = (await (await fetch(`${url}${LIST}&skip=100`, { headers: { cookie } })).json()) as { _id: string }[];
  const answers: Figures = {};
  answers['add up a year, once'] = { usual: await retryUntilAnswered(url, cookie, '/insights/figures') };
  const measured = Object.entries(queries(items, other?._id ?? ''));
  const deliveries: number[] = [];
  const askOnce = async (path: (typeof measured)[number][1], round: number) => {
    const startedAt = performance.now();
    await send(url, cookie, newClick(item, -1), stock);
    deliveries.push(performance.now() - startedAt);
    return retryUntilAnswered(url, cookie, typeof path === 'string' ? path : path(round));
  };
  // All are asked once and then, when the server has had time to finish what it computes in the background, all again.
  const first = new Map<string, number>();
  for (const [name, path] of measured) first.set(name, await askOnce(path, 0));
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  for (const [name, path] of measured) {
    const times: number[] = [];
    for (let round = 1; round <= Number(values.rounds); round++) times.push(await askOnce(path, round));
    answers[name] = { first: first.get(name) ?? Number.NaN, usual: median(times) };
  }
  answers['a delivery'] = { usual: median(deliveries) };
  answers['figures, kept'] = { usual: await timed(url, cookie, '/insights/figures') };
  const exported = await timed(url, cookie, '/exports/items?format=csv');
  answers['export of all items, for each thousand'] = { usual: exported / (items / 1_000) };
  return answers;
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
