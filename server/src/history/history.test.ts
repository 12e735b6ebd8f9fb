import { randomUUID } from 'node:crypto';
import type { BulkResult } from '@perfume/contract/bulk';
import { type WireEntry, wireEntry } from '@perfume/contract/history';
import type { WireItem } from '@perfume/contract/wire-item';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { verifyLedger } from '../ledger/verify.ts';
import { anItem, itemNow, onBothDatabases, type Person, signedInAs, type TestApp } from '../testing.ts';

onBothDatabases('the history', (shared) => {
  describe('of an item', () => {
    test('holds every movement, edit, deletion and restoration, newest first, with who and when', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5, price: 10 });
      await deliver(person, item);
      await edit(person, item._id, { price: 12.5 });
      await person.call('DELETE', `/inventory-items/${item._id}`);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      const entries = await historyOf(person, item._id);
      expect(entries.map(({ kind }) => kind)).toEqual(['restored', 'deleted', 'edited', 'deliver', 'opening']);
      for (const entry of entries) {
        expect(z.safeParse(wireEntry, entry).success).toBe(true);
        expect(entry.by).toEqual({ id: person.user.id, name: person.user.name });
        expect(entry.itemName).toBe(item.name);
      }
      expect(entries[2]?.changes).toEqual([{ field: 'price', from: 10, to: 12.5 }]);
      expect(entries[3]).toMatchObject({ delta: -1, quantityAfter: 4 });
    });

    test('is read to its end by pages, none twice and none left out', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 50 });
      for (let n = 0; n < 7; n++) {
        await Promise.all([deliver(person, item), deliver(person, item)]);
        if (n % 2 === 0) await edit(person, item._id, { price: n + 1 });
      }
      const whole = await historyOf(person, item._id);
      expect(whole).toHaveLength(1 + 14 + 4);
      expect(await readByPages(person, `item=${item._id}&limit=3`)).toEqual(whole);
      const mine = await readByPages(person, `by=${person.user.id}&limit=4`);
      expect(new Set(mine.map(({ id }) => id))).toEqual(new Set(whole.map(({ id }) => id)));
    });

    test('is filtered by kind, person and time', async () => {
      const person = await signedInAs(shared);
      const other = await signedInAs(shared);
      const item = await anItem(person, { quantity: 9 });
      await deliver(other, item);
      const kinds = async (query: string) =>
        (await person.call('GET', `/history?item=${item._id}&${query}`)).json<WireEntry[]>().map(({ kind }) => kind);
      expect(await kinds('kind=deliver')).toEqual(['deliver']);
      expect(await kinds('kind=opening')).toEqual(['opening']);
      expect(await kinds('kind=edited')).toEqual([]);
      expect(await kinds(`by=${other.user.id}`)).toEqual(['deliver']);
      expect(await kinds(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
      expect(await kinds(`to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
      const people = (await person.call('GET', '/history/people')).json<{ id: string }[]>().map(({ id }) => id);
      expect(people).toEqual(expect.arrayContaining([person.user.id, other.user.id]));
    });

    test.each(['kind=sold', 'item=7', 'limit=0', 'limit=501', 'from=yesterday', 'cursor=!!', 'cursor=W10'])(
      'a question that makes no sense is refused: %s',
      async (query) => {
        const person = await signedInAs(shared);
        expect((await person.call('GET', `/history?${query}`)).json()).toMatchObject({ code: 'invalid_query' });
      },
    );
  });

  describe('undo', () => {
    test('says beforehand what it will do, then does exactly that', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      await deliver(person, item);
      const entry = await latest(person, item);
      const preview = (await person.call('GET', `/history/${entry.id}/undo`)).json();
      expect(preview).toMatchObject({ possible: true, effect: { kind: 'stock', delta: 1, quantityAfter: 5 } });
      expect(await undo(person, entry.id)).toMatchObject({ entry: { kind: 'undo', delta: 1, undoes: entry.id } });
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
      expect((await person.call('GET', `/history/${entry.id}/undo`)).json()).toMatchObject({
        possible: false,
        code: 'already_undone',
      });
    });

    test('of a creation deletes the item, and undoing that brings it back', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      const opening = await latest(person, item);
      const undone = await undo(person, opening.id);
      expect(undone).toMatchObject({ entry: { kind: 'deleted', undoes: opening.id }, item: null });
      expect(await itemNow(person, item._id)).toBeUndefined();
      const again = await undo(person, undone.entry.id);
      expect(again).toMatchObject({ entry: { kind: 'restored' }, item: { quantity: '5' } });
      const third = await undo(person, again.entry.id);
      expect(third).toMatchObject({ entry: { kind: 'deleted' } });
    });

    test('of a deletion restores, of an edit puts the words back', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      await undo(person, (await latest(person, item)).id);
      expect((await itemNow(person, item._id))?.quantity).toBe(item.quantity);
      await edit(person, item._id, { name: 'Another', price: 3 });
      const edited = await latest(person, item);
      expect((await undo(person, edited.id)).item).toMatchObject({ name: item.name, price: item.price });
      const putBack = await latest(person, item);
      expect((await undo(person, putBack.id)).item).toMatchObject({ name: 'Another', price: 3 });
    });

    test('is refused, with the reason and without a trace, when the units are gone', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 0 });
      await person.call('POST', `/inventory-items/${item._id}/movements`, { body: { kind: 'restock', units: 3 } });
      const restock = await latest(person, item);
      await deliver(person, { ...item, quantity: '3' });
      const preview = (await person.call('GET', `/history/${restock.id}/undo`)).json();
      expect(preview).toMatchObject({ possible: false, code: 'out_of_stock', onHand: 2 });
      const refused = await person.call('POST', `/history/${restock.id}/undo`);
      expect(refused.json()).toMatchObject({ status: 409, code: 'out_of_stock', onHand: 2 });
      expect((await itemNow(person, item._id))?.quantity).toBe('2');
    });

    test('of an edit is refused when somebody has changed the same field again', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await edit(person, item._id, { name: 'Second' });
      const second = await latest(person, item);
      await edit(person, item._id, { name: 'Third' });
      expect((await person.call('POST', `/history/${second.id}/undo`)).json()).toMatchObject({ code: 'changed_since' });
      expect((await itemNow(person, item._id))?.name).toBe('Third');
    });

    test('by two people at once happens once', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      for (const make of [
        () => deliver(person, item),
        () => edit(person, item._id, { name: randomUUID() }),
        () => person.call('DELETE', `/inventory-items/${item._id}`),
      ]) {
        await make();
        const entry = await latest(person, item);
        const answers = await Promise.all([1, 2, 3].map(() => person.call('POST', `/history/${entry.id}/undo`)));
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
      }
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('asked twice under one key is done once and answered alike', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      await deliver(person, item);
      const { id } = await latest(person, item);
      const headers = { 'idempotency-key': randomUUID() };
      const first = await person.call('POST', `/history/${id}/undo`, { headers });
      const second = await person.call('POST', `/history/${id}/undo`, { headers });
      expect(second.body).toBe(first.body);
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('of what never was is not found', async () => {
      const person = await signedInAs(shared);
      for (const id of [randomUUID(), 'x'])
        expect((await person.call('POST', `/history/${id}/undo`)).json().code).toBe('entry_not_found');
    });
  });

  describe('an edit', () => {
    test('of another field than somebody else just edited merges with theirs', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await edit(person, item._id, { name: 'Theirs' }, { name: item.name });
      await edit(person, item._id, { price: 7 }, { price: item.price });
      expect(await itemNow(person, item._id)).toMatchObject({ name: 'Theirs', price: 7 });
    });

    test('of the same field asks, and changes nothing meanwhile', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await edit(person, item._id, { name: 'Theirs' });
      const body = { changes: { name: 'Mine', price: 1 }, seen: { name: item.name, price: item.price } };
      const refused = await person.call('POST', `/inventory-items/${item._id}/edit`, { body });
      expect(refused.json()).toMatchObject({ code: 'edit_conflict', item: { name: 'Theirs' } });
      expect(Object.keys(refused.json().fields)).toEqual(['name']);
      expect(await itemNow(person, item._id)).toMatchObject({ name: 'Theirs', price: item.price });
    });

    test('is found by its new words and no longer by the old ones', async () => {
      const person = await signedInAs(shared);
      const [before, after] = [`Zz${randomUUID()}`, `Yy${randomUUID()}`];
      const item = await anItem(person, { name: before });
      await edit(person, item._id, { name: after });
      const found = async (q: string) =>
        (await person.call('GET', `/all-inventory-items?q=${q}`)).json<WireItem[]>().map(({ _id }) => _id);
      expect(await found(after)).toEqual([item._id]);
      expect(await found(before)).toEqual([]);
    });

    test("sets an item's own reorder point, and gives it back to the warehouse's", async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 20 });
      await edit(person, item._id, { reorderPoint: 25 });
      expect(await itemNow(person, item._id)).toMatchObject({ reorderPoint: 25, lowAt: 25 });
      const low = (await person.call('GET', `/all-inventory-items?stock=low&q=${item._id}`)).json<WireItem[]>();
      expect(low.map(({ _id }) => _id)).toEqual([item._id]);
      await edit(person, item._id, { reorderPoint: null });
      expect(await itemNow(person, item._id)).toMatchObject({ reorderPoint: null, lowAt: 10 });
    });

    test.each([
      { changes: { name: '' } },
      { changes: { price: -1 } },
      { changes: { quantity: '3' } },
      { changes: { reorderPoint: 1.5 } },
      { changes: { reorderPoint: -1 } },
      { changes: { email: 'nobody' } },
      {},
      { changes: {}, by: 'me' },
    ])('that breaks a rule is refused and changes nothing: %j', async (body) => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      expect((await person.call('POST', `/inventory-items/${item._id}/edit`, { body })).statusCode).toBe(422);
      expect(await itemNow(person, item._id)).toEqual(item);
    });
  });

  describe('a bulk action', () => {
    test('does each row by itself and tells which failed and why', async () => {
      const person = await signedInAs(shared);
      const [full, empty] = [await anItem(person, { quantity: 2 }), await anItem(person, { quantity: 0 })];
      const unknown = randomUUID();
      const results = await bulk(person, 'deliver', [full._id, empty._id, unknown]);
      expect(results).toEqual([
        { _id: full._id, ok: true, movementId: expect.any(String) },
        { _id: empty._id, ok: false, code: 'out_of_stock', onHand: 0 },
        { _id: unknown, ok: false, code: 'item_not_found' },
      ]);
      expect((await itemNow(person, full._id))?.quantity).toBe('1');
    });

    test('that names an item twice, or is sent twice, takes one of each', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 9 });
      const headers = { 'idempotency-key': randomUUID() };
      const batch = randomUUID();
      const first = await bulk(person, 'deliver', [item._id, item._id.toUpperCase()], batch, headers);
      expect(await bulk(person, 'deliver', [item._id, item._id.toUpperCase()], batch, headers)).toEqual(first);
      expect((await itemNow(person, item._id))?.quantity).toBe('8');
    });

    test.each(['deliver', 'delete'] as const)(
      '(%s) is undone as one, and the undo is undone as one',
      async (action) => {
        const person = await signedInAs(shared);
        const items = await Promise.all([1, 2, 3].map(() => anItem(person, { quantity: 4 })));
        const now = () => Promise.all(items.map(async ({ _id }) => (await itemNow(person, _id))?.quantity));
        const batch = randomUUID();
        await bulk(
          person,
          action,
          items.map(({ _id }) => _id),
          batch,
        );
        const after = await now();
        const undone = (await person.call('POST', `/batches/${batch}/undo`)).json();
        expect(undone).toMatchObject({ next: null });
        expect(undone.results.every(({ ok }: BulkResult) => ok)).toBe(true);
        expect(await now()).toEqual(['4', '4', '4']);
        await person.call('POST', `/batches/${undone.batch}/undo`);
        expect(await now()).toEqual(after);
      },
    );

    test('that could not be undone whole can be when nothing stands in the way any more, by anybody', async () => {
      const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
      const [x, y] = [await anItem(person, { quantity: 4 }), await anItem(person, { quantity: 4 })];
      const undo = async (by: typeof person, batch: string): Promise<BulkResult[]> =>
        (await by.call('POST', `/batches/${batch}/undo`)).json().results;
      for (const who of [person, other]) {
        const batch = randomUUID();
        await bulk(person, 'deliver', [x._id, y._id], batch);
        await other.call('DELETE', `/inventory-items/${x._id}`);
        const first = await undo(person, batch);
        expect(first.find(({ _id }) => _id === x._id)).toMatchObject({ ok: false, code: 'item_deleted' });
        await other.call('POST', `/inventory-items/${x._id}/restore`);
        const second = await undo(who, batch);
        expect(second.find(({ _id }) => _id === x._id)).toMatchObject({ ok: true });
        expect((await itemNow(person, x._id))?.quantity).toBe('4');
      }
    });

    test('whose undoing was answered into the void is told as undone when asked again, and to others as nothing', async () => {
      const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
      const item = await anItem(person, { quantity: 4 });
      const batch = randomUUID();
      await bulk(person, 'deliver', [item._id], batch);
      const undo = async (by: typeof person) => (await by.call('POST', `/batches/${batch}/undo`)).json();
      const first = await undo(person);
      expect(first.results).toMatchObject([{ _id: item._id, ok: true }]);
      expect(await undo(person)).toEqual(first);
      expect((await undo(other)).results).toEqual([]);
      const found = await other.call('GET', `/batches/${batch}`);
      expect(found.json()).toEqual({ entries: 1, standing: 0, delta: -1 });
      expect((await other.call('GET', `/batches/${randomUUID()}`)).statusCode).toBe(404);
      expect((await itemNow(person, item._id))?.quantity).toBe('4');
    });

    test('of many is counted exactly, and undone portion by portion', async () => {
      const person = await signedInAs(shared);
      const items = await Promise.all(Array.from({ length: 130 }, () => anItem(person, { quantity: 1 })));
      const batch = randomUUID();
      await bulk(
        person,
        'delete',
        items.map(({ _id }) => _id),
        batch,
      );
      const found = async () => (await person.call('GET', `/batches/${batch}`)).json();
      expect(await found()).toEqual({ entries: 130, standing: 130, delta: null });
      const first = (await person.call('POST', `/batches/${batch}/undo`)).json();
      expect(first.results).toHaveLength(100);
      expect(await found()).toEqual({ entries: 130, standing: 30, delta: null });
      const second = (await person.call('POST', `/batches/${batch}/undo?after=${first.next}`)).json();
      expect([second.results.length, second.next]).toEqual([30, null]);
    });

    test.each([
      { action: 'deliver', ids: [], batch: randomUUID() },
      { action: 'sell', ids: [randomUUID()], batch: randomUUID() },
      { action: 'deliver', ids: ['x'], batch: randomUUID() },
      { action: 'deliver', ids: Array.from({ length: 201 }, () => randomUUID()), batch: randomUUID() },
      { action: 'deliver', ids: [randomUUID()] },
    ])('that makes no sense is refused (%#)', async (body) => {
      const person = await signedInAs(shared);
      expect((await person.call('POST', '/bulk', { body })).statusCode).toBe(422);
    });
  });

  describe('the time machine', () => {
    test('shows stock, price and words as they were, and what has been deleted since', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5, price: 10 });
      const before = await clockTick();
      await deliver(person, item);
      await edit(person, item._id, { price: 99, name: 'Renamed' });
      await person.call('DELETE', `/inventory-items/${item._id}`);
      const then = async (query: string) =>
        (await person.call('GET', `/as-of?at=${before}&q=${item._id}&${query}`)).json<WireItem[]>();
      expect(await then('')).toMatchObject([{ name: item.name, price: 10, quantity: '5' }]);
      expect(await then('stock=low')).toHaveLength(1);
      expect(await then('stock=out')).toHaveLength(0);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '0' } });
      const empty = await clockTick();
      for (const [stock, count] of [['low', 1] as const, ['out', 1] as const, ['in', 0] as const]) {
        const answer = await person.call('GET', `/as-of?at=${empty}&q=${item._id}&stock=${stock}`);
        expect([stock, answer.json().length]).toEqual([stock, count]);
      }
      await person.call('DELETE', `/inventory-items/${item._id}`);
      const now = (await person.call('GET', `/as-of?at=${await clockTick()}&q=${item._id}`)).json();
      expect(now).toEqual([]);
      const start = new Date(Date.parse(item.createdAt) - 1).toISOString();
      expect((await person.call('GET', `/as-of?at=${start}&q=${item._id}`)).json()).toEqual([]);
    });

    test('needs an instant, and one that is one', async () => {
      const person = await signedInAs(shared);
      for (const query of ['', '?at=', '?at=now', '?at=2026-13-01T00:00:00Z', `?at=${Date.now()}`]) {
        expect((await person.call('GET', `/as-of${query}`)).json()).toMatchObject({ code: 'invalid_query' });
        expect((await person.call('GET', `/as-of/figures${query}`)).json()).toMatchObject({ code: 'invalid_query' });
      }
    });
  });
});

onBothDatabases('verifying the ledger', (shared) => {
  test('names any flipped bit at its place', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 9 });
    for (let n = 0; n < 4; n++) await deliver(person, item);
    await undo(person, (await latest(person, item)).id);
    expect(await verifyLedger(shared.db.query)).toMatchObject({ broken: null, movements: 6, items: 1 });

    const third = await shared.db.query
      .selectFrom('stock_movements')
      .selectAll()
      .where('item_id', '=', item._id)
      .where('seq', '=', 3)
      .executeTakeFirstOrThrow();
    const flipped: Record<string, string | number> = {
      id: randomUUID(),
      kind: 'restock',
      delta: third.delta - 1,
      quantity_before: third.quantity_before + 1,
      quantity_after: third.quantity_after - 1,
      actor_id: 'somebody',
      actor_name: 'Somebody',
      at: third.at - 1,
      note: 'never said',
      batch: randomUUID(),
      undone_kind: 'deliver',
      undone_at: third.at - 1,
      hash: third.hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    };
    await withoutGuards(shared, async () => {
      for (const [column, value] of Object.entries(flipped)) {
        await write(shared, item._id, 3, column, value);
        const { broken } = await verifyLedger(shared.db.query);
        expect([column, broken?.itemId, broken?.seq]).toEqual([column, item._id, 3]);
        await write(shared, item._id, 3, column, third[column as keyof typeof third]);
      }
      await write(shared, item._id, 6, 'undoes', third.id);
      expect((await verifyLedger(shared.db.query)).broken).toMatchObject({ seq: 6 });
    });
  });
});

/** A forger with the rights of the database's owner: no trigger, no check of sums stands in the way. */
async function withoutGuards({ db }: TestApp, work: () => Promise<void>): Promise<void> {
  const run = (text: string) => db.change(async (db) => void (await sql.raw(text).execute(db)));
  if (db.dialect === 'postgres') {
    await run('alter table stock_movements disable trigger user');
    const checks = await sql<{ conname: string }>`select conname from pg_constraint
      where conrelid = 'stock_movements'::regclass and contype in ('c', 'f')`.execute(db.query);
    for (const { conname } of checks.rows) await run(`alter table stock_movements drop constraint "${conname}"`);
  } else {
    await run('drop trigger stock_movements_are_never_changed');
    await run('pragma ignore_check_constraints = on');
  }
  await work();
}

async function write({ db }: TestApp, itemId: string, seq: number, column: string, value: unknown): Promise<void> {
  await db.change(async (db) => {
    await sql`update stock_movements set ${sql.ref(column)} = ${value} where item_id = ${itemId} and seq = ${seq}`.execute(
      db,
    );
  });
}

async function deliver(person: Person, item: Pick<WireItem, '_id' | 'quantity'>): Promise<void> {
  const answer = await person.call('PUT', `/inventory-items/${item._id}`, {
    body: { quantity: String(Number(item.quantity) - 1) },
    headers: { 'stock-base': item.quantity, 'idempotency-key': randomUUID() },
  });
  expect(answer.statusCode).toBe(200);
}

async function edit(person: Person, id: string, changes: object, seen?: object): Promise<void> {
  const body = { changes, ...(seen && { seen }) };
  expect((await person.call('POST', `/inventory-items/${id}/edit`, { body })).statusCode).toBe(200);
}

async function bulk(
  person: Person,
  action: string,
  ids: string[],
  batch: string = randomUUID(),
  headers: Record<string, string> = {},
): Promise<BulkResult[]> {
  const answer = await person.call('POST', '/bulk', { body: { batch, action, ids }, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json().results;
}

async function historyOf(person: Person, itemId: string): Promise<WireEntry[]> {
  return (await person.call('GET', `/history?item=${itemId}&limit=500`)).json();
}

async function latest(person: Person, item: { _id: string }): Promise<WireEntry> {
  const [entry] = await historyOf(person, item._id);
  if (!entry) throw new Error('the item has no history');
  return entry;
}

async function undo(person: Person, id: string): Promise<{ entry: WireEntry; item: WireItem | null }> {
  const answer = await person.call('POST', `/history/${id}/undo`);
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

async function readByPages(person: Person, query: string): Promise<WireEntry[]> {
  const entries: WireEntry[] = [];
  let next: string | undefined = `/history?${query}`;
  while (next) {
    const answer = await person.call('GET', next);
    entries.push(...answer.json<WireEntry[]>());
    next = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1];
  }
  return entries;
}

/** An instant that everything before it is before, and everything after it after. */
async function clockTick(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 3));
  const at = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 3));
  return at;
}
