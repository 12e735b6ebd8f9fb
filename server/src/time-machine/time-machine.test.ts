import { randomUUID } from 'node:crypto';
import type { WireItem } from '@perfume/contract/wire-item';
import { expect, test } from 'vitest';
import type { Db } from '../db/core/database.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { queryRows } from '../db/core/statement.ts';
import { type FieldChange, recordEvent } from '../items/item-events.ts';
import { anItem, deliver, edit, onBothAndKept, signedInAs, type TestApp } from '../testing.ts';
import { eachPageAsOf, figuresAsOf, listAsOf } from './time-machine.store.ts';

onBothAndKept('the time machine', (shared) => {
  test('shows stock, price and name as they were, including items deleted since', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 5, price: 10 });
    const before = await instantBetween();
    await deliver(person, item._id);
    await edit(person, item._id, { price: 99, name: 'Renamed' });
    await person.call('DELETE', `/inventory-items/${item._id}`);
    const then = async (query: string) =>
      (await person.call('GET', `/as-of?at=${before}&q=${item._id}&${query}`)).json<WireItem[]>();
    expect(await then('')).toMatchObject([{ name: item.name, price: 10, quantity: '5' }]);
    expect(await then('stock=low')).toHaveLength(1);
    expect(await then('stock=out')).toHaveLength(0);
    await person.call('POST', `/inventory-items/${item._id}/restore`);
    await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '0' } });
    const empty = await instantBetween();
    for (const [stock, count] of [['low', 1] as const, ['out', 1] as const, ['in', 0] as const]) {
      const answer = await person.call('GET', `/as-of?at=${empty}&q=${item._id}&stock=${stock}`);
      expect([stock, answer.json().length]).toEqual([stock, count]);
    }
    await person.call('DELETE', `/inventory-items/${item._id}`);
    const now = (await person.call('GET', `/as-of?at=${await instantBetween()}&q=${item._id}`)).json();
    expect(now).toEqual([]);
    const start = new Date(Date.parse(item.createdAt) - 1).toISOString();
    expect((await person.call('GET', `/as-of?at=${start}&q=${item._id}`)).json()).toEqual([]);
  });

  test('has the same pages whether its rows were kept or not, in every order', async () => {
    const person = await signedInAs(shared);
    const word = `crowd${randomUUID().slice(0, 8)}`;
    const items = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        anItem(person, {
          name: `${['z', 'a', '~', 'ø', 'œ'][n % 5]}${n % 3} ${word}`,
          price: (n * 7) % 11,
          quantity: (n * 5) % 4,
        }),
      ),
    );
    for (const name of ['ros', 'rose', 'rosewood', 'rosewater', 'rose']) await anItem(person, { name });
    const query = { house: SHARED_HOUSE, at: Date.parse(await instantBetween()), q: null, stock: null };
    const sorts = (['newest', 'name', 'price', 'quantity'] as const).flatMap((sort) => [sort, `-${sort}` as const]);
    const compare = async () => {
      for (const sort of sorts) {
        const searched = await listAsOf(shared.db, { ...query, sort, q: word, limit: 100, skip: 0 });
        const { total } = await listAsOf(shared.db, { ...query, sort, limit: 1, skip: 0 });
        const pages = [];
        for (let skip = 0; skip < total + 7; skip += 7)
          pages.push(...(await listAsOf(shared.db, { ...query, sort, limit: 7, skip })).items);
        expect(new Set(pages.map(({ id }) => id)).size).toBe(total);
        expect([sort, pages.filter(({ name }) => name.includes(word))]).toEqual([sort, searched.items]);
      }
    };
    await compare();
    await deliver(person, items[2]?._id ?? '');
    await edit(person, items[7]?._id ?? '', { price: 500 });
    await edit(person, items[8]?._id ?? '', { name: `m ${word}` });
    await compare();
  });

  test('is exported some items at a time, whose texts may be long', async () => {
    const person = await signedInAs(shared);
    const word = `crowd${randomUUID().slice(0, 8)}`;
    const items = await Promise.all(Array.from({ length: 120 }, () => anItem(person, { name: `Oud ${word}` })));
    const pages: string[][] = [];
    const query = { house: SHARED_HOUSE, at: Date.now(), sort: '-newest', q: word, stock: null } as const;
    for await (const page of eachPageAsOf(shared.db, query)) pages.push(page.map(({ id }) => id));
    expect(pages.map(({ length }) => length)).toEqual([100, 20]);
    expect(pages.flat().toSorted()).toEqual(items.map(({ _id }) => _id).toSorted());
  });

  test('requires a valid instant', async () => {
    const person = await signedInAs(shared);
    for (const query of ['', '?at=', '?at=now', '?at=2026-13-01T00:00:00Z', `?at=${Date.now()}`]) {
      expect((await person.call('GET', `/as-of${query}`)).json()).toMatchObject({ code: 'invalid_query' });
      expect((await person.call('GET', `/as-of/figures${query}`)).json()).toMatchObject({ code: 'invalid_query' });
    }
  });

  test('reads the first edit of each field since the instant and none of those after it', async () => {
    const { itemId, now } = await anEditedItem(shared, 200, (n) => [
      { field: 'description', from: longText(n), to: longText(n + 1) },
      { field: 'priceCents', from: n, to: n + 1 },
    ]);
    const { db, statements, bytesRead } = watched(shared.db);
    const { items } = await listAsOf(db, { ...wholeList, at: now, q: itemId });
    expect(items).toMatchObject([{ id: itemId, description: longText(0), priceCents: 0 }]);
    const earlier = await figuresAsOf(db, SHARED_HOUSE, now - 1);
    const figures = await figuresAsOf(db, SHARED_HOUSE, now);
    expect(figures).toMatchObject({ items: earlier.items + 1, valueCents: earlier.valueCents });
    expect(bytesRead()).toBeLessThan(3 * longText(0).length);
    for (const statement of statements) expect(await scansOfEvents(shared.db, statement)).toEqual([]);
  });

  test('takes each field from its own first edit, and none from a text that looks like an edit', async () => {
    const lookalike = 'an edit of {"field":"name","from":"Nothing"}, as a text';
    const edits: FieldChange[][] = [
      [
        { field: 'reorderPoint', from: null, to: 3 },
        { field: 'email', from: 'first@house.example', to: 'second@house.example' },
      ],
      [{ field: 'description', from: lookalike, to: 'x' }],
      [
        { field: 'email', from: 'second@house.example', to: 'third@house.example' },
        { field: 'name', from: 'First name', to: 'Second name' },
        { field: 'reorderPoint', from: 3, to: null },
      ],
    ];
    const { itemId, now } = await anEditedItem(shared, edits.length, (n) => edits[n] ?? []);
    const at = async (at: number) => (await listAsOf(shared.db, { ...wholeList, at, q: itemId })).items[0];
    const first = { reorderPoint: null, email: 'first@house.example', description: lookalike, name: 'First name' };
    expect(await at(now)).toMatchObject(first);
    expect(await at(now + 1)).toMatchObject({ ...first, reorderPoint: 3, email: 'second@house.example' });
    expect(await at(now + 3)).toMatchObject({ name: "Nuit d'Encre", email: 'atelier@verriere.example' });
  });
});

