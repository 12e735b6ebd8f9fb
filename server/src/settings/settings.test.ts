import { wireSettings } from '@perfume/contract/settings';
import { LOW_STOCK_AT } from '@perfume/domain/stock-level';
import { describe, expect, test } from 'vitest';
import { anItem, edit, itemNow, onBothDatabases, type Person, request, signedInAs } from '../testing.ts';
import { propagateReorderPoint } from './settings.store.ts';

onBothDatabases('settings', (shared) => {
  const settings = async (person: Person) => wireSettings.parse((await person.call('GET', '/settings')).json());
  const save = (person: Person, body: unknown) => person.call('PUT', '/settings', { body });

  test("start with the default reorder point and a daily email about one's own items", async () => {
    const person = await signedInAs(shared);
    expect(await settings(person)).toEqual({
      reorderPoint: LOW_STOCK_AT,
      alerts: { mail: 'daily', about: 'mine' },
    });
  });

  test('can be changed in part; email choices are per user, the reorder point is for everyone', async () => {
    const [one, two] = [await signedInAs(shared), await signedInAs(shared)];
    await save(one, { alerts: { mail: 'at_once' } });
    await save(one, { alerts: { about: 'all' } });
    const answer = await save(one, { reorderPoint: 25 });
    expect(answer.json()).toEqual({ reorderPoint: 25, alerts: { mail: 'at_once', about: 'all' } });
    expect(await settings(one)).toEqual(answer.json());
    expect(await settings(two)).toEqual({ reorderPoint: 25, alerts: { mail: 'daily', about: 'mine' } });
    await save(one, { reorderPoint: LOW_STOCK_AT });
    expect((await save(one, {})).json()).toMatchObject({ reorderPoint: LOW_STOCK_AT, alerts: { mail: 'at_once' } });
  });

  test.each([
    ['an unknown field', { theme: 'dark' }, ['theme']],
    ['an unknown choice', { alerts: { mail: 'hourly' } }, ['alerts.mail']],
    ['a fraction of a unit', { reorderPoint: 1.5 }, ['reorderPoint']],
    ['a negative number', { reorderPoint: -1 }, ['reorderPoint']],
    ['a number above the maximum', { reorderPoint: 1_000_000_001 }, ['reorderPoint']],
    ['a text', { reorderPoint: '10' }, ['reorderPoint']],
    ['null', { reorderPoint: null }, ['reorderPoint']],
    ['two faults', { reorderPoint: -1, alerts: { about: 'some' } }, ['reorderPoint', 'alerts.about']],
  ])('refuse %s and stay unchanged', async (_, body, fields) => {
    const person = await signedInAs(shared);
    const before = await settings(person);
    const answer = await save(person, body);
    expect([answer.statusCode, answer.json().code]).toEqual([422, 'invalid_input']);
    expect(Object.keys(answer.json().fields)).toEqual(fields);
    expect(await settings(person)).toEqual(before);
  });

  test.each(['GET', 'PUT'] as const)('require a verified user: %s', async (method) => {
    const unverified = await signedInAs(shared, undefined, { verified: false });
    const body = method === 'PUT' ? { body: { reorderPoint: 99 } } : {};
    expect((await request(shared, method, '/settings', body)).statusCode).toBe(401);
    expect((await unverified.call(method, '/settings', body)).json().code).toBe('email_not_verified');
  });

  describe("the warehouse's reorder point", () => {
    test('applies to every item without its own, also deleted ones, with one event for the lists', async () => {
      const person = await signedInAs(shared);
      const [own, follows, deleted] = [await anItem(person), await anItem(person), await anItem(person)];
      await edit(person, own._id, { reorderPoint: 3 });
      await person.call('DELETE', `/inventory-items/${deleted._id}`);
      const [edited, before] = [await itemNow(person, own._id), await itemNow(person, follows._id)];
      const changes = await countChanges();
      await save(person, { reorderPoint: 42 });
      expect(await itemNow(person, own._id)).toEqual(edited);
      const after = await itemNow(person, follows._id);
      // The item has a new version because its response changed, and its old time because nobody changed the item.
      expect(after).toEqual({ ...before, lowAt: 42, version: (before?.version ?? 0) + 1 });
      expect(await countChanges()).toBe(changes + 1);
      await save(person, { reorderPoint: 42 });
      expect(await countChanges()).toBe(changes + 1);
      expect((await person.call('POST', `/inventory-items/${deleted._id}/restore`)).json().lowAt).toBe(42);
      expect((await anItem(person)).lowAt).toBe(42);
      const low = await person.call('GET', '/all-inventory-items?stock=low&limit=200');
      expect(low.json().map(({ _id }: { _id: string }) => _id)).toContain(follows._id);
      await save(person, { reorderPoint: LOW_STOCK_AT });
    });

    test('applies to an item that is created at the same moment', async () => {
      const person = await signedInAs(shared);
      const other = await shared.sibling();
      for (const reorderPoint of [31, 32, 33, 34]) {
        const creating = Array.from({ length: 12 }, () => anItem(person));
        const headers = { cookie: person.cookie };
        const saving = request(other, 'PUT', '/settings', { body: { reorderPoint }, headers });
        const [answer, ...items] = await Promise.all([saving, ...creating]);
        expect(answer.statusCode).toBe(200);
        const now = await Promise.all(items.map((item) => itemNow(person, item._id)));
        expect(now.map((item) => item?.lowAt)).toEqual(items.map(() => reorderPoint));
      }
    });

    test('is applied in batches, and any server continues where another stopped', async () => {
      const person = await signedInAs(shared);
      const [first, last] = [await anItem(person), await anItem(person)];
      const own = await anItem(person);
      await edit(person, own._id, { reorderPoint: 3 });
      // As if thousands of items had been created in between.
      await shared.db.change((db) => db.updateTable('items').set({ num: 9_000 }).where('id', '=', last._id).execute());
      const before = await countChanges();
      await shared.db.change(async (db) => {
        await db
          .insertInto('settings')
          .values({ name: 'reorderPoint', value: '77' })
          .onConflict((row) => row.column('name').doUpdateSet({ value: '77' }))
          .execute();
        await db.insertInto('settings').values({ name: 'followReorderPoint', value: '0-9000' }).execute();
      });
      const other = await shared.sibling();
      await Promise.all([propagateReorderPoint(shared.db, Date.now()), propagateReorderPoint(other.db, Date.now())]);
      const now = await Promise.all([first, last, own].map((item) => itemNow(person, item._id)));
      expect(now.map((item) => item?.lowAt)).toEqual([77, 77, 3]);
      expect(now[1]?.version).toBe(last.version + 1);
      expect(await countChanges()).toBe(before + 1);
      await save(person, { reorderPoint: LOW_STOCK_AT });
      await expect.poll(async () => (await itemNow(person, last._id))?.lowAt).toBe(LOW_STOCK_AT);
    });
  });

  async function countChanges(): Promise<number> {
    return (await shared.db.query.selectFrom('changes').select('seq').execute()).length;
  }
});
