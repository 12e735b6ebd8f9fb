import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem, move, type Person, signedInAs, type TestApp, testApp } from '../../testing.ts';
import { queryRows } from '../core/statement.ts';

let server: TestApp;
let person: Person;
beforeAll(async () => {
  server = await testApp('PostgreSQL');
  person = await signedInAs(server);
});
afterAll(() => server.close());

const CONNECTIONS = 16;

/** How many rows of items were read through any index or by scanning the table. */
async function rowsRead(): Promise<number> {
  // Each connection reports what it has read when it is told to. All are busy at once, so each is told.
  const report = 'select pg_stat_force_next_flush(), pg_sleep(0.1)';
  await Promise.all(Array.from({ length: CONNECTIONS }, () => queryRows(server.db.query, report, [])));
  const [read] = await queryRows<{ rows: number }>(
    server.db.query,
    `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'items')::bigint
       + (select seq_tup_read from pg_stat_user_tables where relname = 'items') as rows`,
    [],
  );
  return Number(read?.rows);
}

test('without statistics, adding and delivering an item does not read the others', async () => {
  const items = 400;
  const added: string[] = [];
  for (let n = 0; n < items; n += CONNECTIONS) {
    const some = await Promise.all(Array.from({ length: CONNECTIONS }, () => anItem(person)));
    added.push(...some.map(({ _id }) => _id));
  }
  const beforeDeliveries = await rowsRead();
  // The guard of the ledger alone would read two hundred each time.
  expect(beforeDeliveries / items).toBeLessThan(50);
  for (let n = 0; n < items; n += CONNECTIONS)
    await Promise.all(added.slice(n, n + CONNECTIONS).map((id) => move(person, id, 'deliver', 1)));
  expect(((await rowsRead()) - beforeDeliveries) / items).toBeLessThan(50);
});
