// npm run bench -- exactness [--clicks 10000] [--people 32] [--database sqlite|postgres]
// People with outdated screens click at the same time, on two servers if the database allows it. Then more people want
// a bottle than there are bottles.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../server/testing/postgres.ts';
import { startOurs } from './servers.ts';
import { addItem, ledgerOf, newClick, onHand, send, signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '10000' },
    people: { type: 'string', default: '32' },
    database: { type: 'string', default: 'both' },
  },
});
const clicks = Number(values.clicks);
const people = Number(values.people);

const rows = [];
for (const database of values.database === 'both' ? ['sqlite', 'postgres'] : [values.database])
  rows.push(await run(database));
console.table(rows);

async function run(database: string) {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-exact-'));
  const postgres = database === 'postgres' ? await startPostgres({ durable: true }) : null;
  await postgres?.createDatabase('exact');
  const env = { DATA_DIR: folder, ...(postgres ? { DATABASE_URL: postgres.url('exact') } : {}) };
  const servers = [await startOurs(env)];
  if (postgres) servers.push(await startOurs(env));
  const urlOf = (n: number) => servers[n % servers.length]?.url ?? '';
  try {
    const cookie = await signIn(urlOf(0));
    return {
      database,
      servers: servers.length,
      ...(await staleClicks(urlOf, cookie)),
      ...(await sellOut(urlOf, cookie)),
    };
  } finally {
    for (const server of servers) server.kill();
    await Promise.all(servers.map((server) => server.ended));
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function staleClicks(urlOf: (n: number) => string, cookie: string) {
  const opening = clicks * 2;
  const items = await Promise.all([1, 2, 3].map(() => addItem(urlOf(0), cookie, opening)));
  let next = 0;
  let retries = 0;
  const done = new Set<string>();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      // Every screen still shows the quantity from when it was opened.
      while (next < clicks) {
        const n = next++;
        const click = newClick(items[n % items.length] ?? '', -1);
        let { outcome } = await send(urlOf(person), cookie, click, opening);
        while (outcome === 'unknown') {
          retries++;
          ({ outcome } = await send(urlOf(person + 1), cookie, click, opening));
        }
        if (outcome === 'done') done.add(click.key);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const ledgers = await Promise.all(items.map((item) => ledgerOf(urlOf(0), cookie, item)));
  const left = await Promise.all(items.map((item) => onHand(urlOf(1), cookie, item)));
  const taken = items.length * opening - left.reduce((sum, quantity) => sum + quantity, 0);
  const kept = ledgers.flat().filter((movement) => done.has(movement.id)).length;
  return {
    clicks,
    acknowledged: done.size,
    lost: done.size - kept,
    doubled: taken - done.size,
    'retries a click': retries / clicks,
    'clicks a second': Math.round(clicks / seconds),
  };
}

async function sellOut(urlOf: (n: number) => string, cookie: string) {
  const bottles = 100;
  const item = await addItem(urlOf(0), cookie, bottles);
  const attempts = Array.from({ length: bottles * 3 }, (_, n) => send(urlOf(n), cookie, newClick(item, -1), bottles));
  const outcomes = (await Promise.all(attempts)).map((take) => take.outcome);
  return {
    bottles,
    takers: attempts.length,
    served: outcomes.filter((outcome) => outcome === 'done').length,
    left: await onHand(urlOf(0), cookie, item),
  };
}
