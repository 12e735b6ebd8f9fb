import { randomInt, randomUUID } from 'node:crypto';
import type { WireItem } from '@perfume/contract/wire-item';
import { withCheckDigit } from '@perfume/domain/codes';
import { expect, test } from 'vitest';
import { aNewItem, anItem, edit, itemNow, onBothDatabases, type Person, signedInAs } from '../testing.ts';

const anUpc = () => withCheckDigit(`0${randomInt(10_000_000_000).toString().padStart(10, '0')}`);
const ADD = '/new-inventory-item';

onBothDatabases('the codes of items', (shared) => {
  const idOf = async (person: Person, code: string) => {
    const answer = await person.call('GET', `/codes/${encodeURIComponent(code)}`);
    return answer.statusCode === 200 ? answer.json<WireItem>()._id : answer.json().code;
  };
  const history = async (person: Person, itemId: string) =>
    (await person.call('GET', `/history?item=${itemId}`)).json<{ id: string; changes: unknown[] }[]>();
  const remove = (person: Person, { _id }: WireItem) => person.call('DELETE', `/inventory-items/${_id}`);

  test('lead to the item as they are printed, typed or scanned', async () => {
    const person = await signedInAs(shared);
    const upc = anUpc();
    const sku = `Ab/ ${randomUUID()} ٣é`;
    const item = await anItem(person, { sku, barcodes: [upc] });
    expect(item).toMatchObject({ sku, barcodes: [upc] });
    for (const code of [
      upc,
      `0${upc}`,
      `00${upc}`,
      `]d2010${`0${upc}`}\x1d10A`,
      sku,
      sku.toUpperCase().replaceAll(' ', ''),
    ])
      expect(await idOf(person, code)).toBe(item._id);
    const found = await person.call('GET', `/codes/${upc}`);
    expect(found.json()).toEqual(item);
    const again = await person.call('GET', `/codes/${upc}`, { headers: { 'if-none-match': `${found.headers.etag}` } });
    expect(again.statusCode).toBe(304);
  });

  test.each(['nothing', '%00', '%20', '%EF%BB%BF', 'x'.repeat(200), '%ED%A0%80'])(
    'lead nowhere if no item has them: %s',
    async (code) => {
      const person = await signedInAs(shared);
      const { statusCode } = await person.call('GET', `/codes/${code}`);
      expect(statusCode).toBe(code === '%ED%A0%80' ? 400 : 404);
    },
  );

  test('are searched, in the present form and not in an earlier one', async () => {
    const person = await signedInAs(shared);
    const [before, after] = [anUpc(), anUpc()];
    const item = await anItem(person);
    const found = async (q: string) =>
      (await person.call('GET', `/all-inventory-items?q=${q}`)).json<WireItem[]>().map(({ _id }) => _id);
    await edit(person, item._id, { sku: 'Zq-1', barcodes: [before] });
    expect([await found(before), await found(`0${before}`)]).toEqual([[item._id], [item._id]]);
    await edit(person, item._id, { barcodes: [after] });
    expect([await found(before), await found(after.slice(2, 9)), await found('zq-1')]).toEqual([
      [],
      [item._id],
      [item._id],
    ]);
    const [, edited] = await history(person, item._id);
    expect(edited?.changes).toEqual([
      { field: 'sku', from: null, to: 'Zq-1' },
      { field: 'barcodes', from: [], to: [before] },
    ]);
  });

  test('are never shared by two items, in whatever form or field', async () => {
    const person = await signedInAs(shared);
    const upc = anUpc();
    const holder = await anItem(person, { name: 'Iris', barcodes: [upc] });
    const other = await anItem(person);
    const key = { 'idempotency-key': randomUUID() };
    for (const headers of [{}, key, key]) {
      const refused = await person.call('POST', ADD, { body: aNewItem({ sku: `0${upc}` }), headers });
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({
        code: 'code_taken',
        item: { _id: holder._id },
        fields: { sku: `“Iris” already has the code 0${upc}` },
      });
    }
    const path = `/inventory-items/${other._id}/edit`;
    const refused = await person.call('POST', path, { body: { changes: { price: 1, barcodes: ['X', upc] } } });
    expect(refused.json()).toMatchObject({ code: 'code_taken', fieldCodes: { 'changes.barcodes': 'code_taken' } });
    expect(await itemNow(person, other._id)).toEqual(other);
  });

  test('given to two items at the same moment belong to one of them', async () => {
    const person = await signedInAs(shared);
    for (const headers of [() => ({}), () => ({ 'idempotency-key': randomUUID() })]) {
      const upc = anUpc();
      const items = await Promise.all([anItem(person), anItem(person)]);
      const calls = [
        ...items.map(({ _id }) =>
          person.call('POST', `/inventory-items/${_id}/edit`, {
            body: { changes: { barcodes: [upc] } },
            headers: headers(),
          }),
        ),
        ...items.map(() => person.call('POST', ADD, { body: aNewItem({ barcodes: [upc] }), headers: headers() })),
      ];
      const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode);
      expect(statuses.filter((status) => status === 409)).toHaveLength(3);
      expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    }
  });

  test('are free after the item was deleted; it comes back only while they still are', async () => {
    const person = await signedInAs(shared);
    const upc = anUpc();
    const first = await anItem(person, { barcodes: [upc] });
    await remove(person, first);
    expect(await idOf(person, upc)).toBe('code_not_found');
    const second = await anItem(person, { name: 'Second', barcodes: [upc] });
    const restore = () => person.call('POST', `/inventory-items/${first._id}/restore`);
    expect((await restore()).json()).toMatchObject({ code: 'code_taken', item: { name: 'Second' } });
    const [deletion] = await history(person, first._id);
    const undo = `/history/${deletion?.id}/undo`;
    expect((await person.call('GET', undo)).json()).toMatchObject({ possible: false, code: 'code_taken' });
    expect((await person.call('POST', undo)).json()).toMatchObject({ code: 'code_taken', item: { name: 'Second' } });
    const bulk = { action: 'restore', ids: [first._id], batch: randomUUID() };
    const [result] = (await person.call('POST', '/bulk', { body: bulk })).json().results;
    expect(result).toMatchObject({ ok: false, code: 'code_taken' });

    await edit(person, second._id, { barcodes: [] });
    expect((await person.call('GET', undo)).json()).toMatchObject({ possible: true });
    expect((await restore()).statusCode).toBe(200);
    expect(await idOf(person, upc)).toBe(first._id);
    const [edited] = await history(person, second._id);
    expect((await person.call('GET', `/history/${edited?.id}/undo`)).json()).toMatchObject({ code: 'code_taken' });
    expect((await person.call('POST', `/history/${edited?.id}/undo`)).json()).toMatchObject({ code: 'code_taken' });
  });

  test('at an instant are those of that instant', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { sku: randomUUID() });
    const { updatedAt } = await edit(person, item._id, { barcodes: ['1', '2'] });
    // The next edit must be in a later millisecond.
    while (Date.now() <= Date.parse(updatedAt));
    await edit(person, item._id, { sku: null, barcodes: ['3'] });
    const [then] = (await person.call('GET', `/as-of?at=${updatedAt}&q=${item._id}`)).json<WireItem[]>();
    expect(then).toMatchObject({ sku: item.sku, barcodes: ['1', '2'] });
  });

  test('are shown to people of the warehouse only', async () => {
    const person = await signedInAs(shared);
    const sku = randomUUID();
    const item = await anItem(person, { sku, barcodes: [anUpc()] });
    const found = async (q = '') => (await shared.app.inject(`/inventory-items?q=${q}`)).json<object[]>();
    const [visible] = await found(item._id);
    expect(visible).toHaveProperty('name');
    expect(visible).not.toHaveProperty('sku');
    expect(visible).not.toHaveProperty('barcodes');
    expect([await found(sku), await found(item.barcodes[0])]).toEqual([[], []]);
  });
});