/** Returns an instant after everything that has happened so far and before everything that happens later. */
async function instantBetween(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 3));
  const at = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 3));
  return at;
}

const wholeList = { house: SHARED_HOUSE, limit: 100, skip: 0, sort: 'newest', stock: null } as const;

const longText = (n: number) => `${n} `.padEnd(15_000, 'a long description ');

/** Creates an item, and edits of it in each of the milliseconds after `now`. */
async function anEditedItem(shared: TestApp, edits: number, changesOf: (n: number) => FieldChange[]) {
  const person = await signedInAs(shared);
  const { _id: itemId, updatedAt } = await anItem(person);
  const now = Date.parse(updatedAt);
  await shared.db.change(async (db) => {
    for (let n = 0; n < edits; n++) {
      const action = { id: randomUUID(), actor: person.user, at: now + n + 1, batch: null, undoes: null };
      await recordEvent(db, action, {
        house: SHARED_HOUSE,
        itemId,
        kind: 'edited',
        at: action.at,
        changes: changesOf(n),
      });
    }
  });
  return { itemId, now };
}

type Statement = { text: string; params: readonly unknown[] };

/**
 * Wraps a database. It remembers the long queries and the size of their rows, and every other query fails, because on
 * SQLite it would block the server.
 */
function watched(db: Db) {
  const statements: Statement[] = [];
  let bytes = 0;
  const longQuery = async <Row>(text: string, params: readonly unknown[]) => {
    statements.push({ text, params });
    const rows = await db.longQuery<Row>(text, params);
    bytes += JSON.stringify(rows).length;
    return rows;
  };
  const query = new Proxy(db.query, {
    get: () => {
      throw new Error('not a long query');
    },
  });
  return { db: { ...db, longQuery, query }, statements, bytesRead: () => bytes };
}

/** The steps of the query plan that read all events, or all events of an item. */
async function scansOfEvents(db: Db, { text, params }: Statement): Promise<string[]> {
  if (db.dialect === 'sqlite') {
    const plan = await db.longQuery<{ detail: string }>(`explain query plan ${text}`, params);
    return plan
      .map(({ detail }) => detail)
      .filter((step) => /^SCAN (item_events|e)\b(?!.*_of_deletion)|item_events_by_/.test(step));
  }
  return db.query.transaction().execute(async (db) => {
    // The table is so small that PostgreSQL would read all of it even with an index.
    await queryRows(db, `select set_config('enable_seqscan', 'off', true)`, []);
    const plan = await queryRows<{ 'QUERY PLAN': string }>(db, `explain ${text}`, params);
    return plan.map((row) => row['QUERY PLAN']).filter((step) => /Seq Scan on item_events|item_events_by_/.test(step));
  });
}
