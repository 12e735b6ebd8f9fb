import { randomUUID } from 'node:crypto';
import { bulk, undoBatch } from '@perfume/contract/bulk';
import { decideCountLines, postCount, recordCount, undoCountEntry } from '@perfume/contract/counts';
import { changeHouse } from '@perfume/contract/houses';
import { setQuantity } from '@perfume/contract/ledger';
import { expect, test, vi } from 'vitest';
import { anItem, onBothDatabases, type Person, signedInAs } from '../testing.ts';
import { BATCH_LIMITS, CHANGE_LIMITS, changesMany } from './budgets.ts';

const IDS = 70;

test('requests that may change many items are those that name items, go through a batch or publish a house', () => {
  // A bulk action of one item may belong to a batch of 200,000.
  expect(changesMany(bulk, { ids: [randomUUID()] })).toBe(true);
  const several = { ids: [randomUUID(), randomUUID()] };
  for (const endpoint of [bulk, recordCount, decideCountLines]) expect(changesMany(endpoint, several)).toBe(true);
  for (const endpoint of [undoBatch, postCount, undoCountEntry]) expect(changesMany(endpoint, undefined)).toBe(true);
  expect(changesMany(changeHouse, { published: true })).toBe(true);
  expect(changesMany(changeHouse, { name: 'Maison' })).toBe(false);
  // Scanners count one item after the other, several of them under one account.
  expect([changesMany(recordCount, { ids: [randomUUID()] }), changesMany(setQuantity, several)]).toEqual([
    false,
    false,
  ]);
});

onBothDatabases('changes of one row', (shared) => {
  test('of one person do not fill the queue of everybody, nor hold more than half of the connections to PostgreSQL', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    const make = shared.db.change;
    let running = 0;
    let most = 0;
    const change = vi.spyOn(shared.db, 'change').mockImplementation(async (...given) => {
      most = Math.max(most, ++running);
      return make(...given).finally(() => running--) as never;
    });
    const edits = Array.from({ length: 100 }, (_, n) =>
      person.call('POST', `/inventory-items/${item._id}/edit`, { body: { changes: { price: n + 1 } } }),
    );
    const statuses = new Set((await Promise.all(edits)).map(({ statusCode }) => statusCode));
    change.mockRestore();
    expect([[...statuses], most]).toEqual([[200], CHANGE_LIMITS.running]);
  });
});

onBothDatabases('changes of many items', (shared) => {
  test('take turns: one person, however many requests they send, delays others by a few changes', async () => {
    const [greedy, other] = [await signedInAs(shared), await signedInAs(shared)];
    const database = blockedChanges();
    const atOnce = shared.database === 'SQLite' ? 64 : 8;
    const allowed = BATCH_LIMITS.running + BATCH_LIMITS.waiting;
    const answers = Array.from({ length: allowed + 1 }, () => setReorderPoints(greedy));
    // The first response is the refusal, because the database is blocked and answers no request.
    const refused = await Promise.race(answers);
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'too_many', '1']);
    await expect.poll(() => database.started()).toBe(atOnce);
    const otherAnswer = setReorderPoints(other);
    await expect.poll(() => database.started()).toBe(2 * atOnce);

    database.unblock();
    expect((await otherAnswer).statusCode).toBe(200);
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([...Array(allowed).fill(200), 429]);
  });

  const setReorderPoints = (person: Person) =>
    person.call('POST', '/bulk', {
      body: {
        batch: randomUUID(),
        action: 'setReorderPoint',
        reorderPoint: 5,
        ids: Array.from({ length: IDS }, () => randomUUID()),
      },
    });

  function blockedChanges() {
    let unblock = () => {};
    const unblocked = new Promise<void>((resolve) => {
      unblock = resolve;
    });
    const { change } = shared.db;
    const spy = vi.spyOn(shared.db, 'change').mockImplementation(async (...given) => {
      await unblocked;
      return change(...given) as never;
    });
    return { started: () => spy.mock.calls.length, unblock };
  }
});
