import { randomUUID } from 'node:crypto';
import { toWireMovement, type WireMovement } from '@perfume/contract/ledger';
import { toWire, type WireItem } from '@perfume/contract/wire-item';
import { describe, expect, test } from 'vitest';
import { selectItem } from '../items/items.store.ts';
import { aNewItem, anItem, edit, itemNow, onBothDatabases, type Person, signedInAs } from '../testing.ts';
import type { Recorded } from './movement-request.ts';
import { verifyLedger } from './verify.ts';

// PostgreSQL writes creations and differences that have an idempotency key in batches. Without a key, and on SQLite,
// each is a transaction of its own. A test here fails if one of these paths forgets a column.
onBothDatabases('every write path', (shared) => {
  const withKey = () => ({ 'idempotency-key': randomUUID() });

  async function storedResponse(key: string | undefined): Promise<Recorded> {
    const { outcome } = await shared.db.query
      .selectFrom('answers')
      .select('outcome')
      .where('key', '=', key ?? '')
      .executeTakeFirstOrThrow();
    return JSON.parse(outcome);
  }

  async function create(person: Person, headers: Record<string, string>): Promise<WireItem> {
    const answer = await person.call('POST', '/new-inventory-item', { body: aNewItem(), headers });
    expect(answer.statusCode).toBe(201);
    return answer.json();
  }

  /** The latest rows of an item, without the values that differ from item to item. */
  async function rowsOf(itemId: string) {
    const { query } = shared.db;
    const [item] = await selectItem(query, itemId);
    const movement = await query
      .selectFrom('stock_movements')
      .selectAll()
      .where('item_id', '=', itemId)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    const search = await query
      .selectFrom('item_search')
      .select('text')
      .where('rowid', '=', item?.num ?? 0)
      .executeTakeFirstOrThrow();
    const change = await query
      .selectFrom('changes')
      .select(['kind', 'at'])
      .where('item_id', '=', itemId)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(movement).toMatchObject({ hash: item?.ledger_hash, at: item?.updated_at });
    expect(change.at).toBe(item?.updated_at);
    return {
      item: { ...item, id: '', num: 0, created_at: 0, updated_at: 0, ledger_hash: '' },
      movement: { ...movement, id: '', item_id: '', at: 0, hash: '' },
      search: search.text.replace(itemId, ''),
      change: change.kind,
    };
  }

  describe('creating an item', () => {
    test.each([
      ['with a key', withKey],
      ['without a key', () => ({})],
    ])('%s returns what is read afterwards', async (_, headers) => {
      const person = await signedInAs(shared);
      const created = await create(person, headers());
      expect(created).toStrictEqual(await itemNow(person, created._id));
    });

    test('stores the response it sends', async () => {
      const person = await signedInAs(shared);
      const headers = withKey();
      const created = await create(person, headers);
      const stored = await storedResponse(headers['idempotency-key']);
      expect(toWire(stored.item)).toStrictEqual(created);
      expect(Object.keys(stored)).toStrictEqual(['ok', 'item']);
    });

    test('writes the same rows alone and in a batch', async () => {
      const person = await signedInAs(shared);
      const alone = await create(person, {});
      const batched = await Promise.all([1, 2, 3].map(() => create(person, withKey())));
      const expected = await rowsOf(alone._id);
      for (const { _id } of batched) expect(await rowsOf(_id)).toStrictEqual(expected);
    });
  });

  describe('changing stock', () => {
    /** Creates an item without null fields, so that a test notices a field that a write path forgets. */
    async function anEditedItem(person: Person): Promise<WireItem> {
      const { _id } = await anItem(person, { quantity: 9 });
      const edited = await edit(person, _id, { reorderPoint: 3, name: 'Edited' });
      expect(edited).toStrictEqual(await itemNow(person, _id));
      return edited;
    }

    async function deliver(person: Person, itemId: string, headers: Record<string, string>) {
      const body = { kind: 'deliver', units: 2, note: 'by courier' };
      const answer = await person.call('POST', `/inventory-items/${itemId}/movements`, { body, headers });
      expect(answer.statusCode).toBe(201);
      return answer.json<{ item: WireItem; movement: WireMovement }>();
    }

    async function correct(person: Person, itemId: string, headers: Record<string, string>) {
      const body = { kind: 'correction', units: -2, reason: 'tester', note: 'for the counter' };
      const answer = await person.call('POST', `/inventory-items/${itemId}/movements`, { body, headers });
      expect(answer.statusCode).toBe(201);
      return answer.json<{ item: WireItem; movement: WireMovement }>();
    }

    async function latestMovement(person: Person, itemId: string): Promise<WireMovement | undefined> {
      return (await person.call('GET', `/inventory-items/${itemId}/movements?limit=1`)).json<WireMovement[]>()[0];
    }

    test.each([
      ['with a key', withKey],
      ['without a key', () => ({})],
    ])('%s returns what is read afterwards', async (_, headers) => {
      const person = await signedInAs(shared);
      const { _id } = await anEditedItem(person);
      const delivered = await deliver(person, _id, headers());
      expect(delivered.item).toStrictEqual(await itemNow(person, _id));
      expect(delivered.movement).toStrictEqual(await latestMovement(person, _id));
    });

    test('stores the response it sends', async () => {
      const person = await signedInAs(shared);
      const { _id } = await anEditedItem(person);
      const headers = withKey();
      const { item, movement } = await deliver(person, _id, headers);
      const stored = await storedResponse(headers['idempotency-key']);
      expect(toWire(stored.item)).toStrictEqual(item);
      expect(stored.movement && toWireMovement(stored.movement)).toStrictEqual(movement);
      expect(Object.keys(stored)).toStrictEqual(['ok', 'item', 'movement']);
    });

    test('stores the response to a count, which is never batched', async () => {
      const person = await signedInAs(shared);
      const { _id } = await anEditedItem(person);
      const headers = withKey();
      const counted = await person.call('PUT', `/inventory-items/${_id}`, { body: { quantity: 4 }, headers });
      const stored = await storedResponse(headers['idempotency-key']);
      expect(toWire(stored.item)).toStrictEqual(counted.json());
      expect(counted.json()).toStrictEqual(await itemNow(person, _id));
      expect(stored.movement && toWireMovement(stored.movement)).toStrictEqual(await latestMovement(person, _id));
    });

    test('writes the same rows alone and in a batch', async () => {
      const person = await signedInAs(shared);
      const items = await Promise.all([1, 2, 3, 4].map(() => anEditedItem(person)));
      const [alone, ...batched] = items.map(({ _id }) => _id);
      await deliver(person, alone ?? '', {});
      await Promise.all(batched.map((id) => deliver(person, id, withKey())));
      const expected = await rowsOf(alone ?? '');
      for (const id of batched) expect(await rowsOf(id)).toStrictEqual(expected);
    });

    test('records the reason of a correction alone and in a batch, and the hash covers it', async () => {
      const person = await signedInAs(shared);
      const items = await Promise.all([1, 2, 3].map(() => anEditedItem(person)));
      const [alone, ...batched] = items.map(({ _id }) => _id);
      await correct(person, alone ?? '', {});
      await Promise.all(batched.map((id) => correct(person, id, withKey())));
      const expected = await rowsOf(alone ?? '');
      expect(expected.movement).toMatchObject({ kind: 'correction', reason: 'tester', note: 'for the counter' });
      for (const id of batched) expect(await rowsOf(id)).toStrictEqual(expected);
      expect((await verifyLedger(shared.db.query)).broken).toBeNull();
    });
  });
});
