import { randomUUID } from 'node:crypto';
import type { WireMovement } from '@perfume/contract/ledger';
import type { WireDelivery, WireWebhook } from '@perfume/contract/webhooks';
import { MAX_SHARED_WEBHOOKS, MAX_WEBHOOKS, webhookEvents } from '@perfume/domain/webhooks';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Received, startReceiver } from '../../testing/receiver.ts';
import { MAX_BATCH, pruneChanges } from '../db/core/changes.ts';
import type { Queries } from '../db/core/statement.ts';
import { disablePerson } from '../houses/operator.store.ts';
import { lockItem } from '../items/items.store.ts';
import { applyDifference } from '../ledger/ledger.store.ts';
import { movementInput } from '../ledger/movement-row.ts';
import {
  anItem,
  deliver,
  edit,
  move,
  nextPage,
  onBothDatabases,
  type Person,
  readPages,
  signedInAs,
  type TestApp,
} from '../testing.ts';
import { addDeliveries, LEASE_MS, pruneDeliveries, tidyStep } from './deliveries.store.ts';
import { MAX_MADE, newProgress, planStep } from './plan-deliveries.ts';
import { webhookSecrets } from './secrets.ts';
import { signature } from './send-request.ts';
import { findOn, lockOn } from './webhooks.store.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** How far ahead the clock of the servers is. */
let ahead = 0;
const clock = () => Date.now() + ahead;
const soon = { timeout: 20_000, interval: 20 };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type Made = WireWebhook & { secret: string };

const hosts = ['127.0.0.1'];

onBothDatabases('webhooks', (shared) => describeWebhooks(shared), { webhookPrivateHosts: hosts }, { clock });

