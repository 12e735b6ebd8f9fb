// npm run bench -- houses [--database sqlite|postgres] [--houses 1000] [--items 100] [--rounds 40]
// Compares a house of 100 items that is alone with one among 1,000 houses of 100 items each. Two servers run side by
// side and are asked in turns, each time after a delivery, so that no response comes from the cache. What counts is the
// ratio between the two.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillHouses } from '../server/testing/many-houses.ts';
import { startPostgres } from '../server/testing/postgres.ts';
import { perfume, searchWord, unknownWord } from './perfumes.ts';
import { type Running, startOurs } from './servers.ts';
import { newClick, send } from './shop.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'both' },
    houses: { type: 'string', default: '1000' },
    items: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '40' },
  },
});
const SECRET = 'a secret for the benchmark, long enough to be one';
const STOCK = 1_000_000;
const instant = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1_000).toISOString();

const queries: Record<string, (n: number) => string> = {
  'list of 50': () => '/all-inventory-items?limit=50',
  'list by name': () => '/all-inventory-items?limit=50&sort=name',
  'search, found': (n) => `/all-inventory-items?limit=50&q=${searchWord(n, Number(values.items))}`,
  'search, nothing': (n) => `/all-inventory-items?limit=50&q=${unknownWord(n)}`,
  figures: () => '/insights/figures',
  'fastest sellers': () => '/insights/sellers',
  suppliers: () => '/insights/suppliers',
  'dead stock': () => '/insights/dead-stock',
  history: () => '/history',
  'people of the history': () => '/history/people',
  'a minute ago': () => `/as-of?at=${instant(1 / 1_440)}`,
  'a minute ago, searched': (n) => `/as-of?at=${instant(1 / 1_440)}&q=${searchWord(n, Number(values.items))}`,
  alerts: () => '/alerts',
};

type Side = { server: Running; cookie: string; itemId: string };

for (const database of values.database === 'both' ? ['sqlite', 'postgres'] : [values.database]) {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-houses-'));
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : null;
  const sides: Side[] = [];
  try {
    for (const houses of [1, Number(values.houses)]) sides.push(await start(houses));
    const [alone, among] = sides;
    if (!alone || !among) throw new Error('there are two sides');
    console.log(
      `${database}, load ${loadavg()[0]?.toFixed(1)}: medians in ms, alone and among ${values.houses} houses`,
    );
    for (const [name, path] of Object.entries(queries)) {
      const times: [number[], number[]] = [[], []];
      for (let round = 0; round < Number(values.rounds); round++) {
        times[0].push(await timed(alone, path(round)));
        times[1].push(await timed(among, path(round)));
      }
      const [one, many] = times.map(median);
      console.log(
        `${name.padEnd(24)} ${one?.toFixed(1).padStart(7)} ${many?.toFixed(1).padStart(7)}  ${((many ?? 0) / (one ?? 1)).toFixed(2)} ×`,
      );
    }
  } finally {
    for (const { server } of sides) {
      server.kill();
      await server.ended;
    }
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  async function start(houses: number): Promise<Side> {
    const dataDir = join(folder, String(houses));
    await postgres?.createDatabase(`houses_${houses}`);
    const url = postgres?.url(`houses_${houses}`);
    const env = { ACCESS: 'houses', AUTH_SECRET: SECRET, DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) };
    const first = await startOurs(env);
    first.kill();
    await first.ended;
    const filled = await fillHouses(url ?? join(dataDir, 'warehouse.sqlite'), {
      houses,
      items: Number(values.items),
      secret: SECRET,
      itemOf: perfume,
    });
    return { server: await startOurs(env), ...filled };
  }
}

async function timed({ server, cookie, itemId }: Side, path: string): Promise<number> {
  await send(server.url, cookie, newClick(itemId, -1), STOCK);
  const startedAt = performance.now();
  const answer = await fetch(server.url + path, { headers: { cookie } });
  await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - startedAt;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
