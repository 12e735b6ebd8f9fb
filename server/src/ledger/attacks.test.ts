import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { anItem, itemNow, onBothDatabases, type Person, request, signedInAs, testApp } from '../testing.ts';

// Each of these happened to a warehouse of others.
onBothDatabases('stock that others lost', (shared) => {
  const put = (person: Person, id: string, quantity: number, headers: Record<string, string>) =>
    person.call('PUT', `/inventory-items/${id}`, { body: { quantity }, headers });
  const move = (person: Person, id: string, units: number, headers: Record<string, string> = {}) =>
    person.call('POST', `/inventory-items/${id}/movements`, { body: { kind: 'deliver', units }, headers });
  const kinds = async (person: Person, id: string) =>
    (await person.call('GET', `/inventory-items/${id}/movements`))
      .json<{ delta: number }[]>()
      .map(({ delta }) => delta);

  test('two take all five units at once: one gets them, the other none', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 5 });
    const answers = await Promise.all([
      put(person, _id, 0, { 'stock-base': '5' }),
      put(person, _id, 0, { 'stock-base': '5' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
    expect(await kinds(person, _id)).toEqual([-5, 5]);
  });

  test('ten less four and ten less six, from one snapshot, leave nothing', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 10 });
    const answers = await Promise.all([
      put(person, _id, 6, { 'stock-base': '10' }),
      put(person, _id, 4, { 'stock-base': '10' }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
  });

  test('a batch that names an item twice takes one of it', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 5 });
    const body = { batch: randomUUID(), action: 'deliver', ids: [_id, _id, _id.toUpperCase()] };
    expect((await person.call('POST', '/bulk', { body })).statusCode).toBe(200);
    expect((await itemNow(person, _id))?.quantity).toBe('4');
  });

  test('a delivery of seven out of five is refused whole: none is taken, nothing is written', async () => {
    const person = await signedInAs(shared);
    const { _id, version } = await anItem(person, { quantity: 5 });
    const answer = await move(person, _id, 7, { 'idempotency-key': randomUUID() });
    expect([answer.statusCode, answer.json().onHand]).toEqual([409, 5]);
    expect(await itemNow(person, _id)).toMatchObject({ quantity: '5', version });
    expect(await kinds(person, _id)).toEqual([5]);
  });

  test('whatever is answered is what was kept: a refusal kept nothing, and its echo says the same', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 1 });
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const first = await Promise.all(keys.map((key) => move(person, _id, 1, { 'idempotency-key': key })));
    const echo = await Promise.all(keys.map((key) => move(person, _id, 1, { 'idempotency-key': key })));
    const done = first.filter(({ statusCode }) => statusCode === 201);
    expect(done).toHaveLength(1);
    expect(echo.map(({ statusCode, body }) => [statusCode, body.replace(/"requestId":"[^"]*"/, '')])).toEqual(
      first.map(({ statusCode, body }) => [statusCode, body.replace(/"requestId":"[^"]*"/, '')]),
    );
    expect(await kinds(person, _id)).toEqual([-1, 1]);
  });

  test('a double click books once', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 9 });
    const headers = { 'stock-base': '9', 'idempotency-key': randomUUID() };
    await Promise.all([put(person, _id, 8, headers), put(person, _id, 8, headers), put(person, _id, 8, headers)]);
    expect((await itemNow(person, _id))?.quantity).toBe('8');
  });

  test('a button that should be off and is pressed all the same takes nothing', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 0 });
    expect((await put(person, _id, -1, { 'stock-base': '0' })).statusCode).toBe(422);
    expect((await move(person, _id, 1)).statusCode).toBe(409);
    expect((await itemNow(person, _id))?.quantity).toBe('0');
  });

  test('twenty who add one at the same moment add twenty', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 0 });
    const body = { kind: 'restock', units: 1 };
    await Promise.all(
      Array.from({ length: 20 }, () => person.call('POST', `/inventory-items/${_id}/movements`, { body })),
    );
    expect((await itemNow(person, _id))?.quantity).toBe('20');
  });

  test('of two counts begun on one sheet the second is told that the shelf has changed', async () => {
    const person = await signedInAs(shared);
    const { _id, version } = await anItem(person, { quantity: 10 });
    expect((await put(person, _id, 8, { 'if-match': `"${version}"` })).statusCode).toBe(200);
    const second = await put(person, _id, 12, { 'if-match': `"${version}"` });
    expect([second.statusCode, second.json().item.quantity]).toEqual([412, '8']);
    expect((await itemNow(person, _id))?.quantity).toBe('8');
  });

  test.each([100, 0.29, 1.1, 4.35, 8.2, 1_115.15, 9_999_999.99])('a price of %d is kept to the cent', async (price) => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { price });
    expect((await itemNow(person, _id))?.price).toBe(price);
  });
});

describe('a primary that has become a standby', () => {
  test('is left at once: readyz says no, changes are asked to wait, and the new primary is used without a restart', async () => {
    const shop = await testApp('PostgreSQL');
    const name = new URL(shop.config.databaseUrl).pathname.slice(1);
    const owner = new pg.Client({ connectionString: shop.config.databaseUrl.replace(`/${name}`, '/postgres') });
    await owner.connect();
    /** What a standby is to its clients: every new session can only read, and the old ones are gone. */
    const demote = async (isStandby: boolean) => {
      await owner.query(`alter database ${name} set default_transaction_read_only = ${isStandby ? 'on' : 'off'}`);
      if (isStandby)
        await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    };
    try {
      const person = await signedInAs(shop);
      const { _id } = await anItem(person, { quantity: 3 });
      const take = () =>
        person.call('POST', `/inventory-items/${_id}/movements`, { body: { kind: 'deliver', units: 1 } });
      await demote(true);
      // Whichever notices first that its session has ended is told so; after that all sessions are the standby's.
      await expect.poll(async () => (await request(shop, 'GET', '/readyz')).statusCode).toBe(503);
      expect((await take()).statusCode).toBe(503);
      await demote(false);
      // The old sessions can still only read: they must have been dropped, or this would fail for ever.
      await expect.poll(async () => (await take()).statusCode).toBe(201);
      expect((await request(shop, 'GET', '/readyz')).statusCode).toBe(200);
      expect((await itemNow(person, _id))?.quantity).toBe('2');
    } finally {
      await owner.end();
      await shop.close();
    }
  });
});
