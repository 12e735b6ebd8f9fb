import { randomUUID } from 'node:crypto';
import type { WireBulkResult } from '@perfume/contract/bulk';
import { expect, test } from 'vitest';
import { derivedId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { codeFor } from '../items/assign-code.store.ts';
import { anItem, edit, itemNow, move, onBothDatabases, type Person, signedInAs } from '../testing.ts';
import { undoBatch } from './bulk.store.ts';

onBothDatabases('a bulk action', (shared) => {
  test('changes each item by itself, and reports which failed and why', async () => {
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

  test.runIf(shared.database === 'SQLite')(
    'is found and undone by its own index, not by reading the ledger',
    async () => {
      const { db } = shared;
      const steps: string[] = [];
      const longQuery = async <Row>(text: string, params: readonly unknown[]) => {
        const plan = await db.longQuery<{ detail: string }>(`explain query plan ${text}`, params);
        steps.push(...plan.map(({ detail }) => detail).filter((step) => /^(?:SEARCH|SCAN) e /.test(step)));
        return db.longQuery<Row>(text, params);
      };
      const watched = { ...db, longQuery };
      const actor = { id: 'nobody', name: 'Nobody' };
      const undo = { house: SHARED_HOUSE, batch: randomUUID(), after: '', at: 0, actor, requestId: '' };
      expect(await undoBatch(watched, undo)).toBeNull();
      expect(steps).toHaveLength(6);
      for (const step of steps) expect(step).toMatch(/_by_batch \(batch=\?/);
    },
  );

  test('cannot be added to by somebody else, so its undo takes back nothing else', async () => {
    const [person, stranger] = [await signedInAs(shared), await signedInAs(shared)];
    const [own, other] = [await anItem(person), await anItem(stranger)];
    for (const action of ['deliver', 'delete'] as const) {
      const batch = randomUUID();
      await bulk(person, action, [own._id], batch);
      const body = { batch, action: 'restock', ids: [other._id] };
      const refused = await stranger.call('POST', '/bulk', { body });
      expect(refused.json()).toMatchObject({ code: 'invalid_input', fieldCodes: { batch: 'batch_taken' } });
      expect((await person.call('GET', `/batches/${batch}`)).json()).toMatchObject({ entries: 1, standing: 1 });
    }
  });

  test('of several units takes them all from an item or none, and restocks up to the maximum', async () => {
    const person = await signedInAs(shared);
    const [some, few] = [await anItem(person, { quantity: 7 }), await anItem(person, { quantity: 4 })];
    const full = await anItem(person, { quantity: 999_999_996 });
    const ids = [some._id, few._id, full._id];
    const now = () => Promise.all(ids.map(async (id) => (await itemNow(person, id))?.quantity));
    expect(await bulk(person, { action: 'deliver', units: 5 }, ids.slice(0, 2))).toEqual([
      { _id: some._id, ok: true, movementId: expect.any(String) },
      { _id: few._id, ok: false, code: 'out_of_stock', onHand: 4 },
    ]);
    expect(await now()).toEqual(['2', '4', '999999996']);
    expect(await bulk(person, { action: 'restock', units: 5 }, ids)).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, code: 'over_full', onHand: 999_999_996 },
    ]);
    expect(await now()).toEqual(['7', '9', '999999996']);
  });

  test('gives every item a reorder point of its own or the one of the warehouse, and its undo the one each had', async () => {
    const person = await signedInAs(shared);
    const items = await Promise.all([1, 2, 3].map(() => anItem(person, { quantity: 20 })));
    const ids = items.map(({ _id }) => _id);
    await Promise.all([7, 12].map((reorderPoint, at) => edit(person, ids[at] ?? '', { reorderPoint })));
    const now = () => Promise.all(ids.map(async (id) => (await itemNow(person, id))?.reorderPoint));
    const batch = randomUUID();
    const set = await bulk(person, { action: 'setReorderPoint', reorderPoint: 12 }, [...ids, randomUUID()], batch);
    expect(set).toMatchObject([
      { ok: true, movementId: expect.any(String) },
      { ok: true, movementId: null },
      { ok: true, movementId: expect.any(String) },
      { ok: false, code: 'item_not_found' },
    ]);
    expect(await now()).toEqual([12, 12, 12]);
    const { json } = await person.call('POST', `/batches/${batch}/undo`);
    expect(json().results).toHaveLength(2);
    expect(await now()).toEqual([7, 12, null]);
    await person.call('POST', `/batches/${json().batch}/undo`);
    expect(await now()).toEqual([12, 12, 12]);
    await bulk(person, { action: 'setReorderPoint', reorderPoint: null }, ids);
    expect(await now()).toEqual([null, null, null]);
  });

  test('gives items without a code one of ours, leaves the others alone, and its undo takes the codes back', async () => {
    const person = await signedInAs(shared);
    const items = await Promise.all([1, 2, 3, 4].map(() => anItem(person)));
    const ids = items.map(({ _id }) => _id);
    await edit(person, ids[1] ?? '', { sku: `SKU-${randomUUID()}` });
    await edit(person, ids[2] ?? '', { barcodes: [`B-${randomUUID()}`] });
    const codes = () =>
      Promise.all(
        ids.map(async (id) => {
          const item = await itemNow(person, id);
          return [item?.sku, item?.barcodes];
        }),
      );
    const before = await codes();
    const batch = randomUUID();
    expect(await bulk(person, 'assignCode', [...ids, randomUUID()], batch)).toMatchObject([
      { ok: true, movementId: expect.any(String) },
      { ok: true, movementId: null },
      { ok: true, movementId: null },
      { ok: true, movementId: expect.any(String) },
      { ok: false, code: 'item_not_found' },
    ]);
    const after = await codes();
    expect(after).toEqual([
      [null, [expect.stringMatching(/^2\d{12}$/)]],
      before[1],
      before[2],
      [null, [expect.any(String)]],
    ]);
    expect(after[0]).not.toEqual(after[3]);
    const [[, [code]]] = after as [[null, [string]]];
    expect((await person.call('GET', `/codes/${code}`)).json()._id).toBe(ids[0]);
    const [entry] = (await person.call('GET', `/history?item=${ids[0]}&kind=edited`)).json();
    expect(entry).toMatchObject({ batch, changes: [{ field: 'barcodes', from: [], to: [code] }] });
    expect((await person.call('POST', `/batches/${batch}/undo`)).json().results).toHaveLength(2);
    expect(await codes()).toEqual(before);
  });

  test('gives an item another code if the first one is taken', async () => {
    const person = await signedInAs(shared);
    const [item, holder] = [await anItem(person), await anItem(person)];
    const key = randomUUID();
    const [first, second] = [0, 1].map((attempt) => codeFor(derivedId(`${key} ${item._id}`), attempt)) as [
      string,
      string,
    ];
    await edit(person, holder._id, { barcodes: [first] });
    const headers = { 'idempotency-key': key };
    const batch = randomUUID();
    const results = await bulk(person, 'assignCode', [item._id], batch, headers);
    expect((await itemNow(person, item._id))?.barcodes).toEqual([second]);
    expect(await bulk(person, 'assignCode', [item._id], batch, headers)).toEqual(results);
    expect((await itemNow(person, item._id))?.barcodes).toEqual([second]);
  });

  test('counts exactly while others deliver and restock the same items', async () => {
    const [one, other, third] = await Promise.all([signedInAs(shared), signedInAs(shared), signedInAs(shared)]);
    // There is enough of the first item for everyone, so that the first person has something to undo.
    const quantities = [20, ...Array<number>(11).fill(10)];
    const items = await Promise.all(quantities.map((quantity) => anItem(one, { quantity })));
    const ids = items.map(({ _id }) => _id);
    const batch = randomUUID();
    const booked = new Map(items.map(({ _id, quantity }) => [_id, Number(quantity)]));
    const book = (id: string, delta: number) => booked.set(id, (booked.get(id) ?? 0) + delta);
    const inBulk = async (person: Person, action: 'deliver' | 'restock', units: number, as: string = randomUUID()) => {
      for (const result of await bulk(person, { action, units }, ids, as))
        if (result.ok) book(result._id, action === 'deliver' ? -units : units);
    };
    await Promise.all([
      inBulk(one, 'deliver', 4, batch),
      inBulk(other, 'deliver', 3),
      inBulk(third, 'deliver', 5),
      inBulk(other, 'restock', 2),
      ...ids.map(async (id) => (await move(third, id, 'deliver', 1)).statusCode === 201 && book(id, -1)),
    ]);
    const now = () => Promise.all(ids.map(async (id) => Number((await itemNow(one, id))?.quantity)));
    expect(await now()).toEqual([...booked.values()]);
    const [undone] = await Promise.all([
      one.call('POST', `/batches/${batch}/undo`),
      ...ids.map(async (id) => (await move(third, id, 'deliver', 1)).statusCode === 201 && book(id, -1)),
    ]);
    for (const { _id, ok } of undone.json<{ results: WireBulkResult[] }>().results) if (ok) book(_id, 4);
    expect(await now()).toEqual([...booked.values()]);
  });

  test('that deletes or restores names the entries it made, and none for an item that was already so', async () => {
    const person = await signedInAs(shared);
    const ids = [(await anItem(person))._id, (await anItem(person))._id];
    await bulk(person, 'delete', ids.slice(1));
    for (const action of ['delete', 'restore']) {
      const results = await bulk(person, action, ids);
      expect(results).toMatchObject([
        { movementId: expect.any(String) },
        { movementId: action === 'delete' ? null : expect.any(String) },
      ]);
    }
    expect(await bulk(person, 'restore', ids)).toMatchObject([{ movementId: null }, { movementId: null }]);
  });

  test('stores only the success of each item for a retry, not its texts', async () => {
    const person = await signedInAs(shared);
    const ids = [(await anItem(person, { quantity: 5 }))._id, (await anItem(person, { quantity: 5 }))._id];
    for (const action of ['deliver', 'delete', 'restore', 'setReorderPoint', 'assignCode'] as const) {
      const headers = { 'idempotency-key': randomUUID() };
      const body = { batch: randomUUID(), action, ids, ...(action === 'setReorderPoint' && { reorderPoint: 3 }) };
      const first = await person.call('POST', '/bulk', { body, headers });
      expect((await person.call('POST', '/bulk', { body, headers })).body).toBe(first.body);
      await person.call('POST', `/batches/${body.batch}/undo`);
      // So that there is something to restore.
      if (action === 'delete') await person.call('POST', '/bulk', { body: { ...body, batch: randomUUID(), action } });
    }
    const stored = await shared.db.query
      .selectFrom('answers')
      .select('outcome')
      .orderBy('num', 'desc')
      .limit(18)
      .execute();
    for (const { outcome } of stored) expect(outcome.length).toBeLessThan(100);
  });

  test('that names an item twice, or is sent twice, takes one unit', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 9 });
    const headers = { 'idempotency-key': randomUUID() };
    const batch = randomUUID();
    const ids = [item._id, item._id, item._id.toUpperCase()];
    const first = await bulk(person, 'deliver', ids, batch, headers);
    expect(await bulk(person, 'deliver', ids, batch, headers)).toEqual(first);
    expect((await itemNow(person, item._id))?.quantity).toBe('8');
  });

  test.each([
    { action: 'deliver' },
    { action: 'deliver', units: 3 },
    { action: 'restock', units: 20 },
    { action: 'delete' },
  ])('(%j) is undone as a whole, and so is its undo', async (action) => {
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
    expect(undone.results.every(({ ok }: WireBulkResult) => ok)).toBe(true);
    expect(await now()).toEqual(['4', '4', '4']);
    await person.call('POST', `/batches/${undone.batch}/undo`);
    expect(await now()).toEqual(after);
  });

  test('that could be undone only in part can be undone completely later, by anybody', async () => {
    const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
    const [x, y] = [await anItem(person, { quantity: 4 }), await anItem(person, { quantity: 4 })];
    const undo = async (by: Person, batch: string): Promise<WireBulkResult[]> =>
      (await by.call('POST', `/batches/${batch}/undo`)).json().results;
    for (const retrying of [person, other]) {
      const batch = randomUUID();
      await bulk(person, 'deliver', [x._id, y._id], batch);
      await other.call('DELETE', `/inventory-items/${x._id}`);
      const first = await undo(person, batch);
      expect(first.find(({ _id }) => _id === x._id)).toMatchObject({ ok: false, code: 'item_deleted' });
      await other.call('POST', `/inventory-items/${x._id}/restore`);
      const second = await undo(retrying, batch);
      expect(second.find(({ _id }) => _id === x._id)).toMatchObject({ ok: true });
      expect((await itemNow(person, x._id))?.quantity).toBe('4');
    }
  });

  test('that is undone twice gives the same person the same result, and others an empty one', async () => {
    const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
    const item = await anItem(person, { quantity: 4 });
    const batch = randomUUID();
    await bulk(person, 'deliver', [item._id], batch);
    const undo = async (by: Person) => (await by.call('POST', `/batches/${batch}/undo`)).json();
    const first = await undo(person);
    expect(first.results).toMatchObject([{ _id: item._id, ok: true }]);
    expect(await undo(person)).toEqual(first);
    expect((await undo(other)).results).toEqual([]);
    const found = await other.call('GET', `/batches/${batch}`);
    expect(found.json()).toEqual({ entries: 1, standing: 0, delta: -1 });
    expect((await other.call('GET', `/batches/${randomUUID()}`)).statusCode).toBe(404);
    expect((await itemNow(person, item._id))?.quantity).toBe('4');
  });

  test('of 130 items is counted exactly, and undone 100 at a time', async () => {
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
    { action: 'deliver', units: 0, ids: [randomUUID()], batch: randomUUID() },
    { action: 'restock', units: 1.5, ids: [randomUUID()], batch: randomUUID() },
    { action: 'restock', units: 1_000_000_001, ids: [randomUUID()], batch: randomUUID() },
    { action: 'delete', units: 1, ids: [randomUUID()], batch: randomUUID() },
    { action: 'deliver', reorderPoint: 1, ids: [randomUUID()], batch: randomUUID() },
    { action: 'setReorderPoint', ids: [randomUUID()], batch: randomUUID() },
    { action: 'assignCode', units: 1, ids: [randomUUID()], batch: randomUUID() },
    { action: 'assignCode', reorderPoint: 1, ids: [randomUUID()], batch: randomUUID() },
    { action: 'setReorderPoint', reorderPoint: -1, ids: [randomUUID()], batch: randomUUID() },
  ])('that is invalid is refused (%#)', async (body) => {
    const person = await signedInAs(shared);
    expect((await person.call('POST', '/bulk', { body })).statusCode).toBe(422);
  });
});

async function bulk(
  person: Person,
  action: string | { action: string; units?: number; reorderPoint?: number | null },
  ids: string[],
  batch: string = randomUUID(),
  headers: Record<string, string> = {},
): Promise<WireBulkResult[]> {
  const body = { batch, ...(typeof action === 'string' ? { action } : action), ids };
  const answer = await person.call('POST', '/bulk', { body, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json().results;
}
