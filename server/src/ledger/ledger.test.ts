import { randomUUID } from 'node:crypto';
import { type WireMovement, wireMovement } from '@perfume/contract/ledger';
import type { WireItem } from '@perfume/contract/wire-item';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pruneOutcomes } from '../db/core/idempotency.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import {
  anItem,
  itemNow,
  nextPage,
  onBothDatabases,
  type Person,
  request,
  signedInAs,
  type TestApp,
} from '../testing.ts';

onBothDatabases('stock', (shared) => {
  function put(person: Person, id: string, quantity: unknown, headers: Record<string, string> = {}) {
    return person.call('PUT', `/inventory-items/${id}`, { body: { quantity }, headers });
  }
  async function ledgerOf(person: Person, id: string): Promise<WireMovement[]> {
    const answer = await person.call('GET', `/inventory-items/${id}/movements?limit=200`);
    return z.parse(z.array(wireMovement), answer.json());
  }

  describe('PUT with Stock-Base', () => {
    test('delivers one unit and records the movement', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 42 });
      const key = randomUUID();
      const answer = await put(person, item._id, '41', { 'stock-base': '42', 'idempotency-key': key });
      expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"2"']);
      expect(answer.json()).toMatchObject({ _id: item._id, quantity: '41', version: 2 });
      const [latest, opening] = await ledgerOf(person, item._id);
      expect(latest).toMatchObject({
        id: key,
        kind: 'deliver',
        delta: -1,
        quantityAfter: 41,
        by: { id: person.user.id },
      });
      expect(opening).toMatchObject({ kind: 'opening', delta: 42, quantityAfter: 42 });
    });

    test('adds a restock to the current quantity, not to the one the person saw', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 10 });
      await put(person, item._id, '6', { 'stock-base': '10' });
      const answer = await put(person, item._id, '30', { 'stock-base': '10' });
      expect(answer.json().quantity).toBe('26');
    });

    test('with a reason records a correction, and keeps what others delivered meanwhile', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 10 });
      await put(person, item._id, '8', { 'stock-base': '10' });
      const body = { quantity: '7', reason: 'breakage', note: ' Fell off the shelf ' };
      const headers = { 'stock-base': '10', 'idempotency-key': randomUUID() };
      const answer = await person.call('PUT', `/inventory-items/${item._id}`, { body, headers });
      expect(answer.json().quantity).toBe('5');
      const [latest] = await ledgerOf(person, item._id);
      expect(latest).toMatchObject({ kind: 'correction', delta: -3, reason: 'breakage', note: 'Fell off the shelf' });
    });

    test('refuses a delivery when nothing is on hand, and changes nothing', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 1 });
      await put(person, item._id, '0', { 'stock-base': '1' });
      const answer = await put(person, item._id, '0', { 'stock-base': '1' });
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'out_of_stock', onHand: 0 }),
      ]);
      expect(await ledgerOf(person, item._id)).toHaveLength(2);
    });

    test('refuses a quantity above the maximum', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 1_000_000_000 });
      const answer = await put(person, item._id, '6', { 'stock-base': '5' });
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'over_full']);
    });

    test('a repeated click changes nothing and gets the first response, byte for byte', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 9 });
      const headers = { 'stock-base': '9', 'idempotency-key': randomUUID() };
      const answers = [];
      for (let i = 0; i < 3; i++) {
        answers.push(await put(person, item._id, '8', headers));
        await put(person, item._id, '20', { 'stock-base': '10' });
      }
      expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
      expect(new Set(answers.map((answer) => answer.headers.etag)).size).toBe(1);
      expect((await itemNow(person, item._id))?.quantity).toBe('38');
    });

    test('a refused click stays refused when it is retried after a restock', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 0 });
      const headers = { 'stock-base': '1', 'idempotency-key': randomUUID() };
      const first = await put(person, item._id, '0', headers);
      await put(person, item._id, '5', { 'stock-base': '0' });
      const retried = await put(person, item._id, '0', headers);
      expect([first.statusCode, retried.body]).toEqual([409, first.body]);
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('a click that comes again after its response was forgotten is refused for its key, whatever is on hand', async () => {
      const person = await signedInAs(shared);
      const [left, empty, gone] = [
        await anItem(person, { quantity: 2 }),
        await anItem(person, { quantity: 1 }),
        await anItem(person, { quantity: 1 }),
      ];
      const key = new Map([left, empty, gone].map(({ _id }) => [_id, randomUUID()]));
      const take = ({ _id }: { _id: string }) =>
        person.call('POST', `/inventory-items/${_id}/movements`, {
          body: { kind: 'deliver', units: 1 },
          headers: { 'idempotency-key': key.get(_id) ?? '' },
        });
      for (const item of [left, empty, gone]) expect((await take(item)).statusCode).toBe(201);
      await person.call('DELETE', `/inventory-items/${gone._id}`);
      await pruneOutcomes(shared.db, Date.now() + 31 * 24 * 60 * 60 * 1_000);
      for (const item of [left, empty, gone]) expect((await take(item)).json().code).toBe('key_reused');
      expect((await itemNow(person, left._id))?.quantity).toBe('1');
      expect((await itemNow(person, empty._id))?.quantity).toBe('0');
    });

    test('the same click sent to two servers at once counts once', async () => {
      const person = await signedInAs(shared);
      const other = await shared.sibling();
      const item = await anItem(person, { quantity: 50 });
      for (let round = 0; round < 10; round++) {
        const headers = { cookie: person.cookie, 'stock-base': '50', 'idempotency-key': randomUUID() };
        const both = [shared, other].map((server) =>
          request(server, 'PUT', `/inventory-items/${item._id}`, { body: { quantity: '49' }, headers }),
        );
        const [a, b] = await Promise.all(both);
        expect([a?.statusCode, b?.body]).toEqual([200, a?.body]);
      }
      expect((await itemNow(person, item._id))?.quantity).toBe('40');
    });

    test('records no movement when the quantity stays the same', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 3 });
      expect((await put(person, item._id, '3', { 'stock-base': '3' })).statusCode).toBe(200);
      expect(await ledgerOf(person, item._id)).toHaveLength(1);
    });

    test.each([
      ['stock-base', '-1'],
      ['stock-base', '1.0'],
      ['stock-base', '1, 2'],
      ['if-match', '3'],
      ['if-match', '"3'],
      ['if-match', '"1" "2"'],
      ['if-match', ''],
      ['idempotency-key', 'not-a-uuid'],
    ])('refuses an invalid header: %s: %s', async (name, value) => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 3 });
      const answer = await put(person, item._id, '2', { [name]: value });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_header']);
      expect(await itemNow(person, item._id)).toEqual(item);
    });
  });

  describe('PUT without Stock-Base', () => {
    test('refuses a count made on an old version, changes nothing and returns the current item', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 8 });
      expect((await put(person, item._id, '7', { 'if-match': '"1"' })).json().quantity).toBe('7');
      const stale = await put(person, item._id, '6', { 'if-match': '"1"' });
      expect([stale.statusCode, stale.json()]).toEqual([
        412,
        expect.objectContaining({
          code: 'stale_version',
          item: expect.objectContaining({ quantity: '7', version: 2 }),
        }),
      ]);
      expect(await itemNow(person, item._id)).toMatchObject({ quantity: '7', version: 2 });
    });

    test.each(['"0"', '"01"', '""', '"none"', 'W/"1"', '"2", "3"', '"a,b"'])(
      'refuses an If-Match without the current version: %s',
      async (tag) => {
        const person = await signedInAs(shared);
        const item = await anItem(person, { quantity: 8 });
        const answer = await put(person, item._id, '7', { 'if-match': tag });
        expect([answer.statusCode, answer.json()]).toEqual([
          412,
          expect.objectContaining({ code: 'stale_version', item }),
        ]);
      },
    );

    test.each(['"1"', '*', '"0", "1"', 'W/"1","1"'])(
      'accepts an If-Match with the current version: %s',
      async (tag) => {
        const person = await signedInAs(shared);
        const item = await anItem(person, { quantity: 8 });
        expect((await put(person, item._id, '7', { 'if-match': tag })).json().quantity).toBe('7');
      },
    );

    test('sets the quantity without If-Match too, and the ledger records the difference', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 8 });
      expect((await put(person, item._id, '3')).json().quantity).toBe('3');
      expect((await put(person, item._id, 12)).json().quantity).toBe('12');
      const ledger = await ledgerOf(person, item._id);
      expect(ledger.map(({ kind, delta, quantityAfter }) => [kind, delta, quantityAfter])).toEqual([
        ['correction', 9, 12],
        ['correction', -5, 3],
        ['opening', 8, 8],
      ]);
    });

    test.each([
      {},
      { quantity: '' },
      { quantity: '-1' },
      { quantity: '1.5' },
      { quantity: null },
      { quantity: '1', more: 1 },
      [],
      'text',
      5,
    ])('refuses a body that is not a quantity, and changes nothing: %j', async (body) => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 3 });
      const answer = await person.call('PUT', `/inventory-items/${item._id}`, { body: JSON.stringify(body) });
      expect(answer.statusCode).toBe(422);
      expect(await itemNow(person, item._id)).toEqual(item);
    });

    test('answers 404 for an unknown or deleted item', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      for (const id of [item._id, randomUUID(), 'nonsense']) {
        expect((await put(person, id, '1')).statusCode).toBe(404);
        expect((await put(person, id, '1', { 'stock-base': '2' })).statusCode).toBe(404);
      }
    });

    test('refuses a visitor who changes stock', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      expect(
        (await request(shared, 'PUT', `/inventory-items/${item._id}`, { body: { quantity: '1' } })).statusCode,
      ).toBe(401);
      expect(await itemNow(person, item._id)).toEqual(item);
    });
  });

  describe('movements', () => {
    test('apply a difference and are listed newest first, page by page', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 0 });
      const move = (kind: string, units: unknown, note?: string) =>
        person.call('POST', `/inventory-items/${item._id}/movements`, {
          body: { kind, units, ...(note ? { note } : {}) },
        });
      const answer = await move('restock', 30, 'From Grasse');
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({ movement: { delta: 30, note: 'From Grasse' }, item: { quantity: '30' } });
      await move('deliver', '4');
      await move('correction', -2);
      expect((await move('deliver', 100)).json()).toMatchObject({ code: 'out_of_stock', onHand: 24 });
      const first = await person.call('GET', `/inventory-items/${item._id}/movements?limit=3`);
      expect(first.json<WireMovement[]>().map(({ delta }) => delta)).toEqual([-2, -4, 30]);
      const second = await person.call('GET', nextPage(first) ?? '');
      expect(second.json<WireMovement[]>().map(({ kind }) => kind)).toEqual(['opening']);
      expect(second.headers.link).toBeUndefined();
    });

    test.each([
      { kind: 'deliver', units: 0 },
      { kind: 'deliver', units: -1 },
      { kind: 'restock', units: 1.5 },
      { kind: 'opening', units: 1 },
      { kind: 'undo', units: 1 },
      { kind: 'deliver' },
      { kind: 'deliver', units: 1, by: 'me' },
      { kind: 'deliver', units: 1, note: 'x'.repeat(501) },
      { kind: 'deliver', units: 1, note: 'a\u0000' },
    ])('are refused when invalid: %j', async (body) => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      expect((await person.call('POST', `/inventory-items/${item._id}/movements`, { body })).statusCode).toBe(422);
      expect(await itemNow(person, item._id)).toEqual(item);
    });

    test('of a deleted item can still be read, and those of an unknown item are a 404', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      expect(await ledgerOf(person, item._id)).toHaveLength(1);
      expect((await person.call('GET', `/inventory-items/${randomUUID()}/movements`)).statusCode).toBe(404);
    });

    test('cannot be changed or deleted, not even in the database', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 3 });
      const [row] = await ledgerOf(person, item._id);
      const { db } = shared;
      const id = row?.id ?? '';
      await expect(
        db.change((db) => db.updateTable('stock_movements').set({ delta: 5 }).where('id', '=', id).execute()),
      ).rejects.toThrow('append-only');
      await expect(db.change((db) => db.deleteFrom('stock_movements').where('id', '=', id).execute())).rejects.toThrow(
        'append-only',
      );
      await expect(db.change((db) => db.deleteFrom('items').where('id', '=', item._id).execute())).rejects.toThrow(
        'never removed',
      );
      expect(await ledgerOf(person, item._id)).toEqual([row]);
    });

    test('the database refuses a quantity that no movement explains', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 3 });
      const { db } = shared;
      const set = (values: { quantity: number; stock_seq?: number }) =>
        db.change((db) => db.updateTable('items').set(values).where('id', '=', item._id).execute());
      await expect(set({ quantity: 4 })).rejects.toThrow('only with a movement');
      await expect(set({ quantity: 3, stock_seq: 2 })).rejects.toThrow(/foreign key/i);
      await expect(set({ quantity: -1 })).rejects.toThrow(/check/i);
      await expect(
        db.change((db) =>
          db
            .insertInto('stock_movements')
            .values({
              ...aMovement(item._id),
              seq: 2,
              quantity_before: 7,
              delta: 1,
              quantity_after: 8,
            })
            .execute(),
        ),
      ).rejects.toThrow('continues the one before it');
      expect(await itemNow(person, item._id)).toEqual(item);
    });

    test('of changes that share a commit, only the one that breaks a rule fails', async () => {
      const person = await signedInAs(shared);
      const items = await Promise.all([1, 2, 3].map(() => anItem(person, { quantity: 3 })));
      const bad = shared.db
        .change((db) =>
          db
            .updateTable('items')
            .set({ quantity: 9 })
            .where('id', '=', items[0]?._id ?? '')
            .execute(),
        )
        .then(
          () => 'stored',
          () => 'refused',
        );
      const good = items.map((item) => put(person, item._id, '2', { 'stock-base': '3' }));
      expect(await bad).toBe('refused');
      expect((await Promise.all(good)).map((answer) => answer.json<WireItem>().quantity)).toEqual(['2', '2', '2']);
    });
  });

  describe('undo', () => {
    async function delivered(person: Person, quantity = 5) {
      const item = await anItem(person, { quantity });
      const answer = await person.call('POST', `/inventory-items/${item._id}/movements`, {
        body: { kind: 'deliver', units: 2 },
      });
      return { item, movement: answer.json().movement as WireMovement };
    }
    const undo = (person: Person, id: string) => person.call('POST', `/movements/${id}/undo`);

    test('records the opposite movement, which can be undone in turn', async () => {
      const person = await signedInAs(shared);
      const { item, movement } = await delivered(person);
      const first = await undo(person, movement.id);
      expect([first.statusCode, first.json()]).toEqual([
        201,
        {
          movement: expect.objectContaining({ kind: 'undo', delta: 2, undoes: movement.id }),
          item: expect.objectContaining({ quantity: '5' }),
        },
      ]);
      const second = await undo(person, first.json().movement.id);
      expect(second.json().item.quantity).toBe('3');
      const ledger = await ledgerOf(person, item._id);
      expect(ledger.map(({ delta }) => delta)).toEqual([-2, 2, -2, 5]);
      expect(ledger[2]).toMatchObject({ id: movement.id, undoneBy: first.json().movement.id });
    });

    test('succeeds once, even when it is sent to two servers at the same time', async () => {
      const person = await signedInAs(shared);
      const other = await shared.sibling();
      const { item, movement } = await delivered(person);
      const answers = await Promise.all(
        [shared, other, shared, other].map((server: TestApp) =>
          request(server, 'POST', `/movements/${movement.id}/undo`, { headers: { cookie: person.cookie } }),
        ),
      );
      expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409, 409, 409]);
      expect(answers.filter((answer) => answer.statusCode === 409).map((answer) => answer.json().code)).toEqual(
        Array(3).fill('already_undone'),
      );
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('is refused with a reason: too few units left, the item is deleted, opening stock, unknown movement', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 0 });
      const restock = await person.call('POST', `/inventory-items/${item._id}/movements`, {
        body: { kind: 'restock', units: 3 },
      });
      await put(person, item._id, '1', { 'stock-base': '3' });
      expect((await undo(person, restock.json().movement.id)).json()).toMatchObject({
        code: 'out_of_stock',
        onHand: 1,
      });
      const opening = (await ledgerOf(person, item._id)).at(-1);
      expect((await undo(person, opening?.id ?? '')).json().code).toBe('not_undoable');
      await person.call('DELETE', `/inventory-items/${item._id}`);
      expect((await undo(person, restock.json().movement.id)).json().code).toBe('item_deleted');
      expect((await undo(person, randomUUID())).statusCode).toBe(404);
      expect((await undo(person, 'x')).statusCode).toBe(404);
    });

    test('requires a signed-in user', async () => {
      const person = await signedInAs(shared);
      const { movement } = await delivered(person);
      expect((await request(shared, 'POST', `/movements/${movement.id}/undo`)).statusCode).toBe(401);
    });
  });

  describe('concurrent changes', () => {
    test('of 60 people who take one of 20 units on two servers, exactly 20 succeed', async () => {
      const person = await signedInAs(shared);
      const servers = [shared, await shared.sibling()];
      const item = await anItem(person, { quantity: 20 });
      const deliveries = Array.from({ length: 60 }, (_, i) =>
        request(servers[i % 2] ?? shared, 'PUT', `/inventory-items/${item._id}`, {
          body: { quantity: '19' },
          headers: { cookie: person.cookie, 'stock-base': '20', 'idempotency-key': randomUUID() },
        }),
      );
      const codes = (await Promise.all(deliveries)).map((answer) => answer.statusCode);
      expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 409).length]).toEqual([
        20, 40,
      ]);
      expect((await itemNow(person, item._id))?.quantity).toBe('0');
    });

    test('1,280 clicks of 32 people with stale screens on two servers all count exactly once', async () => {
      const clicksEach = 40;
      const servers = [shared, await shared.sibling()];
      const people = await Promise.all(Array.from({ length: 32 }, () => signedInAs(shared)));
      const [first] = people;
      if (!first) throw new Error('there are 32 people');
      const items = await Promise.all([1, 2, 3, 4].map(() => anItem(first, { quantity: 1_000 })));
      let refused = 0;
      await Promise.all(
        people.map(async (person, index) => {
          for (let click = 0; click < clicksEach; click++) {
            const item = items[(index + click) % items.length];
            const base = 1_000 - Math.floor(click / 2);
            const headers = { cookie: person.cookie, 'stock-base': String(base), 'idempotency-key': randomUUID() };
            const body = { quantity: String(base - 1) };
            const url = `/inventory-items/${item?._id}`;
            const server = servers[(index + click) % 2] ?? shared;
            const answer = await request(server, 'PUT', url, { body, headers });
            if (answer.statusCode !== 200) refused++;
            // Every tenth click is sent again, perhaps to the other server, as if its response had been lost.
            if (click % 10 === 0) {
              const retried = await request(servers[index % 2] ?? shared, 'PUT', url, { body, headers });
              expect(retried.body).toBe(answer.body);
            }
          }
        }),
      );
      expect(refused).toBe(0);
      const left = await Promise.all(items.map(async (item) => Number((await itemNow(first, item._id))?.quantity)));
      expect(left.reduce((sum, quantity) => sum + quantity, 0)).toBe(4_000 - 32 * clicksEach);
      await expectLedgerToSum(shared);
    });
  });
});

/** Expects every item to have the quantity that its movements add up to. */
async function expectLedgerToSum({ db }: TestApp): Promise<void> {
  const rows = await db.query
    .selectFrom('items')
    .select((row) => [
      'items.id',
      'items.quantity',
      row
        .selectFrom('stock_movements')
        .whereRef('item_id', '=', 'items.id')
        .select((sum) => sum.fn.sum<number>('delta').as('sum'))
        .as('sum'),
    ])
    .execute();
  expect(rows.filter((row) => row.quantity !== Number(row.sum))).toEqual([]);
}

function aMovement(itemId: string) {
  return {
    id: randomUUID(),
    item_id: itemId,
    kind: 'restock' as const,
    actor_id: 'x',
    actor_name: 'x',
    at: 1,
    note: null,
    reason: null,
    undoes: null,
    batch: null,
    undone_kind: null,
    undone_at: null,
    hash: '',
    house: SHARED_HOUSE,
  };
}
