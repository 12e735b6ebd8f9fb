import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../testing/postgres.ts';
import { aNewItem, anItem, itemNow, request, signedInAs, type TestApp, testApp } from '../../testing.ts';

let postgres: Postgres;
let shared: TestApp;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('outage');
  shared = await testApp('PostgreSQL', { databaseUrl: postgres.url('outage') });
}, 60_000);

afterAll(async () => {
  await shared.close();
  await postgres.stop();
});

test('during an outage requests get 503 with Retry-After, and afterwards everything works without a restart', async () => {
  const person = await signedInAs(shared);
  const item = await anItem(person, { quantity: 50 });
  const key = randomUUID();
  const click = () =>
    person.call('PUT', `/inventory-items/${item._id}`, {
      body: { quantity: '49' },
      headers: { 'stock-base': '50', 'idempotency-key': key },
    });

  postgres.kill('SIGKILL');
  // The child processes of PostgreSQL answer until they notice, a moment later, that their parent is gone.
  while ((await request(shared, 'GET', '/readyz')).statusCode === 200) await new Promise(setImmediate);
  const away = await Promise.all([
    click(),
    person.call('GET', `/manage-inventory?_id=${item._id}`),
    request(shared, 'GET', '/inventory-items'),
    person.call('POST', '/new-inventory-item', { body: aNewItem() }),
    request(shared, 'GET', '/readyz'),
  ]);
  for (const answer of away) {
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
    expect(['unavailable', 'outcome_unknown']).toContain(answer.json().code);
  }
  expect((await request(shared, 'GET', '/healthz')).statusCode).toBe(200);

  await postgres.restart();
  const [first, second] = [await click(), await click()];
  expect([first.statusCode, second.body]).toEqual([200, first.body]);
  expect((await itemNow(person, item._id))?.quantity).toBe('49');
  expect((await request(shared, 'GET', '/readyz')).statusCode).toBe(200);
}, 60_000);

test('connections lost under load neither crash the server nor count a click twice', async () => {
  const person = await signedInAs(shared);
  const item = await anItem(person, { quantity: 1_000 });
  let clicking = true;
  const done = new Set<string>();
  const people = Array.from({ length: 8 }, async () => {
    while (clicking) {
      const key = randomUUID();
      for (let tries = 0; tries < 50; tries++) {
        const answer = await person.call('PUT', `/inventory-items/${item._id}`, {
          body: { quantity: '999' },
          headers: { 'stock-base': '1000', 'idempotency-key': key },
        });
        if (answer.statusCode === 200) {
          done.add(key);
          break;
        }
        expect(answer.statusCode).toBe(503);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  });
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    postgres.kill('SIGKILL');
    await postgres.restart();
  }
  clicking = false;
  await Promise.all(people);
  expect(done.size).toBeGreaterThan(0);
  expect(Number((await itemNow(person, item._id))?.quantity)).toBe(1_000 - done.size);
}, 120_000);
