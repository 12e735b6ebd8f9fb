import { randomUUID } from 'node:crypto';
import { type WireAlert, wireAlert } from '@perfume/contract/alerts';
import type { AlertKind } from '@perfume/domain/alerts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { anItem, edit, move, onBothDatabases, type Person, readPages, request, signedInAs } from '../testing.ts';
import { pruneAlerts } from './alerts.store.ts';

type Stock = { quantity: number; lowAt: number };

/** The alert that the database's trigger must raise. Lowering a reorder point does not count as a recovery. */
function expectedAlert(before: Stock, after: Stock): AlertKind | null {
  const wasLow = before.quantity <= before.lowAt;
  const isLow = after.quantity <= after.lowAt;
  if (after.quantity === 0 && before.quantity > 0) return 'out';
  if (isLow && !wasLow) return 'low';
  return !isLow && wasLow && after.quantity !== before.quantity ? 'recovered' : null;
}

onBothDatabases('low-stock alerts', (shared) => {
  /** Creates a person with an item of their own. */
  async function owner(quantity: number) {
    const person = await signedInAs(shared);
    return { person, item: await anItem(person, { quantity, email: person.user.email }) };
  }
  /**
   * Waits until all alerts are visible: PostgreSQL shows an alert once every older transaction has ended, in any
   * database of the cluster.
   */
  async function olderTransactionsEnded(): Promise<void> {
    if (shared.database === 'SQLite') return;
    const unfinished = sql<{ count: number }>`select count(*)::int as count from stock_alerts
      where txid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;
    await expect.poll(async () => (await unfinished.execute(shared.db.query)).rows[0]?.count).toBe(0);
  }
  async function alertsOf(person: Person): Promise<WireAlert[]> {
    await olderTransactionsEnded();
    const answer = await person.call('GET', '/alerts');
    return z.parse(z.array(wireAlert), answer.json());
  }
  /** All alerts of the person's items, oldest first, including those that are no longer true. */
  async function raised(person: Person): Promise<[kind: string, quantity: number][]> {
    const rows = await shared.db.query
      .selectFrom('stock_alerts')
      .innerJoin('items', 'items.id', 'stock_alerts.item_id')
      .select(['stock_alerts.kind', 'stock_alerts.quantity'])
      .where('items.email_key', '=', person.user.email)
      .orderBy('stock_alerts.num')
      .execute();
    return rows.map(({ kind, quantity }) => [kind, quantity]);
  }
  /** The alerts that the list shows now, newest first. */
  async function shown(person: Person): Promise<[kind: string, quantity: number][]> {
    return (await alertsOf(person)).map(({ kind, quantity }) => [kind, quantity]);
  }

  describe('an alert is raised once', () => {
    test.each([
      ['a delivery', 'deliver', 3, ['low', 9]],
      ['a delivery of all', 'deliver', 12, ['out', 0]],
      ['a correction', 'correction', -2, ['low', 10]],
    ] as const)('by %s', async (_, kind, units, expected) => {
      const { person, item } = await owner(12);
      await move(person, item._id, kind, units);
      expect(await raised(person)).toEqual([expected]);
    });

    test.each([
      ['Stock-Base', { 'stock-base': '11' }],
      ['Stock-Base and a key', { 'stock-base': '11', 'idempotency-key': randomUUID() }],
      ['If-Match', { 'if-match': '"1"' }],
      ['no header', {}],
    ])('by PUT with %s', async (_, headers) => {
      const { person, item } = await owner(11);
      const body = { quantity: '10' };
      await person.call('PUT', `/inventory-items/${item._id}`, { body, headers: headers as Record<string, string> });
      expect(await raised(person)).toEqual([['low', 10]]);
    });

    test('by an undo, in both directions', async () => {
      const { person, item } = await owner(12);
      const { movement } = (await move(person, item._id, 'deliver', 5)).json();
      const undone = await person.call('POST', `/movements/${movement.id}/undo`);
      await person.call('POST', `/history/${undone.json().movement.id}/undo`);
      expect(await raised(person)).toEqual([
        ['low', 7],
        ['recovered', 12],
        ['low', 7],
      ]);
    });

    test('by a bulk delivery, for each item, and by its undo', async () => {
      const { person, item } = await owner(11);
      const other = await anItem(person, { quantity: 1, email: person.user.email });
      const batch = randomUUID();
      const body = { batch, action: 'deliver', ids: [item._id, other._id] };
      await person.call('POST', '/bulk', { body, headers: { 'idempotency-key': randomUUID() } });
      await person.call('POST', `/batches/${batch}/undo`);
      expect(await raised(person)).toEqual([
        ['low', 10],
        ['out', 0],
        ['recovered', 11],
      ]);
    });

    test('and again when stock below the reorder point runs out', async () => {
      const { person, item } = await owner(12);
      for (let i = 0; i < 10; i++) await move(person, item._id, 'deliver', 1);
      expect(await raised(person)).toEqual([['low', 10]]);
      await move(person, item._id, 'deliver', 2);
      await move(person, item._id, 'restock', 5);
      await move(person, item._id, 'restock', 6);
      await move(person, item._id, 'restock', 6);
      expect(await raised(person)).toEqual([
        ['low', 10],
        ['out', 0],
        ['recovered', 11],
      ]);
    });

    test('by many deliveries at once on two servers', async () => {
      const { person, item } = await owner(30);
      const other = await shared.sibling();
      const body = { kind: 'deliver', units: 1 };
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) => {
          const headers = { cookie: person.cookie, 'idempotency-key': randomUUID() };
          return request(i % 2 ? other : shared, 'POST', `/inventory-items/${item._id}/movements`, { body, headers });
        }),
      );
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
      expect(await raised(person)).toEqual([
        ['low', 10],
        ['out', 0],
      ]);
    });

    test('by the same rule, whatever happens to quantity and reorder point', async () => {
      const { person, item } = await owner(8);
      const expected: [string, number][] = [];
      let now = { quantity: 8, lowAt: 10 };
      const steps = [
        ...[3, 5, 2, 8, 3].map((lowAt) => ({ lowAt })),
        ...[5, 3, 2, 0, 1, 3, 4, 0, 9, 1, 0, 3, 0, 4, 3].map((quantity) => ({ quantity })),
        ...[{ lowAt: 2 }, { quantity: 7 }, { lowAt: 8 }, { quantity: 0 }, { lowAt: 9 }],
      ];
      for (const step of steps) {
        const next = { ...now, ...step };
        if ('lowAt' in step) await edit(person, item._id, { reorderPoint: step.lowAt });
        else await person.call('PUT', `/inventory-items/${item._id}`, { body: step });
        const kind = expectedAlert(now, next);
        if (kind) expected.push([kind, next.quantity]);
        now = next;
      }
      expect(expected.length).toBeGreaterThan(8);
      expect(await raised(person)).toEqual(expected);
    });
  });

  describe('raising a reorder point above the quantity raises an alert', () => {
    test('for the item, once', async () => {
      const { person, item } = await owner(12);
      await edit(person, item._id, { reorderPoint: 20 });
      expect(await raised(person)).toEqual([['low', 12]]);
      expect(await shown(person)).toEqual([['low', 12]]);
      await edit(person, item._id, { reorderPoint: null });
      expect(await shown(person)).toEqual([]);
      await edit(person, item._id, { reorderPoint: 30 });
      expect(await raised(person)).toEqual([['low', 12]]);
      expect(await shown(person)).toEqual([['low', 12]]);
    });

    test('even for an item that has just recovered', async () => {
      const { person, item } = await owner(9);
      await move(person, item._id, 'restock', 3);
      await edit(person, item._id, { reorderPoint: 20 });
      expect(await shown(person)).toEqual([['low', 12]]);
    });

    test("for every item that follows the warehouse's point, at the time of the change", async () => {
      const { person, item } = await owner(12);
      const own = await anItem(person, { quantity: 12, email: person.user.email });
      await edit(person, own._id, { reorderPoint: 3 });
      const before = Date.now();
      await person.call('PUT', '/settings', { body: { reorderPoint: 15 } });
      const alerts = await alertsOf(person);
      await person.call('PUT', '/settings', { body: { reorderPoint: 10 } });
      expect(alerts).toMatchObject([{ itemId: item._id, kind: 'low', quantity: 12, lowAt: 15, seen: false }]);
      expect(Date.parse(alerts[0]?.at ?? '')).toBeGreaterThanOrEqual(before);
      expect(await shown(person)).toEqual([]);
    });
  });

  describe('the list shows what is true now', () => {
    test('and drops “out of stock” when the delivery that emptied the item is undone', async () => {
      const { person, item } = await owner(1);
      const { movement } = (await move(person, item._id, 'deliver', 1)).json();
      expect(await shown(person)).toEqual([['out', 0]]);
      const undone = await person.call('POST', `/movements/${movement.id}/undo`);
      expect(await shown(person)).toEqual([]);
      await person.call('POST', `/movements/${undone.json().movement.id}/undo`);
      expect(await shown(person)).toEqual([['out', 0]]);
    });

    test('with one alert per item, the one for its current state, and the quantity on hand', async () => {
      const { person, item } = await owner(12);
      await move(person, item._id, 'deliver', 4);
      expect(await shown(person)).toEqual([['low', 8]]);
      await move(person, item._id, 'deliver', 8);
      expect(await shown(person)).toEqual([['out', 0]]);
      await move(person, item._id, 'restock', 2);
      expect(await shown(person)).toEqual([['low', 2]]);
      await move(person, item._id, 'restock', 20);
      expect(await shown(person)).toEqual([['recovered', 22]]);
      await move(person, item._id, 'deliver', 22);
      await move(person, item._id, 'restock', 30);
      expect(await shown(person)).toEqual([['recovered', 30]]);
    });
  });

  describe('no alert is raised', () => {
    test('for a new item, however few units it has, nor for a refused delivery', async () => {
      const { person, item } = await owner(2);
      await move(person, item._id, 'deliver', 3);
      expect(await raised(person)).toEqual([]);
    });

    test('when the reorder point is lowered below the quantity', async () => {
      const { person, item } = await owner(8);
      await edit(person, item._id, { reorderPoint: 5 });
      expect(await raised(person)).toEqual([]);
    });

    test('for a deleted item, and its earlier alerts are hidden', async () => {
      const { person, item } = await owner(11);
      await move(person, item._id, 'deliver', 1);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      expect(await shown(person)).toEqual([]);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      expect(await shown(person)).toEqual([['low', 10]]);
    });

    test('twice, for a click that is sent twice', async () => {
      const { person, item } = await owner(11);
      const headers = { 'stock-base': '11', 'idempotency-key': randomUUID() };
      for (let i = 0; i < 3; i++) {
        await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '10' }, headers });
      }
      expect(await raised(person)).toEqual([['low', 10]]);
    });
  });

  describe('the list', () => {
    test("covers the reader's own items, or all items if they chose so", async () => {
      const [{ person, item }, other] = [await owner(11), await signedInAs(shared)];
      await move(other, item._id, 'deliver', 1);
      expect(await alertsOf(other)).toEqual([]);
      await other.call('PUT', '/settings', { body: { alerts: { about: 'all' } } });
      const answer = await other.call('GET', '/alerts?limit=1');
      expect(answer.json()).toMatchObject([{ itemId: item._id, mine: false }]);
      expect(answer.headers['x-alerts-about']).toBe('all');
      expect(await alertsOf(person)).toMatchObject([
        { itemId: item._id, itemName: item.name, kind: 'low', quantity: 10, lowAt: 10, mine: true, seen: false },
      ]);
    });

    test('is paged, newest first, and shows none twice', async () => {
      const person = await signedInAs(shared);
      for (let i = 0; i < 10; i++) {
        const item = await anItem(person, { quantity: 11, email: person.user.email });
        await move(person, item._id, 'deliver', 1);
      }
      await olderTransactionsEnded();
      const listed = await readPages<WireAlert>(person, '/alerts?limit=4');
      expect(listed.map(({ id }) => id)).toEqual((await alertsOf(person)).map(({ id }) => id));
      expect([listed.length, new Set(listed.map(({ id }) => id)).size]).toEqual([10, 10]);
    });

    test.each(['limit=0', 'limit=101', 'cursor=x', 'cursor=1-2-3'])('refuses %s', async (query) => {
      const person = await signedInAs(shared);
      expect((await person.call('GET', `/alerts?${query}`)).json().code).toBe('invalid_query');
    });

    test('drops alerts older than ninety days and does not reuse their ids', async () => {
      const { person, item } = await owner(11);
      await move(person, item._id, 'deliver', 1);
      const [old] = await alertsOf(person);
      await pruneAlerts(shared.db, Date.now() + 89 * 24 * 60 * 60 * 1_000);
      expect(await alertsOf(person)).toHaveLength(1);
      await pruneAlerts(shared.db, Date.now() + 91 * 24 * 60 * 60 * 1_000);
      expect(await alertsOf(person)).toEqual([]);
      await move(person, item._id, 'restock', 1);
      expect(Number((await alertsOf(person))[0]?.id)).toBeGreaterThan(Number(old?.id));
    });
  });

  describe('marking alerts as seen', () => {
    async function unseen(person: Person): Promise<{ unseen: string | undefined; upTo: string }> {
      await olderTransactionsEnded();
      const { headers } = await person.call('GET', '/alerts?limit=1');
      return { unseen: String(headers['x-unseen-count']), upTo: String(headers['x-alerts-up-to']) };
    }
    async function see(person: Person, upTo: unknown) {
      await olderTransactionsEnded();
      return person.call('POST', '/alerts/seen', { body: { upTo } });
    }

    test('covers every alert up to the position that was read, for each person separately', async () => {
      const { person, item } = await owner(11);
      const second = await anItem(person, { quantity: 11, email: person.user.email });
      const other = await signedInAs(shared);
      await other.call('PUT', '/settings', { body: { alerts: { about: 'all' } } });
      await move(person, item._id, 'deliver', 1);
      const read = await unseen(person);
      expect(read.unseen).toBe('1');
      await move(person, second._id, 'deliver', 1);
      expect((await see(person, read.upTo)).json()).toEqual({ unseen: 1 });
      expect((await alertsOf(person)).map(({ seen }) => seen)).toEqual([false, true]);
      expect(Number((await unseen(other)).unseen)).toBeGreaterThanOrEqual(2);
    });

    test('cannot be taken back, and does not cover future alerts', async () => {
      const { person, item } = await owner(11);
      await move(person, item._id, 'deliver', 1);
      const early = await unseen(person);
      await move(person, item._id, 'restock', 1);
      await see(person, (await unseen(person)).upTo);
      expect((await see(person, early.upTo)).json()).toEqual({ unseen: 0 });
      expect((await see(person, '999999999999-999999999999')).json()).toEqual({ unseen: 0 });
      await move(person, item._id, 'deliver', 1);
      expect((await unseen(person)).unseen).toBe('1');
    });

    test.each([undefined, 7, '7', '1-2-3', ''])('refuses a position such as %j', async (upTo) => {
      const person = await signedInAs(shared);
      const answer = await see(person, upTo);
      expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([422, ['upTo']]);
    });
  });
});