function describeWebhooks(shared: TestApp): void {
  const open: Receiver[] = [];
  beforeAll(() => shared.app.listen({ host: '127.0.0.1', port: 0 }));
  afterEach(async () => {
    ahead = 0;
    for (const receiver of open.splice(0)) await receiver.close();
    // What other tests left waiting is not sent any more.
    await shared.db.change((db) => db.updateTable('webhooks').set({ state: 'deleted' }).execute());
  });
  async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
    const started = await startReceiver(answer);
    open.push(started);
    return started;
  }

  async function made(by: Person, url: string, events: readonly string[] = webhookEvents): Promise<Made> {
    const answer = await by.call('POST', '/webhooks', { body: { url, events } });
    expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('whsec_')]);
    return answer.json<Made>();
  }

  const deliveriesOf = async (by: Person, { id }: WireWebhook, query = '') =>
    (await by.call('GET', `/webhooks/${id}/deliveries?limit=200${query}`)).json<WireDelivery[]>();
  const webhookOf = async (by: Person, { id }: WireWebhook) =>
    (await by.call('GET', '/webhooks')).json<WireWebhook[]>().find((one) => one.id === id);
  const emailsTo = async (person: Person) =>
    (await person.call('GET', '/demo/outbox', { headers: { accept: 'application/json' } }))
      .json<{ to: string; subject: string; text: string }[]>()
      .filter(({ to }) => to === person.user.email);
  const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers);

  describe('the list', () => {
    test('shows what was made, and the secret never again', async () => {
      const person = await signedInAs(shared);
      const { secret, ...webhook } = await made(person, 'https://hooks.example/in', ['stock.changed', 'stock.changed']);
      expect(webhook).toMatchObject({
        url: 'https://hooks.example/in',
        events: ['stock.changed'],
        active: true,
        offReason: null,
        by: { id: person.user.id },
      });
      const list = await person.call('GET', '/webhooks');
      expect(list.json()).toEqual([webhook]);
      expect(list.body).not.toContain(secret);
      const [row] = await shared.db.query.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).execute();
      expect(JSON.stringify(row)).not.toContain(secret.slice(6));
      expect(shared.log.join('')).not.toContain(secret);
    });

    test('is that of the person alone, where everybody shares one house', async () => {
      const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
      const webhook = await made(person, 'https://hooks.example/in');
      expect((await other.call('GET', '/webhooks')).json()).toEqual([]);
      for (const [method, path, body] of [
        ['PUT', '', { active: false }],
        ['DELETE', ''],
        ['POST', '/secret'],
        ['POST', '/test'],
        ['GET', '/deliveries'],
        ['POST', `/deliveries/${randomUUID()}/replay`],
      ] as const) {
        const answer = await other.call(method, `/webhooks/${webhook.id}${path}`, body && { body });
        expect([method, path, answer.json().code]).toEqual([method, path, 'webhook_not_found']);
      }
      expect(await webhookOf(person, webhook)).toMatchObject({ active: true });
    });

    test('refuses addresses that lead into the network of the server, and what is no address', async () => {
      const person = await signedInAs(shared);
      const refused = {
        'https://127.0.0.2/': 'private_address',
        'https://[::1]/': 'private_address',
        'https://[::ffff:10.0.0.1]/': 'private_address',
        'https://0x0a000001/': 'private_address',
        'https://169.254.169.254/latest/meta-data': 'private_address',
        'https://100.64.0.1/': 'private_address',
        'https://[64:ff9b::7f00:1]/': 'private_address',
        'https://user:secret@hooks.example/': 'not_a_web_address',
        'ftp://hooks.example/': 'not_a_web_address',
      };
      for (const [url, code] of Object.entries(refused)) {
        const answer = await person.call('POST', '/webhooks', { body: { url, events: ['stock.changed'] } });
        expect([url, answer.statusCode, answer.json().fieldCodes]).toEqual([url, 422, { url: code }]);
      }
      for (const events of [[], ['stock.moved'], 'stock.changed']) {
        const body = { url: 'https://hooks.example/', events };
        expect((await person.call('POST', '/webhooks', { body })).statusCode).toBe(422);
      }
      expect((await person.call('GET', '/webhooks')).json()).toEqual([]);
    });

    test('has at most ten', async () => {
      const person = await signedInAs(shared);
      for (let n = 0; n < MAX_WEBHOOKS; n++) await made(person, `https://hooks.example/${n}`);
      const body = { url: 'https://hooks.example/', events: ['stock.changed'] };
      expect((await person.call('POST', '/webhooks', { body })).json().code).toBe('too_many_webhooks');
      const [first] = (await person.call('GET', '/webhooks')).json<WireWebhook[]>();
      expect((await person.call('DELETE', `/webhooks/${first?.id}`)).statusCode).toBe(200);
      expect((await person.call('POST', '/webhooks', { body })).statusCode).toBe(201);
    });

    test('and all people together have at most fifty, because each of them gets what everybody does', async () => {
      const url = 'https://hooks.example/';
      let last = await signedInAs(shared);
      for (let left = MAX_SHARED_WEBHOOKS; left > 0; left -= 5) {
        last = await signedInAs(shared);
        for (let n = 0; n < 5; n++) await made(last, `${url}${n}`);
      }
      const body = { url, events: ['stock.changed'] };
      const newcomer = await signedInAs(shared);
      expect((await newcomer.call('POST', '/webhooks', { body })).json().code).toBe('too_many_webhooks');
      // Those of an account that the operator has disabled do not count.
      await shared.db.change((db) =>
        db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', last.user.id).execute(),
      );
      for (let n = 0; n < 5; n++) await made(newcomer, `${url}${n}`);
      expect((await newcomer.call('POST', '/webhooks', { body })).json().code).toBe('too_many_webhooks');
    });
  });

  describe('an event', () => {
    test('is sent for every kind of change, signed as the convention has it', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const before = await anItem(person);
      const webhook = await made(person, hook.url);
      const item = await anItem(person, { quantity: '12' });
      const movementId = await deliver(person, item._id);
      await edit(person, item._id, { name: 'Renamed' });
      await move(person, item._id, 'deliver', 3);
      await move(person, item._id, 'restock', 30);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      await vi.waitFor(() => expect(hook.eventsOf(item._id)).toHaveLength(10), soon);
      const events = hook.eventsOf(item._id);
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => !type.startsWith('alert.'))).toEqual([
        'item.created',
        'stock.changed',
        'stock.changed',
        'item.edited',
        'stock.changed',
        'stock.changed',
        'item.deleted',
        'item.restored',
      ]);
      expect(types.filter((type) => type.startsWith('alert.'))).toEqual(['alert.raised', 'alert.cleared']);
      const delivered = events.find(({ data }) => data.movement?.id === movementId);
      expect(delivered?.data.movement).toMatchObject({ delta: -1, quantityAfter: 11, kind: 'deliver' });
      const edited = events.find(({ type }) => type === 'item.edited');
      expect(edited?.data.entry).toMatchObject({ kind: 'edited', changes: [{ field: 'name', to: 'Renamed' }] });
      const raised = events.find(({ type }) => type === 'alert.raised');
      expect(raised?.data.alert).toMatchObject({ kind: 'low', quantity: 8 });
      for (const one of hook.received) {
        expect(verify(webhook.secret, one)).toEqual(one.event);
        expect(one.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
      }
      expect(hook.eventsOf(before._id)).toEqual([]);
    });

    test('is sent for an alert that a new reorder point raises, though the item itself did not change', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const item = await anItem(person);
      await made(person, hook.url, ['alert.raised']);
      const before = (await person.call('GET', '/settings')).json().reorderPoint;
      expect((await person.call('PUT', '/settings', { body: { reorderPoint: 50 } })).statusCode).toBe(200);
      await vi.waitFor(() => expect(hook.eventsOf(item._id)).toHaveLength(1), soon);
      expect(hook.eventsOf(item._id)[0]?.data.alert).toMatchObject({ kind: 'low', quantity: 42, lowAt: 50 });
      await person.call('PUT', '/settings', { body: { reorderPoint: before } });
    });

    test('is sent only if the webhook wants it', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      await made(person, hook.url, ['item.edited']);
      const item = await anItem(person);
      await deliver(person, item._id);
      await edit(person, item._id, { name: 'Renamed' });
      await vi.waitFor(() => expect(hook.received).toHaveLength(1), soon);
      expect(hook.received[0]?.event.type).toBe('item.edited');
    });

    test('has two signatures for a day after the secret was replaced', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const webhook = await made(person, hook.url, ['item.created']);
      const rotated = (await person.call('POST', `/webhooks/${webhook.id}/secret`)).json<Made>();
      expect(rotated.secret).not.toBe(webhook.secret);
      await person.call('POST', `/webhooks/${webhook.id}/test`);
      await vi.waitFor(() => expect(hook.received).toHaveLength(1), soon);
      for (const { secret } of [webhook, rotated]) {
        const [first] = hook.received as [Received];
        expect(verify(secret, first)).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
      }
      ahead += 25 * HOUR_MS;
      await person.call('POST', `/webhooks/${webhook.id}/test`);
      await vi.waitFor(() => expect(hook.received).toHaveLength(2), soon);
      expect(hook.received[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
      const [id, timestamp] = [hook.received[1]?.id, hook.received[1]?.headers['webhook-timestamp']];
      const expected = signature(rotated.secret, `${id}.${timestamp}.${hook.received[1]?.body}`);
      expect(hook.received[1]?.headers['webhook-signature']).toBe(expected);
    });

    test('is signed as before when AUTH_SECRET was replaced, also once the old one is gone', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const webhook = await made(person, hook.url);
      const previousSecret = shared.config.secret;
      for (const previous of [previousSecret, null]) {
        const server = await shared.sibling({
          secret: 'another secret for tests, long enough',
          previousSecret: previous,
        });
        await server.app.listen({ host: '127.0.0.1', port: 0 });
        await vi.waitFor(async () => {
          const row = await findOn(server.db.query, webhook.id);
          expect(row && webhookSecrets({ ...server.config, previousSecret: null }).of(row, clock())).toEqual([
            webhook.secret,
          ]);
        }, soon);
        await server.app.close();
      }
    });
  });

  describe('a receiver', () => {
    test('that fails and recovers gets everything, in the order of each item, while other items go on', async () => {
      const person = await signedInAs(shared);
      const [stuck, other] = [await anItem(person), await anItem(person)];
      let isDown = true;
      const hook = await receiver((response, { event }) => {
        const fails = isDown && event.data.item?._id === stuck._id;
        response.writeHead(fails ? 500 : 200).end();
      });
      const webhook = await made(person, hook.url, ['stock.changed']);
      for (let n = 0; n < 4; n++) {
        await deliver(person, stuck._id);
        await deliver(person, other._id);
      }
      await vi.waitFor(() => expect(hook.eventsOf(other._id)).toHaveLength(4), soon);
      await vi.waitFor(async () => {
        const [first] = await deliveriesOf(person, webhook, '&state=waiting').then((list) => list.slice(-1));
        expect(first).toMatchObject({ status: 500, reason: 'status', state: 'waiting' });
      }, soon);
      expect(hook.eventsOf(stuck._id)).toHaveLength(1);
      isDown = false;
      ahead += HOUR_MS;
      await vi.waitFor(() => expect(hook.eventsOf(stuck._id)).toHaveLength(4), soon);
      for (const { _id } of [stuck, other]) {
        const quantities = hook.eventsOf(_id).map(({ data }) => data.movement?.quantityAfter);
        expect(quantities).toEqual([41, 40, 39, 38]);
      }
      const attempts = hook.received.filter(({ event }) => event.data.movement?.quantityAfter === 41);
      expect(new Set(attempts.map(({ id }) => id)).size).toBe(2);
      await vi.waitFor(async () => expect(await webhookOf(person, webhook)).toMatchObject({ waiting: 0 }), soon);
      expect(await deliveriesOf(person, webhook, '&state=failed')).toEqual([]);
    });

    test('that hangs does not hold up the others', async () => {
      const person = await signedInAs(shared);
      const hanging = await receiver(() => {});
      const hook = await receiver();
      await made(person, hanging.url);
      await made(person, hook.url, ['stock.changed']);
      const items = await Promise.all(Array.from({ length: 8 }, () => anItem(person)));
      for (const { _id } of items) await deliver(person, _id);
      await vi.waitFor(() => expect(hook.received).toHaveLength(16), { timeout: 8_000, interval: 20 });
      expect(hanging.received.length).toBeLessThanOrEqual(4);
    });

    test('that never takes an event is tried for a day, then gets the next one; after three days it is switched off', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver((response) => response.writeHead(503).end());
      const webhook = await made(person, hook.url, ['stock.changed']);
      const item = await anItem(person);
      await vi.waitFor(() => expect(hook.received).toHaveLength(1), soon);
      const start = ahead;
      await deliver(person, item._id);
      // The time of the next attempt is known once the last one has ended.
      const endedAfter = async (attempts: number) => {
        const [row] = await shared.db.query
          .selectFrom('webhook_deliveries')
          .selectAll()
          .where('id', '=', hook.received[0]?.id ?? '')
          .execute();
        expect([row?.attempts, row?.due_at === (row?.tried_at ?? 0) + LEASE_MS]).toEqual([attempts, false]);
        return row?.due_at ?? 0;
      };
      for (let attempts = 1; attempts < 11; attempts++)
        ahead = (await vi.waitFor(() => endedAfter(attempts), soon)) - Date.now() + 1;
      await vi.waitFor(async () => expect(await deliveriesOf(person, webhook, '&state=failed')).toHaveLength(1), soon);
      expect(await deliveriesOf(person, webhook, '&state=failed')).toMatchObject([
        { attempts: 11, status: 503, reason: 'status', nextAt: null },
      ]);
      await vi.waitFor(() => expect(hook.eventsOf(item._id)).toHaveLength(2), soon);
      ahead = start + 75 * HOUR_MS;
      const isOff = async () => expect(await webhookOf(person, webhook)).toMatchObject({ active: false });
      await vi.waitFor(isOff, soon);
      expect(await webhookOf(person, webhook)).toMatchObject({ offReason: 'failing' });
      await vi.waitFor(async () => {
        const all = await deliveriesOf(person, webhook);
        expect(all.map(({ state, reason }) => [state, reason])).toContainEqual(['failed', 'switched_off']);
      }, soon);
      const sent = await emailsTo(person);
      expect(sent).toMatchObject([{ subject: expect.stringContaining('A webhook was switched off') }]);
      expect(sent[0]?.text).toContain('/dashboard/settings/webhooks');
    }, 60_000);

    test('that is gone is switched off at once, with one email a day', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver((response) => response.writeHead(410).end());
      const webhook = await made(person, hook.url);
      const tried = async () => {
        await person.call('PUT', `/webhooks/${webhook.id}`, { body: { active: true } });
        await person.call('POST', `/webhooks/${webhook.id}/test`);
        const isGone = { offReason: 'gone', waiting: 0 };
        await vi.waitFor(async () => expect(await webhookOf(person, webhook)).toMatchObject(isGone), soon);
      };
      await tried();
      await vi.waitFor(async () => expect(await emailsTo(person)).toHaveLength(1), soon);
      await tried();
      ahead += 25 * HOUR_MS;
      await tried();
      await vi.waitFor(async () => expect(await emailsTo(person)).toHaveLength(2), soon);
    });

    test('behind a name or a redirect that leads into the network of the server gets nothing', async () => {
      const person = await signedInAs(shared);
      const inside = await receiver();
      const hook = await receiver((response) => response.writeHead(307, { location: inside.url }).end());
      const redirected = await made(person, hook.url);
      const named = await made(person, inside.url.replace('127.0.0.1', 'localhost'));
      for (const { id } of [redirected, named]) await person.call('POST', `/webhooks/${id}/test`);
      await vi.waitFor(async () => {
        expect(await deliveriesOf(person, redirected)).toMatchObject([{ status: 307, reason: 'redirect' }]);
        expect(await deliveriesOf(person, named)).toMatchObject([{ status: null, reason: 'unreachable' }]);
      }, soon);
      expect(inside.received).toEqual([]);
    });

    test('gets what a server that crashed had taken', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const webhook = await made(person, hook.url);
      await shared.db.change(async (db) => {
        const locked = await lockOn(db, webhook.id);
        if (!locked) throw new Error('the webhook is on');
        await addDeliveries(db, locked, [{ type: 'webhook.test', ref: 'left', at: clock(), itemId: null }], clock());
        await db
          .updateTable('webhook_deliveries')
          .set({ attempts: 1, due_at: clock() + LEASE_MS })
          .where('webhook_id', '=', webhook.id)
          .execute();
      });
      expect(hook.received).toEqual([]);
      ahead += LEASE_MS + 1_000;
      await vi.waitFor(() => expect(hook.received).toHaveLength(1), soon);
    });
  });

  describe('the log', () => {
    test('has pages, and sends an event again under the same id', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const webhook = await made(person, hook.url, ['stock.changed']);
      const item = await anItem(person);
      for (let n = 0; n < 4; n++) await deliver(person, item._id);
      await vi.waitFor(() => expect(hook.received).toHaveLength(5), soon);
      await vi.waitFor(async () => expect(await webhookOf(person, webhook)).toMatchObject({ waiting: 0 }), soon);
      const seen: WireDelivery[] = [];
      for (let url: string | null = `/webhooks/${webhook.id}/deliveries?limit=2&state=delivered`; url; ) {
        const page = await person.call('GET', url);
        expect(page.json().length).toBeLessThanOrEqual(2);
        seen.push(...page.json<WireDelivery[]>());
        url = nextPage(page);
      }
      expect(seen.map(({ id }) => id)).toEqual(hook.received.map(({ id }) => id).reverse());
      const [first] = hook.received as [Received];
      const replayed = await person.call('POST', `/webhooks/${webhook.id}/deliveries/${first.id}/replay`);
      expect(replayed.json()).toMatchObject({ id: first.id, state: 'waiting', attempts: 0 });
      await vi.waitFor(() => expect(hook.received).toHaveLength(6), soon);
      expect(hook.received[5]).toMatchObject({ id: first.id, body: first.body });
      const unknown = await person.call('POST', `/webhooks/${webhook.id}/deliveries/${randomUUID()}/replay`);
      expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'delivery_not_found']);
    });

    test('keeps what is new, and not too much of it', async () => {
      const person = await signedInAs(shared);
      const webhook = await made(person, 'https://hooks.example/in', ['item.created']);
      const row = (n: number, at: number) => ({
        id: randomUUID(),
        webhook_id: webhook.id,
        queue: String(n),
        type: 'webhook.test' as const,
        ref: String(n),
        at,
        state: 'delivered' as const,
      });
      const rows = Array.from({ length: 5_100 }, (_, n) => row(n, n < 20 ? 0 : clock()));
      await shared.db.change(async (db) => {
        for (let n = 0; n < rows.length; n += 100)
          await db
            .insertInto('webhook_deliveries')
            .values(rows.slice(n, n + 100))
            .execute();
      });
      await pruneDeliveries(shared.db, clock());
      const kept = await shared.db.query
        .selectFrom('webhook_deliveries')
        .select('ref')
        .where('webhook_id', '=', webhook.id)
        .execute();
      expect(kept).toHaveLength(5_000);
      expect(Math.min(...kept.map(({ ref }) => Number(ref)))).toBe(100);
    });
  });

  describe('one that was made or switched on', () => {
    const quantitiesOf = (hook: Receiver, itemId: string) =>
      hook.eventsOf(itemId).flatMap(({ data }) => data.movement?.quantityAfter ?? data.alert?.quantity);

    test('gets a change that was asked for before and is committed after', async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const item = await anItem(person, { quantity: '12' });
      const setActive = (active: boolean) =>
        person.call('PUT', `/webhooks/${webhook.id}`, { body: { active } }).then(({ statusCode }) => statusCode);
      // A change has the time at which it was asked for, however long it had to wait.
      ahead = HOUR_MS;
      const webhook = await made(person, hook.url, ['stock.changed', 'alert.raised']);
      ahead = 0;
      await move(person, item._id, 'deliver', 4);
      await vi.waitFor(() => expect(quantitiesOf(hook, item._id)).toEqual([8, 8]), soon);
      await vi.waitFor(async () => expect(await webhookOf(person, webhook)).toMatchObject({ waiting: 0 }), soon);
      ahead = 2 * HOUR_MS;
      expect([await setActive(false), await setActive(true)]).toEqual([200, 200]);
      ahead = 0;
      await move(person, item._id, 'deliver', 8);
      await vi.waitFor(() => expect(quantitiesOf(hook, item._id)).toEqual([8, 8, 0, 0]), soon);
    });

    test('gets nothing that was committed before, though an older transaction held it back', async () => {
      if (shared.database !== 'PostgreSQL') return;
      const person = await signedInAs(shared);
      const hook = await receiver();
      const [item, locked] = [await anItem(person, { quantity: '12' }), await anItem(person, { quantity: '12' })];
      const older = await holdItem(shared, locked._id);
      await move(person, item._id, 'deliver', 4);
      const waiting = move(person, locked._id, 'deliver', 5);
      await made(person, hook.url, ['stock.changed', 'alert.raised']);
      await older.end();
      await waiting;
      await move(person, item._id, 'deliver', 8);
      await vi.waitFor(() => expect(quantitiesOf(hook, item._id)).toEqual([0, 0]), soon);
      await vi.waitFor(() => expect(quantitiesOf(hook, locked._id)).toEqual([7, 7]), soon);
    });
  });

  test.runIf(shared.database === 'PostgreSQL')(
    'gets movements in the order of the ledger, though an older transaction moved the item later and a third goes on',
    async () => {
      const person = await signedInAs(shared);
      const hook = await receiver();
      const [first, second, third] = [await anItem(person), await anItem(person), await anItem(person)];
      await made(person, hook.url, ['stock.changed']);
      const openTransaction = async (itemId: string, then: (db: Queries) => Promise<void>) => {
        const [hasBegun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const done = shared.db.change(async (db) => {
          await restock(db, person, itemId);
          hasBegun.resolve();
          await goOn.promise;
          await then(db);
        });
        await hasBegun.promise;
        return { goOn: goOn.resolve, done };
      };
      const older = await openTransaction(first._id, async (db) => {
        for (let n = 0; n < 3; n++) await restock(db, person, second._id);
      });
      // The feed holds back what began after this one.
      const running = await openTransaction(third._id, async () => {});
      await deliver(person, second._id);
      older.goOn();
      await older.done;
      await vi.waitFor(() => expect(hook.eventsOf(second._id)).toHaveLength(4), soon);
      running.goOn();
      await running.done;
      await vi.waitFor(() => expect(hook.eventsOf(third._id)).toHaveLength(1), soon);
      const movements = await readPages<WireMovement>(person, `/inventory-items/${second._id}/movements`);
      const sent = hook.eventsOf(second._id).map(({ data }) => data.movement?.id);
      expect(sent).toEqual(
        movements
          .slice(0, -1)
          .map(({ id }) => id)
          .toReversed(),
      );
    },
  );

  test('what happens while it is off is not sent, and nothing is sent to one that was deleted', async () => {
    const person = await signedInAs(shared);
    const hook = await receiver();
    const webhook = await made(person, hook.url, ['stock.changed']);
    const item = await anItem(person);
    await vi.waitFor(() => expect(hook.received).toHaveLength(1), soon);
    const set = (body: object) => person.call('PUT', `/webhooks/${webhook.id}`, { body });
    expect((await set({ active: false })).json()).toMatchObject({ active: false, offReason: 'by_hand' });
    expect((await person.call('POST', `/webhooks/${webhook.id}/test`)).json().code).toBe('webhook_off');
    await deliver(person, item._id);
    expect((await set({ active: true })).json()).toMatchObject({ active: true, offReason: null });
    await deliver(person, item._id);
    await vi.waitFor(() => expect(hook.eventsOf(item._id).at(-1)?.data.movement?.quantityAfter).toBe(40), soon);
    expect(hook.eventsOf(item._id).map(({ data }) => data.movement?.quantityAfter)).toEqual([42, 40]);
    expect((await person.call('DELETE', `/webhooks/${webhook.id}`)).statusCode).toBe(200);
    expect((await person.call('GET', `/webhooks/${webhook.id}/deliveries`)).statusCode).toBe(404);
    const gone = async () =>
      expect(
        await shared.db.query
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('webhook_id', '=', webhook.id)
          .execute(),
      ).toEqual([]);
    await vi.waitFor(gone, soon);
  });

  test('a disabled account sends nothing more', async () => {
    const person = await signedInAs(shared);
    const webhook = await made(person, 'https://hooks.example/in');
    await disablePerson(shared.db, { id: person.user.id, disabled: true, at: clock() });
    expect(await findOn(shared.db.query, webhook.id)).toBeNull();
  });

  test('an account takes its webhooks with it', async () => {
    const person = await signedInAs(shared);
    const webhook = await made(person, 'https://hooks.example/in');
    await person.call('POST', `/webhooks/${webhook.id}/test`);
    expect((await person.call('GET', '/account/data')).json().webhooks).toMatchObject([{ url: webhook.url }]);
    expect((await person.call('POST', '/api/auth/delete-user', { body: {} })).statusCode).toBe(200);
    // Nothing is sent from now on. The deliveries, which may be many, are removed in small steps.
    expect(await findOn(shared.db.query, webhook.id)).toBeNull();
    const left = () => shared.db.query.selectFrom('webhooks').select('id').where('id', '=', webhook.id).execute();
    await vi.waitFor(async () => expect(await left()).toEqual([]), soon);
  });
}

