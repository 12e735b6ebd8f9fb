import { randomUUID } from 'node:crypto';
import type { WireMovement } from '@perfume/contract/ledger';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type ReceivedEvent, startReceiver } from '../../testing/receiver.ts';
import { anItem, databases, move, type Person, readPages, signedInAs, type TestApp, testApp } from '../testing.ts';

const ITEMS = 5;
/** Only this long after the last change: every failed attempt is due again. */
let ahead = 0;
const config = { webhookPrivateHosts: ['127.0.0.1'], budgetFactor: 100 };
const parts = { clock: () => Date.now() + ahead };
const soon = { timeout: 60_000, interval: 50 };

type Step = { item: number; what: number; units: number };
const steps = fc.array(
  fc.record<Step>({ item: fc.nat(ITEMS - 1), what: fc.nat(99), units: fc.integer({ min: 1, max: 9 }) }),
  {
    minLength: 60,
    maxLength: 90,
  },
);

/** Every way in which stock changes. Some are refused, such as undoing the same movement again. */
const ways: ((by: Person, ids: string[], step: Step) => Promise<unknown>)[] = [
  (by, ids, { item, units }) => move(by, at(ids, item), 'deliver', units),
  (by, ids, { item, units }) => move(by, at(ids, item), 'restock', units),
  (by, ids, { item, units }) =>
    by.call('PUT', `/inventory-items/${at(ids, item)}`, { body: { quantity: String(units) } }),
  (by, ids, { item, units }) =>
    by.call('PUT', `/inventory-items/${at(ids, item)}`, { body: { quantity: String(units), reason: 'damaged' } }),
  async (by, ids, { item }) => {
    const movements = (await by.call('GET', `/inventory-items/${at(ids, item)}/movements`)).json<WireMovement[]>();
    await by.call('POST', `/movements/${movements[0]?.id}/undo`);
  },
  async (by, ids, { units }) => {
    const batch = randomUUID();
    await by.call('POST', '/bulk', { body: { batch, action: 'restock', ids } });
    if (units > 5) await by.call('POST', `/batches/${batch}/undo`);
  },
  async (by, ids, { item, units }) => {
    const { id } = (await by.call('POST', '/counts', { body: { name: 'Count' } })).json();
    await by.call('POST', `/counts/${id}/entries`, { body: { ids: [at(ids, item)], set: units } });
    await by.call('POST', `/counts/${id}/post`, { body: { batch: randomUUID() } });
  },
  async (by, ids, { item }) => {
    await by.call('DELETE', `/inventory-items/${at(ids, item)}`);
    await by.call('POST', `/inventory-items/${at(ids, item)}/restore`);
  },
  async (by, ids, { item, units }) => {
    const { name } = (await by.call('GET', `/manage-inventory?_id=${at(ids, item)}`)).json()[0] ?? {};
    const file = { body: `name,quantity\n${name},${units}\n`, headers: { 'content-type': 'text/csv' } };
    const { id } = (await by.call('POST', '/imports', file)).json();
    await by.call('PUT', `/imports/${id}`, { body: { mapping: ['name', 'quantity'], mode: 'update' } });
    await by.call('POST', `/imports/${id}/apply`);
  },
];

const at = (ids: string[], item: number) => ids[item] ?? '';

describe.each(databases)('webhooks on %s', (database) => {
  test('every movement arrives once or more, and those of an item in their order, whatever the receiver answers', async () => {
    const shared = await testApp(database, config, parts);
    // On PostgreSQL two servers plan and send.
    const servers = database === 'SQLite' ? [shared] : [shared, await shared.sibling()];
    try {
      for (const { app } of servers) await app.listen({ host: '127.0.0.1', port: 0 });
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), (taken, seed) => run(servers, taken, seed)),
        { numRuns: 2, endOnFailure: true },
      );
    } finally {
      await shared.close();
    }
  }, 240_000);
});

async function run(servers: TestApp[], taken: Step[], seed: number): Promise<void> {
  const [first] = servers as [TestApp];
  const people: Person[] = [];
  for (const server of servers) people.push(await signedInAs(server));
  const [maker] = people as [Person];
  let calls = seed % 1_000;
  let isCalm = false;
  // The same request fails at one time and succeeds at another.
  const hook = await startReceiver(async (response) => {
    const call = calls++;
    if (!isCalm && call % 7 === 0) response.writeHead(500).end();
    else if (!isCalm && call % 11 === 0) response.destroy();
    else setTimeout(() => response.writeHead(200).end(), call % 5);
  });
  try {
    const body = { url: hook.url, events: ['stock.changed', 'item.deleted', 'item.restored'] };
    const { id } = (await maker.call('POST', '/webhooks', { body })).json();
    const items = await Promise.all(
      Array.from({ length: ITEMS }, () => anItem(maker, { name: `Oud ${randomUUID()}` })),
    );
    const ids = items.map(({ _id }) => _id);
    // Two people change the same items at the same time.
    const halves = people.map((person, index) => ({
      person,
      own: taken.filter((_, n) => n % people.length === index),
    }));
    await Promise.all(
      halves.map(async ({ person, own }) => {
        for (const step of own) await ways[step.what % ways.length]?.(person, ids, step);
      }),
    );
    await vi.waitFor(async () => {
      const running = await first.db.query.selectFrom('imports').select('id').where('state', '=', 'running').execute();
      expect(running).toEqual([]);
    }, soon);
    isCalm = true;
    const arrived = async () => {
      ahead += 60_000;
      for (const itemId of ids) {
        const movements = (await readPages<WireMovement>(maker, `/inventory-items/${itemId}/movements`)).toReversed();
        const events = hook.eventsOf(itemId).filter(({ type }) => type === 'stock.changed');
        expect(events.map(movementOf)).toEqual(movements.map(({ id }) => id));
        let quantity = 0;
        for (const { data } of events) {
          expect(quantity + (data.movement?.delta ?? 0)).toBe(data.movement?.quantityAfter);
          quantity = data.movement?.quantityAfter ?? 0;
        }
      }
    };
    await vi.waitFor(arrived, soon);
    const log = await readPages<{ state: string }>(maker, `/webhooks/${id}/deliveries?limit=200`);
    expect(log.filter(({ state }) => state === 'failed')).toEqual([]);
    await maker.call('DELETE', `/webhooks/${id}`);
  } finally {
    await hook.close();
  }
}

const movementOf = ({ data }: ReceivedEvent) => data.movement?.id;
