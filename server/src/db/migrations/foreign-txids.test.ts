import { type WireAlert, wireAlert } from '@perfume/contract/alerts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { anItem, signedInAs, type TestApp, testApp } from '../../testing.ts';
import { changesAfter, latestPosition, stillHeld } from '../core/changes.ts';
import { queryRows } from '../core/statement.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp('PostgreSQL');
});
afterAll(() => shop.close());

const COUNTED_THERE = 1_000_000_000_000;

/** As `pg_restore` leaves it: rows of transactions that this cluster will not have counted up to for years. */
async function asIfDumpedElsewhere(): Promise<void> {
  for (const [table, column] of [
    ['changes', 'txid'],
    ['stock_alerts', 'txid'],
    ['alert_choices', 'seen_txid'],
  ])
    await queryRows(
      shop.db.query,
      `update ${table} set ${column} = ${column} + ${COUNTED_THERE} where ${column} > 0`,
      [],
    );
}

test('what a dump brings into another cluster is past there, and what is new is heard', async () => {
  const person = await signedInAs(shop);
  const deliver = (id: string, units: number) =>
    person.call('POST', `/inventory-items/${id}/movements`, { body: { kind: 'deliver', units } });
  const anItemThatRunsLow = async () => {
    const { _id: id } = await anItem(person, { quantity: 11, email: person.user.email });
    await deliver(id, 1);
    return id;
  };
  const bell = async (): Promise<[unseen: unknown, alerts: [WireAlert['kind'], boolean][]]> => {
    const answer = await person.call('GET', '/alerts');
    const alerts = z.parse(z.array(wireAlert), answer.json());
    return [answer.headers['x-unseen-count'], alerts.map(({ kind, seen }) => [kind, seen])];
  };
  const seeAll = async () => {
    const upTo = (await person.call('GET', '/alerts')).headers['x-alerts-up-to'];
    await person.call('POST', '/alerts/seen', { body: { upTo } });
  };

  await anItemThatRunsLow();
  await expect.poll(bell).toEqual(['1', [['low', false]]]);
  await seeAll();
  const second = await anItemThatRunsLow();
  const before: Awaited<ReturnType<typeof bell>> = [
    '1',
    [
      ['low', false],
      ['low', true],
    ],
  ];
  await expect.poll(bell).toEqual(before);

  const { txid, seq } = await latestPosition(shop.db);
  await asIfDumpedElsewhere();
  expect(await bell()).not.toEqual(before);
  await shop.sibling();

  expect(await bell()).toEqual(before);
  expect(await stillHeld(shop.db, { txid: txid + COUNTED_THERE, seq })).toBe(false);
  const here = await latestPosition(shop.db);
  expect(await stillHeld(shop.db, here)).toBe(true);
  await deliver(second, 10);
  await expect.poll(async () => (await changesAfter(shop.db, here)).map(({ kind }) => kind)).toEqual(['stock']);
  await expect.poll(async () => (await bell())[1][0]).toEqual(['out', false]);
});

test('a server that starts in the cluster it has always been in moves nothing', async () => {
  const person = await signedInAs(shop);
  await anItem(person, { quantity: 3 });
  const before = await queryRows(shop.db.query, 'select txid, seq from changes order by seq', []);
  await shop.sibling();
  expect(await queryRows(shop.db.query, 'select txid, seq from changes order by seq', [])).toEqual(before);
});
