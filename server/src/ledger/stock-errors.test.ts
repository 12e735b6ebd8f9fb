import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { anItem, itemNow, onBothDatabases, type Person, request, signedInAs, testApp } from '../testing.ts';

// Every error here was reported against other inventory software or databases; docs/threats.md lists the reports.
onBothDatabases('stock errors known from other software', (shared) => {
  const put = (person: Person, id: string, quantity: number, headers: Record<string, string>) =>
    person.call('PUT', `/inventory-items/${id}`, { body: { quantity }, headers });
  const move = (person: Person, id: string, units: number, headers: Record<string, string> = {}) =>
    person.call('POST', `/inventory-items/${id}/movements`, { body: { kind: 'deliver', units }, headers });
  const deltasOf = async (person: Person, id: string) =>
    (await person.call('GET', `/inventory-items/${id}/movements`))
      .json<{ delta: number }[]>()
      .map(({ delta }) => delta);

  test('of two people who take all five units at once, one gets them and the other none', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 5 });
    const answers = await Promise.all([
      put(person, _id, 0, { 'stock-base': '5' }),
      put(person, _id, 0, { 'stock-base': '5' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
    expect(await deltasOf(person, _id)).toEqual([-5, 5]);
  });

  test('two deliveries of four and six units from the same stale quantity of ten leave nothing', async () => {
    const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
    const { _id } = await anItem(person, { quantity: 10 });
    const answers = await Promise.all([
      put(person, _id, 6, { 'stock-base': '10' }),
      put(other, _id, 4, { 'stock-base': '10' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
  });

  test('a delivery of seven units when five are on hand takes none and writes nothing', async () => {
    const person = await signedInAs(shared);
    const { _id, version } = await anItem(person, { quantity: 5 });
    const answer = await move(person, _id, 7, { 'idempotency-key': randomUUID() });
    expect([answer.statusCode, answer.json().onHand]).toEqual([409, 5]);
    expect(await itemNow(person, _id)).toMatchObject({ quantity: '5', version });
    expect(await deltasOf(person, _id)).toEqual([5]);
  });

  test('a refused delivery changes nothing, and a retry gets the same response', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 1 });
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const first = await Promise.all(keys.map((key) => move(person, _id, 1, { 'idempotency-key': key })));
    const retried = await Promise.all(keys.map((key) => move(person, _id, 1, { 'idempotency-key': key })));
    const succeeded = first.filter(({ statusCode }) => statusCode === 201);
    expect(succeeded).toHaveLength(1);
    expect(retried.map(({ statusCode, body }) => [statusCode, body.replace(/"requestId":"[^"]*"/, '')])).toEqual(
      first.map(({ statusCode, body }) => [statusCode, body.replace(/"requestId":"[^"]*"/, '')]),
    );
    expect(await deltasOf(person, _id)).toEqual([-1, 1]);
  });

  test('a double click counts once', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 9 });
    const headers = { 'stock-base': '9', 'idempotency-key': randomUUID() };
    await Promise.all([put(person, _id, 8, headers), put(person, _id, 8, headers), put(person, _id, 8, headers)]);
    expect((await itemNow(person, _id))?.quantity).toBe('8');
  });

  test('a delivery sent by a disabled button is refused when nothing is on hand', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 0 });
    expect((await put(person, _id, -1, { 'stock-base': '0' })).statusCode).toBe(422);
    expect((await move(person, _id, 1)).statusCode).toBe(409);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
  });

  test('twenty people who restock one unit at the same time add twenty', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 0 });
    const body = { kind: 'restock', units: 1 };
    await Promise.all(
      Array.from({ length: 20 }, () => person.call('POST', `/inventory-items/${_id}/movements`, { body })),
    );
    expect((await itemNow(person, _id))?.quantity).toBe('20');
  });

  test.each([100, 0.29, 1.1, 4.35, 8.2, 1_115.15, 9_999_999.99])(
    'a price of %d is stored to the cent',
    async (price) => {
      const person = await signedInAs(shared);
      const { _id } = await anItem(person, { price });
      expect((await itemNow(person, _id))?.price).toBe(price);
    },
  );
});

describe('a PostgreSQL primary that became a standby', () => {
  test('makes /readyz and changes answer 503 until there is a primary again, without a restart', async () => {
    const shop = await testApp('PostgreSQL');
    const name = new URL(shop.config.databaseUrl).pathname.slice(1);
    const owner = new pg.Client({ connectionString: shop.config.databaseUrl.replace(`/${name}`, '/postgres') });
    await owner.connect();
    /**
     * Makes the database look like a standby, as after a failover: open sessions end, and new sessions are read-only.
     */
    const setStandby = async (isStandby: boolean) => {
      await owner.query(`alter database ${name} set default_transaction_read_only = ${isStandby ? 'on' : 'off'}`);
      if (isStandby)
        await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    };
    try {
      const person = await signedInAs(shop);
      const { _id } = await anItem(person, { quantity: 3 });
      const deliver = () =>
        person.call('POST', `/inventory-items/${_id}/movements`, { body: { kind: 'deliver', units: 1 } });
      await setStandby(true);
      // The first query on each terminated session fails; after that every session is read-only.
      await expect.poll(async () => (await request(shop, 'GET', '/readyz')).statusCode).toBe(503);
      expect((await deliver()).statusCode).toBe(503);
      await setStandby(false);
      // Open sessions stay read-only, so this succeeds only when the server has dropped them.
      await expect.poll(async () => (await deliver()).statusCode).toBe(201);
      expect((await request(shop, 'GET', '/readyz')).statusCode).toBe(200);
      expect((await itemNow(person, _id))?.quantity).toBe('2');
    } finally {
      await owner.end();
      await shop.close();
    }
  });
});
