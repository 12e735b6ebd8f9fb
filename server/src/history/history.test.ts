import { randomUUID } from 'node:crypto';
import { type WireEntry, wireEntry } from '@perfume/contract/history';
import type { WireItem } from '@perfume/contract/wire-item';
import { personMark } from '@perfume/domain/person-mark';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { anItem, deliver, edit, itemNow, onBothDatabases, type Person, readPages, signedInAs } from '../testing.ts';

onBothDatabases('the history', (shared) => {
  describe('of an item', () => {
    test('holds every movement, edit, deletion and restoration, newest first, with who and when', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5, price: 10 });
      await deliver(person, item._id);
      await edit(person, item._id, { price: 12.5 });
      await person.call('DELETE', `/inventory-items/${item._id}`);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      const entries = await historyOf(person, item._id);
      expect(entries.map(({ kind }) => kind)).toEqual(['restored', 'deleted', 'edited', 'deliver', 'opening']);
      for (const entry of entries) {
        expect(z.safeParse(wireEntry, entry).success).toBe(true);
        expect(entry.by).toEqual({
          id: person.user.id,
          name: person.user.name,
          isFormerMember: false,
          mark: personMark(person.user.id),
        });
        expect(entry.itemName).toBe(item.name);
      }
      expect(entries[2]?.changes).toEqual([{ field: 'price', from: 10, to: 12.5 }]);
      expect(entries[3]).toMatchObject({ delta: -1, quantityAfter: 4 });
    });

    test('is paged without duplicates or gaps', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 50 });
      for (let n = 0; n < 7; n++) {
        await Promise.all([deliver(person, item._id), deliver(person, item._id)]);
        if (n % 2 === 0) await edit(person, item._id, { price: n + 1 });
      }
      const entries = await historyOf(person, item._id);
      expect(entries).toHaveLength(1 + 14 + 4);
      expect(await readPages(person, `/history?item=${item._id}&limit=3`)).toEqual(entries);
      const mine = await readPages<WireEntry>(person, `/history?by=${person.user.id}&limit=4`);
      expect(new Set(mine.map(({ id }) => id))).toEqual(new Set(entries.map(({ id }) => id)));
    });

    test('ends a page early when its texts are long, and the next one goes on', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 500 });
      const texts = Array.from({ length: 120 }, (_, n) => `${n} `.padEnd(5_000, 'iris '));
      for (const [n, description] of texts.entries()) {
        await edit(person, item._id, { description: description.trim() });
        if (n % 10 === 0) await deliver(person, item._id);
      }
      const path = `/history?item=${item._id}&limit=500`;
      const first = await person.call('GET', path);
      expect(first.body.length).toBeGreaterThan(900_000);
      expect(first.body.length).toBeLessThan(1_200_000);
      const entries = await readPages<WireEntry>(person, path);
      expect(entries).toHaveLength(1 + 120 + 12);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(1 + 120 + 12);
      expect(entries).toEqual(entries.toSorted((a, b) => b.at.localeCompare(a.at)));
      expect(entries).toEqual(await readPages(person, `/history?item=${item._id}&limit=20`));
      // Nor are texts read that the page does not show, except for a few.
      const long = vi.spyOn(shared.db, 'longQuery');
      await person.call('GET', `${path}&kind=edited`);
      const read = (await Promise.all(long.mock.results.map(({ value }) => value))).flat();
      expect(read.length).toBeLessThan(110);
      long.mockRestore();
    });

    test('is filtered by kind, reason, person and time', async () => {
      const person = await signedInAs(shared);
      const other = await signedInAs(shared);
      const item = await anItem(person, { quantity: 9 });
      await deliver(other, item._id);
      const kinds = async (query: string) =>
        (await person.call('GET', `/history?item=${item._id}&${query}`)).json<WireEntry[]>().map(({ kind }) => kind);
      expect(await kinds('kind=deliver')).toEqual(['deliver']);
      expect(await kinds('kind=opening')).toEqual(['opening']);
      expect(await kinds('kind=edited')).toEqual([]);
      const body = { quantity: 6, reason: 'tester' };
      await person.call('PUT', `/inventory-items/${item._id}`, { body, headers: { 'stock-base': '8' } });
      expect(await kinds('reason=tester')).toEqual(['correction']);
      expect(await kinds('kind=correction&reason=theft')).toEqual([]);
      expect(await kinds(`by=${other.user.id}`)).toEqual(['deliver']);
      expect(await kinds(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
      expect(await kinds(`to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
      const people = (await person.call('GET', '/history/people')).json<{ id: string }[]>().map(({ id }) => id);
      expect(people).toEqual(expect.arrayContaining([person.user.id, other.user.id]));
    });

    test('asks the connections of long queries for what no index holds', async () => {
      const person = await signedInAs(shared);
      const long = vi.spyOn(shared.db, 'longQuery');
      const { id } = person.user;
      const item = randomUUID();
      const isLong = async (query: string) => {
        long.mockClear();
        expect((await person.call('GET', `/history?${query}`)).statusCode).toBe(200);
        return long.mock.calls.length > 0;
      };
      for (const query of ['', `by=${id}`, `item=${item}`, 'kind=restock', 'reason=theft', 'to=2026-01-01T00:00:00Z'])
        expect([query, await isLong(query)]).toEqual([query, false]);
      for (const query of [
        `by=${id}&kind=restock`,
        `by=${id}&item=${item}`,
        `item=${item}&to=2026-01-01T00:00:00Z`,
        'kind=deliver',
        'kind=restored',
      ])
        expect([query, await isLong(query)]).toEqual([query, true]);
      long.mockRestore();
    });

    test.each([
      'kind=sold',
      'reason=sold',
      'item=7',
      'limit=0',
      'limit=501',
      'from=yesterday',
      'by=%00',
      'cursor=!!',
      'cursor=W10',
    ])('refuses an invalid query: %s', async (query) => {
      const person = await signedInAs(shared);
      expect((await person.call('GET', `/history?${query}`)).json()).toMatchObject({ code: 'invalid_query' });
    });
  });

  describe('undo', () => {
    test('does exactly what its preview shows', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      await deliver(person, item._id);
      const entry = await latestEntry(person, item);
      const preview = (await person.call('GET', `/history/${entry.id}/undo`)).json();
      expect(preview).toMatchObject({ possible: true, effect: { kind: 'stock', delta: 1, quantityAfter: 5 } });
      expect(await undo(person, entry.id)).toMatchObject({ entry: { kind: 'undo', delta: 1, undoes: entry.id } });
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
      expect((await person.call('GET', `/history/${entry.id}/undo`)).json()).toMatchObject({
        possible: false,
        code: 'already_undone',
      });
    });

    test('of a creation deletes the item, and can be undone in turn', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      const opening = await latestEntry(person, item);
      const undone = await undo(person, opening.id);
      expect(undone).toMatchObject({ entry: { kind: 'deleted', undoes: opening.id }, item: null });
      expect(await itemNow(person, item._id)).toBeUndefined();
      const again = await undo(person, undone.entry.id);
      expect(again).toMatchObject({ entry: { kind: 'restored' }, item: { quantity: '5' } });
      const third = await undo(person, again.entry.id);
      expect(third).toMatchObject({ entry: { kind: 'deleted' } });
    });

    test('of a deletion restores the item, and of an edit its old values', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      await undo(person, (await latestEntry(person, item)).id);
      expect((await itemNow(person, item._id))?.quantity).toBe(item.quantity);
      await edit(person, item._id, { name: 'Another', price: 3 });
      const edited = await latestEntry(person, item);
      expect((await undo(person, edited.id)).item).toMatchObject({ name: item.name, price: item.price });
      const undoOfEdit = await latestEntry(person, item);
      expect((await undo(person, undoOfEdit.id)).item).toMatchObject({ name: 'Another', price: 3 });
    });

    test('is refused with the reason, and changes nothing, when too few units are left', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 0 });
      await person.call('POST', `/inventory-items/${item._id}/movements`, { body: { kind: 'restock', units: 3 } });
      const restock = await latestEntry(person, item);
      await deliver(person, item._id);
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
      const second = await latestEntry(person, item);
      await edit(person, item._id, { name: 'Third' });
      expect((await person.call('POST', `/history/${second.id}/undo`)).json()).toMatchObject({ code: 'changed_since' });
      expect((await itemNow(person, item._id))?.name).toBe('Third');
    });

    test('of one entry sent three times at once succeeds once', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      for (const change of [
        () => deliver(person, item._id),
        () => edit(person, item._id, { name: randomUUID() }),
        () => person.call('DELETE', `/inventory-items/${item._id}`),
      ]) {
        await change();
        const entry = await latestEntry(person, item);
        const answers = await Promise.all([1, 2, 3].map(() => person.call('POST', `/history/${entry.id}/undo`)));
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
      }
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('sent twice with the same key happens once and gets the same response', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5 });
      await deliver(person, item._id);
      const { id } = await latestEntry(person, item);
      const headers = { 'idempotency-key': randomUUID() };
      const first = await person.call('POST', `/history/${id}/undo`, { headers });
      const second = await person.call('POST', `/history/${id}/undo`, { headers });
      expect(second.body).toBe(first.body);
      expect((await itemNow(person, item._id))?.quantity).toBe('5');
    });

    test('cannot be diverted: no entry gets the id of another', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 5, price: 10 });
      const keyOf = (id: string) => ({ headers: { 'idempotency-key': id } });
      await edit(person, item._id, { price: 12 });
      const edited = await latestEntry(person, item);
      const move = { body: { kind: 'deliver', units: 1 }, ...keyOf(edited.id) };
      expect((await person.call('POST', `/inventory-items/${item._id}/movements`, move)).json().code).toBe(
        'key_reused',
      );

      await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '4' } });
      const counted = await latestEntry(person, item);
      const change = { body: { changes: { price: 14 } }, ...keyOf(counted.id) };
      expect((await person.call('POST', `/inventory-items/${item._id}/edit`, change)).json().code).toBe('key_reused');

      await undo(person, edited.id);
      expect(await itemNow(person, item._id)).toMatchObject({ quantity: '4', price: 10 });
    });

    test('of an unknown entry is a 404', async () => {
      const person = await signedInAs(shared);
      for (const id of [randomUUID(), 'x'])
        expect((await person.call('POST', `/history/${id}/undo`)).json().code).toBe('entry_not_found');
    });
  });
});

async function historyOf(person: Person, itemId: string): Promise<WireEntry[]> {
  return (await person.call('GET', `/history?item=${itemId}&limit=500`)).json();
}

async function latestEntry(person: Person, item: { _id: string }): Promise<WireEntry> {
  const [entry] = await historyOf(person, item._id);
  if (!entry) throw new Error('the item has no history');
  return entry;
}

async function undo(person: Person, id: string): Promise<{ entry: WireEntry; item: WireItem | null }> {
  const answer = await person.call('POST', `/history/${id}/undo`);
  expect(answer.statusCode).toBe(201);
  return answer.json();
}
