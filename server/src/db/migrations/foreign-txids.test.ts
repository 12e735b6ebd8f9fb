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

const TXIDS_USED_ELSEWHERE = 1_000_000_000_000;

/**
 * Makes the database look as it does after `pg_restore`: its rows have transaction ids that this cluster will not reach
 * for years.
 */
async function pretendRestoredFromElsewhere(): Promise<void> {
  for (const [table, column] of [
    ['changes', 'txid'],
    ['stock_alerts', 'txid'],
    ['alert_choices', 'seen_txid'],
  ])
    await queryRows(
      shop.db.query,
      `update ${table} set ${column} = ${column} + ${TXIDS_USED_ELSEWHERE} where ${column} > 0`,
      [],
    );
}

test('rows restored into another cluster count as old, and new changes are still reported', async () => {
  const person = await signedInAs(shop);
  const deliver = (id: string, units: number) =>
    person.call('POST', `/inventory-items/${id}/movements`, { body: { kind: 'deliver', units } });
  const anItemThatRunsLow = async () => {
    const { _id: id } = await anItem(person, { quantity: 11, email: person.user.email });
    await deliver(id, 1);
    return id;
  };
  const listAlerts = async (): Promise<[unseen: unknown, alerts: [WireAlert['kind'], boolean][]]> => {
    const answer = await person.call('GET', '/alerts');
    const alerts = z.parse(z.array(wireAlert), answer.json());
    return [answer.headers['x-unseen-count'], alerts.map(({ kind, seen }) => [kind, seen])];
  };
  const markAllSeen = async () => {
    const upTo = (await person.call('GET', '/alerts')).headers['x-alerts-up-to'];
    await person.call('POST', '/alerts/seen', { body: { upTo } });
  };

  await anItemThatRunsLow();
  await expect.poll(listAlerts).toEqual(['1', [['low', false]]]);
  await markAllSeen();
  const second = await anItemThatRunsLow();
  const before: Awaited<ReturnType<typeof listAlerts>> = [
    '1',
    [
      ['low', false],
      ['low', true],
    ],
  ];
  await expect.poll(listAlerts).toEqual(before);

  const hook = { url: 'https://hooks.example/in', events: ['stock.changed'] };
  expect((await person.call('POST', '/webhooks', { body: hook })).statusCode).toBe(201);
  const webhooks = () => shop.db.query.selectFrom('webhooks').select(['state', 'from_txid', 'from_snapshot']).execute();
  expect(await webhooks()).toMatchObject([{ state: 'on', from_snapshot: expect.stringContaining(':') }]);

  const { txid, seq } = await latestPosition(shop.db);
  await pretendRestoredFromElsewhere();
  expect(await listAlerts()).not.toEqual(before);
  await shop.sibling();

  expect(await listAlerts()).toEqual(before);
  expect(await webhooks()).toEqual([{ state: 'off', from_txid: 0, from_snapshot: null }]);
  expect(await stillHeld(shop.db, { txid: txid + TXIDS_USED_ELSEWHERE, seq })).toBe(false);
  const here = await latestPosition(shop.db);
  expect(await stillHeld(shop.db, here)).toBe(true);
  await deliver(second, 10);
  await expect.poll(async () => (await changesAfter(shop.db, here)).map(({ kind }) => kind)).toEqual(['stock']);
  await expect.poll(async () => (await listAlerts())[1][0]).toEqual(['out', false]);
});

test('a server that restarts in the same cluster changes nothing', async () => {
  const person = await signedInAs(shop);
  await anItem(person, { quantity: 3 });
  const before = await queryRows(shop.db.query, 'select txid, seq from changes order by seq', []);
  await shop.sibling();
  expect(await queryRows(shop.db.query, 'select txid, seq from changes order by seq', [])).toEqual(before);
});
