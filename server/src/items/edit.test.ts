import { randomUUID } from 'node:crypto';
import type { WireItem } from '@perfume/contract/wire-item';
import { expect, test } from 'vitest';
import { anItem, edit, itemNow, onBothDatabases, signedInAs } from '../testing.ts';

onBothDatabases('an edit', (shared) => {
  test("is merged with somebody else's edit of another field", async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    await edit(person, item._id, { name: 'Theirs' }, { name: item.name });
    await edit(person, item._id, { price: 7 }, { price: item.price });
    expect(await itemNow(person, item._id)).toMatchObject({ name: 'Theirs', price: 7 });
  });

  test('of a field that somebody else has changed is refused, and changes nothing', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    await edit(person, item._id, { name: 'Theirs' });
    const body = { changes: { name: 'Mine', price: 1 }, seen: { name: item.name, price: item.price } };
    const refused = await person.call('POST', `/inventory-items/${item._id}/edit`, { body });
    expect(refused.json()).toMatchObject({ code: 'edit_conflict', item: { name: 'Theirs' } });
    expect(Object.keys(refused.json().fields)).toEqual(['name']);
    expect(await itemNow(person, item._id)).toMatchObject({ name: 'Theirs', price: item.price });
  });

  test('makes the item found by its new name and no longer by the old one', async () => {
    const person = await signedInAs(shared);
    const [before, after] = [`Zz${randomUUID()}`, `Yy${randomUUID()}`];
    const item = await anItem(person, { name: before });
    await edit(person, item._id, { name: after });
    const found = async (q: string) =>
      (await person.call('GET', `/all-inventory-items?q=${q}`)).json<WireItem[]>().map(({ _id }) => _id);
    expect(await found(after)).toEqual([item._id]);
    expect(await found(before)).toEqual([]);
  });

  test("sets an item's own reorder point, or makes the item follow the warehouse's again", async () => {
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
  ])('that is invalid is refused, and changes nothing: %j', async (body) => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    expect((await person.call('POST', `/inventory-items/${item._id}/edit`, { body })).statusCode).toBe(422);
    expect(await itemNow(person, item._id)).toEqual(item);
  });
});