/** Locks an item in a transaction, until `end`. Changes of the item wait for it. */
async function holdItem({ db }: TestApp, itemId: string): Promise<{ end(): Promise<void> }> {
  const [isHeld, isEnding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = db.change(async (db) => {
    await lockItem(db, itemId);
    isHeld.resolve();
    await isEnding.promise;
  });
  await isHeld.promise;
  return {
    end() {
      isEnding.resolve();
      return held;
    },
  };
}

/** The newest change always stays, so there must be another one. */
async function insertLater({ db }: TestApp): Promise<void> {
  await db.change((db) =>
    db.insertInto('changes').values({ house: 1, item_id: '', kind: 'view', at: Date.now() }).execute(),
  );
}

function restock(db: Queries, { user }: Person, itemId: string, at = Date.now(), delta = 1) {
  const change = { kind: delta > 0 ? 'restock' : 'deliver', delta } as const;
  const more = { note: null, batch: null, idempotency: null };
  return applyDifference(db, movementInput({ id: randomUUID(), itemId, change, actor: user, at, ...more }, change));
}

onBothDatabases('webhooks of a house', (shared) => describeHouses(shared), { access: 'houses' });

function describeHouses(shared: TestApp): void {
  async function aHouse() {
    const owner = await signedInAs(shared);
    const { id } = (await owner.call('POST', '/houses', { body: { name: 'Maison' } })).json();
    return { owner, id };
  }
  const body = { url: 'https://hooks.example/in', events: ['stock.changed'] };
  const kindsOf = async (owner: Person, house: string) =>
    (await owner.call('GET', `/houses/${house}/events`)).json<{ kind: string }[]>().map(({ kind }) => kind);

  test('belong to the house, whose history tells who made, changed and deleted them', async () => {
    const { owner, id: house } = await aHouse();
    const { id } = (await owner.call('POST', '/webhooks', { body })).json();
    await owner.call('PUT', `/webhooks/${id}`, { body: { url: 'https://hooks.example/other' } });
    await owner.call('PUT', `/webhooks/${id}`, { body: { active: false } });
    await owner.call('PUT', `/webhooks/${id}`, { body: { active: true } });
    await owner.call('DELETE', `/webhooks/${id}`);
    expect((await kindsOf(owner, house)).slice(0, 5)).toEqual([
      'webhook_deleted',
      'webhook_on',
      'webhook_off',
      'webhook_changed',
      'webhook_made',
    ]);
    const text = (await owner.call('GET', `/houses/${house}/events`)).body;
    expect(text).toContain('hooks.example');
    // Whoever knows the rest can often send to it, and every member reads this.
    expect(text).not.toContain('hooks.example/');
  });

  // The dispatcher, which would mark it as failed, runs only on a server that listens.
  test('are not switched on while what waited is being marked as failed', async () => {
    const { owner } = await aHouse();
    const { id } = (await owner.call('POST', '/webhooks', { body })).json();
    await owner.call('POST', `/webhooks/${id}/test`);
    const setActive = (active: boolean) => owner.call('PUT', `/webhooks/${id}`, { body: { active } });
    expect((await setActive(false)).json()).toMatchObject({ active: false });
    expect((await setActive(true)).statusCode).toBe(503);
    while (await tidyStep(shared.db));
    expect((await setActive(true)).json()).toMatchObject({ active: true, waiting: 0 });
    const deliveries = (await owner.call('GET', `/webhooks/${id}/deliveries`)).json();
    expect(deliveries).toMatchObject([{ state: 'failed', reason: 'switched_off' }]);
  });

  // The dispatcher, which would plan them, runs only on a server that listens.
  test('are planned a few at a time and once each, though an item moved many times within a millisecond', async () => {
    const { owner } = await aHouse();
    const { _id: itemId } = await anItem(owner, { quantity: '1' });
    const at = Date.now() + HOUR_MS;
    const sellOut = (times: number) =>
      shared.db.change(async (db) => {
        for (let n = 0; n < times; n++) for (const delta of [-1, 1]) await restock(db, owner, itemId, at, delta);
      });
    await sellOut(10);
    const events = ['stock.changed', 'alert.raised'];
    const ids: string[] = [];
    for (let n = 0; n < MAX_WEBHOOKS; n++)
      ids.push((await owner.call('POST', '/webhooks', { body: { ...body, events } })).json().id);
    await sellOut(2 * MAX_BATCH);
    const waiting = async () => {
      const rows = await shared.db.query.selectFrom('webhooks').select('waiting').where('id', 'in', ids).execute();
      return rows.map(({ waiting }) => Number(waiting));
    };
    const sum = async () => (await waiting()).reduce((all, one) => all + one, 0);
    const progress = newProgress();
    for (let hasMore = true; hasMore; ) {
      const before = await sum();
      hasMore = (await planStep(shared.db, progress, at))?.hasMore ?? false;
      expect((await sum()) - before).toBeLessThanOrEqual(2 * MAX_MADE);
    }
    expect(await waiting()).toEqual(ids.map(() => 2 * MAX_BATCH * 3));
  });

  // The dispatcher, which would move the position, runs only on a server that listens.
  test('what is not planned yet stays in the change feed, but not for ever', async () => {
    await shared.db.change(async (db) => {
      await db.deleteFrom('webhook_cursor').execute();
      for (const at of [1, 2, 3])
        await db.insertInto('changes').values({ house: 1, item_id: '', kind: 'view', at }).execute();
    });
    const all = () => shared.db.query.selectFrom('changes').select('seq').where('at', '<=', 3).orderBy('seq').execute();
    const [first] = await all();
    await shared.db.change((db) =>
      db
        .insertInto('webhook_cursor')
        .values({ one: 1, txid: 0, seq: first?.seq ?? 0 })
        .execute(),
    );
    await insertLater(shared);
    await pruneChanges(shared.db, 3 * HOUR_MS);
    expect((await all()).length).toBeGreaterThanOrEqual(2);
    await pruneChanges(shared.db, 80 * HOUR_MS);
    expect(await all()).toEqual([]);
    await shared.db.change((db) => db.deleteFrom('webhook_cursor').execute());
  });

  // The dispatcher, which would plan them, runs only on a server that listens.
  test('hear nothing of another house, whose changes are planned in the same step', async () => {
    const houses = [await aHouse(), await aHouse()];
    const made = await Promise.all(
      houses.map(async ({ owner }) => {
        const { _id: itemId } = await anItem(owner, { quantity: '5' });
        const { id } = (await owner.call('POST', '/webhooks', { body })).json<{ id: string }>();
        return { owner, itemId, id };
      }),
    );
    for (const { owner, itemId } of made) await deliver(owner, itemId);
    const progress = newProgress();
    const heard = async ({ owner, id }: (typeof made)[number]) => {
      const deliveries = (await owner.call('GET', `/webhooks/${id}/deliveries`)).json<WireDelivery[]>();
      return deliveries.map(({ itemId }) => itemId);
    };
    const planned = async () => {
      while ((await planStep(shared.db, progress, Date.now()))?.hasMore);
      return Promise.all(made.map(heard));
    };
    // On PostgreSQL a change comes when all older transactions have ended, also those of other databases.
    await expect.poll(planned, { timeout: 10_000 }).toEqual(made.map(({ itemId }) => [itemId]));
  });

  test('are gone with the house', async () => {
    const { owner, id: house } = await aHouse();
    const { id } = (await owner.call('POST', '/webhooks', { body })).json();
    expect((await owner.call('DELETE', `/houses/${house}`)).statusCode).toBe(200);
    const [row] = await shared.db.query.selectFrom('webhooks').select('state').where('id', '=', id).execute();
    expect(row?.state ?? 'deleted').toBe('deleted');
  });
}
