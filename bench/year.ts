// npm run bench -- year [--database sqlite|postgres] [--items 100000] [--movements 10] [--rounds 9]
// Fills a large warehouse with a year of movements and measures how long each query about it takes over HTTP. A
// delivery before each round prevents cached responses.
import { mkdtempSync, rmSync } from 'node:fs';
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
  },
});
const DAY_MS = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const instant = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString();
const year = `from=${day(364)}&to=${day(0)}`;

const queries: Record<string, string> = {
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
  'half a year ago: rows in the middle': `/as-of?at=${instant(182)}&skip=50000`,
  'half a year ago: least stock first': `/as-of?at=${instant(182)}&sort=quantity`,
  'half a year ago: what was out of stock': `/as-of?at=${instant(182)}&stock=out`,
  'half a year ago: figures': `/as-of/figures?at=${instant(182)}`,
  'a week ago: figures': `/as-of/figures?at=${instant(7)}`,
};

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, ` +
    `${values.items} items, ${Number(values.items) * Number(values.movements)} movements`,
);
const table: Record<string, Record<string, string>> = {};
for (const database of values.database === 'both' ? ['sqlite', 'postgres'] : [values.database]) {
  for (const [question, median] of Object.entries(await measure(database))) {
    table[question] = { ...table[question], [`${database}, ms`]: median };
  }
}
console.table(table);

async function measure(database: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-insights-'));
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : null;
  await postgres?.createDatabase('insights');
  const env = { DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url('insights') } : {}) };
  try {
    // The first start creates the tables.
    const first = await startOurs(env);
    first.kill();
    await first.ended;
    const filling = performance.now();
    await fillMillion(postgres?.url('insights') ?? join(folder, 'warehouse.sqlite'), {
      items: Number(values.items),
      movements: Number(values.movements),
    });
    const filled = performance.now() - filling;
    const server = await startOurs(env);
    try {
      return { 'fill the database': ms(filled), ...(await ask(server.url)) };
    } finally {
      server.kill();
      await server.ended;
    }
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(url: string): Promise<Record<string, string>> {
  const cookie = await signIn(url);
  const stock = 1_000;
  const item = await addItem(url, cookie, stock);
  const answers: Record<string, string> = {};
  answers['add up a year, once'] = ms(await retryUntilAnswered(url, cookie, '/insights/figures'));
  for (const [name, path] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      await send(url, cookie, newClick(item, -1), stock);
      times.push(await timed(url, cookie, path));
    }
    answers[name] = ms(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN);
  }
  answers['figures, kept'] = ms(await timed(url, cookie, '/insights/figures'));
  return answers;
}

/**
 * Repeats a request until it succeeds. The first one sums a whole year, which may take longer than a request may wait;
 * summing continues in the background.
 */
async function retryUntilAnswered(url: string, cookie: string, path: string): Promise<number> {
  const startedAt = performance.now();
  for (let tries = 0; tries < 20; tries++) {
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

function ms(time: number): string {
  return time < 10 ? time.toFixed(1) : String(Math.round(time));
}
