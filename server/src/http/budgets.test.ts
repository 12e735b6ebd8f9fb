import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anItem, deliver, itemNow, move, type Person, signedInAs, type TestApp, testApp } from '../testing.ts';
import { BUDGETS, personBudget } from './budgets.ts';

/** Leaves 5 changes, 100 items in bulk actions and 1,000 rows to each person. */
const budgetFactor = 0.000_5;
let passedMs = 0;
let shared: TestApp;
beforeAll(async () => {
  shared = await testApp('SQLite', { budgetFactor }, { clock: () => Date.now() + passedMs });
});
afterAll(() => shared.close());

describe('beyond the budget of one person', () => {
  test('a change is refused until the given time has passed, and nobody else waits', async () => {
    const [greedy, other] = [await signedInAs(shared), await signedInAs(shared)];
    const { _id: id } = await anItem(greedy, { quantity: '42' });
    for (let n = 0; n < 4; n++) await deliver(greedy, id);
    const refused = await move(greedy, id, 'deliver', 1);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many']);
    const undo = await greedy.call('POST', `/inventory-items/${id}/restore`);
    expect([undo.statusCode, undo.headers['retry-after']]).toEqual([429, refused.headers['retry-after']]);
    expect((await itemNow(greedy, id))?.quantity).toBe('38');
    await deliver(other, id);

    passedMs += Number(refused.headers['retry-after']) * 1_000;
    await deliver(greedy, id);
    expect((await move(greedy, id, 'deliver', 1)).statusCode).toBe(429);
  });

  test('a bulk action is refused by the number of its items, and an undo of one by its entries', async () => {
    const person = await signedInAs(shared);
    expect((await bulk(person, 60)).statusCode).toBe(200);
    expect((await bulk(person, 41)).json().code).toBe('too_many');
    expect((await person.call('POST', `/batches/${randomUUID()}/undo`)).json().code).toBe('too_many');
    expect((await bulk(person, 40)).statusCode).toBe(200);
    await anItem(person);
  });

  test('a change is refused by the length of its texts, which the history keeps for good', async () => {
    const person = await signedInAs(shared);
    const { _id: id } = await anItem(person);
    const change = (description: string) =>
      person.call('POST', `/inventory-items/${id}/edit`, { body: { changes: { description } } });
    expect((await change('é'.repeat(2_500))).json().code).toBe('too_many');
    expect((await change('é'.repeat(1_200))).statusCode).toBe(200);
    // The answer contains the text too, and is stored for a while.
    expect((await move(person, id, 'deliver', 1)).statusCode).toBe(429);
  });

  test('a list is refused, and single items are not', async () => {
    const person = await signedInAs(shared);
    const { _id: id } = await anItem(person);
    const read = () => person.call('GET', '/all-inventory-items');
    let rows = 0;
    while (rows <= BUDGETS.rows.burst * budgetFactor) rows += (await read()).json().length;
    expect((await read()).statusCode).toBe(429);
    expect(await itemNow(person, id)).toMatchObject({ _id: id });
    const refused = await read();
    expect(refused.json().code).toBe('too_many');
    passedMs += Number(refused.headers['retry-after']) * 1_000;
    expect((await read()).statusCode).toBe(200);
  });
});

test('budgets are kept for a bounded number of people', () => {
  const budget = personBudget({ burst: 1, perSecond: 1 }, () => 0, 2);
  expect(['mia', 'leo', 'mia', 'ana', 'mia'].map((person) => budget.spend(person, 1))).toEqual([
    null,
    null,
    1,
    null,
    null,
  ]);
});

function bulk(person: Person, items: number) {
  const ids = Array.from({ length: items }, () => randomUUID());
  return person.call('POST', '/bulk', { body: { batch: randomUUID(), action: 'deliver', ids } });
}
