import { randomUUID } from 'node:crypto';
import { wireSettings } from '@perfume/contract/settings';
import { LOW_STOCK_AT } from '@perfume/domain/stock-level';
import { describe, expect, test } from 'vitest';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { BUDGETS } from '../http/budgets.ts';
import { propagateReorderPoint } from '../items/reorder-point.store.ts';
import { anItem, edit, itemNow, onBothDatabases, type Person, request, signedInAs } from '../testing.ts';

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
    const { entryId, ...saved } = answer.json();
    expect(saved).toEqual({ reorderPoint: 25, alerts: { mail: 'at_once', about: 'all' } });
    expect(entryId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await settings(one)).toEqual(saved);
    expect(await settings(two)).toEqual({ reorderPoint: 25, alerts: { mail: 'daily', about: 'mine' } });
    await save(one, { reorderPoint: LOW_STOCK_AT });
    const unchanged = { reorderPoint: LOW_STOCK_AT, alerts: { mail: 'at_once' }, entryId: null };
    expect((await save(one, {})).json()).toMatchObject(unchanged);
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

  describe("a change of the warehouse's reorder point", () => {
    const newest = async (person: Person, query = '') =>
      (await person.call('GET', `/history?limit=1${query}`)).json()[0];
    const undo = (person: Person, id: string, key?: string) =>
      person.call('POST', `/history/${id}/undo`, key ? { headers: { 'idempotency-key': key } } : {});
    const isLow = async (person: Person, id: string) => {
      const low = (await person.call('GET', '/all-inventory-items?stock=low&limit=200')).json<{ _id: string }[]>();
      return low.some(({ _id }) => _id === id);
    };

    test('is an entry of the history, which can be undone, and the undo as well', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 15 });
      const { entryId } = (await save(person, { reorderPoint: 20 })).json();
      const by = { id: person.user.id, name: person.user.name };
      const changes = [{ field: 'reorderPoint', from: LOW_STOCK_AT, to: 20 }];
      const entry = { id: entryId, kind: 'settings', itemId: null, itemName: null, changes, by, undoneBy: null };
      for (const query of ['', '&kind=settings', `&by=${person.user.id}`])
        expect(await newest(person, query)).toMatchObject(entry);
      expect((await person.call('GET', `/history?item=${item._id}`)).json()).toMatchObject([{ kind: 'opening' }]);
      expect((await person.call('GET', '/history/people')).json()).toContainEqual(expect.objectContaining(by));
      expect(await isLow(person, item._id)).toBe(true);

      const preview = await person.call('GET', `/history/${entryId}/undo`);
      const back = [{ field: 'reorderPoint', from: 20, to: LOW_STOCK_AT }];
      expect(preview.json()).toMatchObject({ possible: true, effect: { kind: 'settings', changes: back } });
      const key = randomUUID();
      const undone = await undo(person, entryId, key);
      expect(undone.json()).toMatchObject({ entry: { id: key, undoes: entryId, changes: back }, item: null });
      expect((await undo(person, entryId, key)).json()).toEqual(undone.json());
      expect([(await settings(person)).reorderPoint, await isLow(person, item._id)]).toEqual([LOW_STOCK_AT, false]);
      expect((await undo(person, entryId)).json()).toMatchObject({ status: 409, code: 'already_undone' });

      const redone = (await undo(person, key)).json();
      expect([(await settings(person)).reorderPoint, await isLow(person, item._id)]).toEqual([20, true]);
      await save(person, { reorderPoint: LOW_STOCK_AT });
      expect((await undo(person, redone.entry.id)).json()).toMatchObject({ status: 409, code: 'changed_since' });
      const refused = await person.call('GET', `/history/${redone.entry.id}/undo`);
      expect(refused.json()).toMatchObject({ possible: false, code: 'changed_since' });
    });

    test('is not recorded when the point stays the same, nor for email choices, nor twice for one key', async () => {
      const person = await signedInAs(shared);
      const key = randomUUID();
      const headers = { 'idempotency-key': key };
      const saveOnce = () => person.call('PUT', '/settings', { body: { reorderPoint: 11 }, headers });
      const first = await saveOnce();
      await save(person, { reorderPoint: LOW_STOCK_AT });
      expect((await saveOnce()).json()).toEqual(first.json());
      await save(person, { reorderPoint: LOW_STOCK_AT, alerts: { mail: 'off' } });
      const mine = (await person.call('GET', `/history?by=${person.user.id}`)).json<
        { id: string; changes: unknown }[]
      >();
      expect(mine.map(({ changes }) => changes)).toEqual([
        [{ field: 'reorderPoint', from: 11, to: LOW_STOCK_AT }],
        [{ field: 'reorderPoint', from: LOW_STOCK_AT, to: 11 }],
      ]);
      expect(mine[1]?.id).toBe(key);
    });

    test('has an id that no movement, edit or other change can take', async () => {
      const person = await signedInAs(shared);
      const { _id: id } = await anItem(person);
      const { entryId } = (await save(person, { reorderPoint: 12 })).json();
      const headers = { 'idempotency-key': entryId as string };
      const movement = { body: { kind: 'deliver', units: 1 }, headers };
      const taken = [
        await person.call('POST', `/inventory-items/${id}/movements`, movement),
        await person.call('POST', `/inventory-items/${id}/edit`, { body: { changes: { price: 1 } }, headers }),
        await person.call('PUT', '/settings', { body: { reorderPoint: 13 }, headers: { 'idempotency-key': id } }),
      ];
      expect(taken.map((answer) => answer.json().code)).toEqual(taken.map(() => 'key_reused'));
      await save(person, { reorderPoint: LOW_STOCK_AT });
    });

    test('changes the ETag of an item that follows it, and no If-Match', async () => {
      const person = await signedInAs(shared);
      const { _id: id } = await anItem(person);
      const read = (headers = {}) => person.call('GET', `/manage-inventory?_id=${id}`, { headers });
      const before = String((await read()).headers.etag);
      expect((await read({ 'if-none-match': before })).statusCode).toBe(304);
      await save(person, { reorderPoint: 14 });
      expect((await read({ 'if-none-match': before })).json()).toMatchObject([{ lowAt: 14 }]);
      const put = { body: { quantity: '3' }, headers: { 'if-match': before } };
      expect((await person.call('PUT', `/inventory-items/${id}`, put)).statusCode).toBe(200);
      expect((await person.call('PUT', `/inventory-items/${id}`, put)).statusCode).toBe(412);
      await save(person, { reorderPoint: LOW_STOCK_AT });
    });

    test('leaves the past as it was: the time machine uses the point of that time', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person, { quantity: 15 });
      const own = await anItem(person, { quantity: 15 });
      await edit(person, own._id, { reorderPoint: 30 });
      const at = new Date(Date.parse((await itemNow(person, own._id))?.updatedAt ?? '')).toISOString();
      await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(at));
      await save(person, { reorderPoint: 20 });
      await edit(person, own._id, { reorderPoint: null });
      const then = async (id: string, stock = '') =>
        (await person.call('GET', `/as-of?at=${at}&q=${id}${stock}`)).json<{ lowAt: number }[]>();
      const figures = async (at: string) => (await person.call('GET', `/as-of/figures?at=${at}`)).json().low as number;
      const now = (await newest(person)).at as string;
      expect(await then(item._id)).toMatchObject([{ lowAt: LOW_STOCK_AT }]);
      expect(await then(item._id, '&stock=low')).toEqual([]);
      expect(await then(own._id, '&stock=low')).toMatchObject([{ lowAt: 30 }]);
      const lowThen = await figures(at);
      expect(await figures(now)).toBeGreaterThan(lowThen);
      await save(person, { reorderPoint: LOW_STOCK_AT });
      expect(await figures(at)).toBe(lowThen);
    });
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
      // The item keeps its version and time, because nobody changed the item.
      expect(after).toEqual({ ...before, lowAt: 42 });
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
        const changed = { reorder_point: 77, applied_to: 0, apply_until: 9_000 };
        await db.updateTable('houses').set(changed).where('num', '=', SHARED_HOUSE).execute();
      });
      const other = await shared.sibling();
      await Promise.all([propagateReorderPoint(shared.db, Date.now()), propagateReorderPoint(other.db, Date.now())]);
      const now = await Promise.all([first, last, own].map((item) => itemNow(person, item._id)));
      expect(now.map((item) => item?.lowAt)).toEqual([77, 77, 3]);
      expect(now[1]?.version).toBe(last.version);
      expect(await countChanges()).toBe(before + 1);
      await save(person, { reorderPoint: LOW_STOCK_AT });
      await expect.poll(async () => (await itemNow(person, last._id))?.lowAt).toBe(LOW_STOCK_AT);
    });
  });

  test('can be changed a limited number of times, with undos, while items are still updated; email choices any time', async () => {
    const person = await signedInAs(shared);
    const saved = [];
    // On a busy machine some of the budget comes back meanwhile, so more changes than the burst may be allowed.
    let answer = await save(person, { reorderPoint: LOW_STOCK_AT + 1 });
    while (answer.statusCode === 200) {
      saved.push(answer.json().entryId);
      answer = await save(person, { reorderPoint: LOW_STOCK_AT + ((saved.length + 1) % 2) });
    }
    expect(saved.length).toBeGreaterThanOrEqual(BUDGETS.settings.burst);
    for (const refused of [answer, await person.call('POST', `/history/${saved.at(-1)}/undo`)]) {
      expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await save(person, { alerts: { mail: 'off' } })).statusCode).toBe(200);
    expect((await settings(person)).reorderPoint).toBe(LOW_STOCK_AT + (saved.length % 2));
  });

  async function countChanges(): Promise<number> {
    return (await shared.db.query.selectFrom('changes').select('seq').execute()).length;
  }
});
