import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@perfume/contract/endpoint';
import { readDeadStock, readFigures, readSellers, readSeries, readSuppliers } from '@perfume/contract/insights';
import { DAY_MS, dayOf, dayText, HOUR_MS } from '@perfume/domain/insights';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { anItem, edit, move, onBothAndKept, type Person, signedInAs, type TestApp } from '../testing.ts';

// The tests start in the past, so that they can move the clock forward while sign-ins stay valid.
const START = Date.now() - 80 * DAY_MS;
let now = START;

onBothAndKept('insights', insightTests, { clock: () => now });

function insightTests(shared: TestApp): void {
  let person: Person;
  beforeAll(async () => {
    now = START;
    person = await signedInAs(shared);
  });
  // Every test has a day of its own.
  beforeEach(() => {
    now += DAY_MS;
  });

  async function read<E extends Endpoint>(
    endpoint: E,
    query = '',
  ): Promise<z.output<E['replies'][200 & keyof E['replies']]>> {
    const answer = await person.call('GET', `${endpoint.path}${query}`);
    expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
    return z.parse(endpoint.replies[200] as z.ZodMiniType, answer.json()) as never;
  }
  const figures = () => read(readFigures);
  /** Records a movement and returns its id. */
  async function record(itemId: string, kind: 'deliver' | 'restock' | 'correction', units: number): Promise<string> {
    const answer = await move(person, itemId, kind, units);
    expect(answer.statusCode).toBe(201);
    return answer.json().movement.id;
  }
  const undo = (id: string) =>
    person.call('POST', `/movements/${id}/undo`, { headers: { 'idempotency-key': randomUUID() } });
  const period = (days: number, more = '') =>
    `?from=${dayText(dayOf(now) - days + 1)}&to=${dayText(dayOf(now))}${more}`;
  const newSupplier = () => `House ${randomUUID().slice(0, 8)}`;

  describe('the figures', () => {
    test('include a delivery at once', async () => {
      const item = await anItem(person, { quantity: 20, price: 12.5 });
      const before = await figures();
      await record(item._id, 'deliver', 3);
      const after = await figures();
      expect(after.unitsOnHand - before.unitsOnHand).toBe(-3);
      expect(after.valueCents - before.valueCents).toBe(-3_750);
      expect(after.delivered.week.units - before.delivered.week.units).toBe(3);
      expect(after.delivered.month.units - before.delivered.month.units).toBe(3);
      expect(Date.parse(after.asOf)).toBe(now);
    });

    test.runIf(shared.database === 'SQLite')(
      'are read elsewhere after an import, and keep nobody waiting',
      async () => {
        const items = await Promise.all(Array.from({ length: 200 }, () => anItem(person, { quantity: 1 })));
        const ids = items.map(({ _id }) => _id);
        const long = vi.spyOn(shared.db, 'keptQuery');
        onTestFinished(() => long.mockRestore());
        const before = await figures();
        const short = long.mock.calls.length;
        for (let n = 0; n < 10; n++)
          await person.call('POST', '/bulk', { body: { action: 'restock', units: 1, ids, batch: randomUUID() } });
        expect((await figures()).unitsOnHand - before.unitsOnHand).toBe(2_000);
        expect(long.mock.calls.length).toBeGreaterThan(short);
      },
    );

    test('leave out an undone delivery, and count it again when the undo is undone', async () => {
      const item = await anItem(person, { quantity: 20 });
      const before = await figures();
      const undone = await undo(await record(item._id, 'deliver', 4));
      expect((await figures()).delivered).toEqual(before.delivered);
      await undo(undone.json().movement.id);
      expect((await figures()).delivered.week.units - before.delivered.week.units).toBe(4);
    });

    test('do not count the undo of a restock as a delivery', async () => {
      const item = await anItem(person, { quantity: 5 });
      const before = await figures();
      await undo(await record(item._id, 'restock', 9));
      expect(await figures()).toMatchObject({ delivered: before.delivered, restocked: before.restocked });
    });

    test('leave out deleted items until they are restored, but keep their deliveries', async () => {
      const item = await anItem(person, { quantity: 0 });
      await record(item._id, 'restock', 6);
      await record(item._id, 'deliver', 1);
      const before = await figures();
      await person.call('DELETE', `/inventory-items/${item._id}`);
      const deleted = await figures();
      expect([
        deleted.items - before.items,
        deleted.unitsOnHand - before.unitsOnHand,
        deleted.low - before.low,
      ]).toEqual([-1, -5, -1]);
      expect(deleted.delivered).toEqual(before.delivered);
      await person.call('POST', `/inventory-items/${item._id}/restore`);
      expect(await figures()).toEqual(before);
    });

    test('count items at or below their reorder point as low, including those out of stock', async () => {
      const before = await figures();
      await anItem(person, { quantity: 0 });
      await anItem(person, { quantity: 10 });
      const many = await anItem(person, { quantity: 11 });
      const after = await figures();
      expect([after.out - before.out, after.low - before.low, after.items - before.items]).toEqual([1, 2, 3]);
      await edit(person, many._id, { reorderPoint: 11 });
      expect((await figures()).low - before.low).toBe(3);
    });

    test('value the stock at its current prices', async () => {
      const item = await anItem(person, { quantity: 4, price: 10 });
      const before = await figures();
      await edit(person, item._id, { price: 12 });
      expect((await figures()).valueCents - before.valueCents).toBe(800);
    });

    test('compare a period with the one before it', async () => {
      const item = await anItem(person, { quantity: 100 });
      const before = await figures();
      await record(item._id, 'deliver', 7);
      now += 7 * DAY_MS;
      await record(item._id, 'deliver', 2);
      const { week, month } = (await figures()).delivered;
      expect(week).toEqual({ units: 2, before: before.delivered.week.units + 7 });
      expect(month.units).toBe(before.delivered.month.units + 9);
      now += 8 * DAY_MS;
      expect((await figures()).delivered.week).toEqual({ units: 0, before: 2 });
    });

    test('cover the same days as the series, also across midnight and after an undo', async () => {
      now = Math.ceil(now / DAY_MS) * DAY_MS + 20 * HOUR_MS;
      const item = await anItem(person, { quantity: 500 });
      const early = await record(item._id, 'restock', 40);
      for (let day = 0; day < 15; day++) {
        await record(item._id, 'restock', 11 + day);
        await record(item._id, 'deliver', 1 + day);
        now += DAY_MS;
      }
      // At 3:00, the last seven times 24 hours reach back to an eighth day, which must not count.
      now = Math.floor(now / DAY_MS) * DAY_MS + 3 * HOUR_MS;
      const recent = await record(item._id, 'deliver', 9);
      now += DAY_MS;
      async function expectSameAsSeries(): Promise<void> {
        const shown = await figures();
        for (const kind of ['delivered', 'restocked'] as const) {
          const within = async (days: number) =>
            (await read(readSeries, period(days))).points.reduce((sum, point) => sum + point[kind], 0);
          const [week, fortnight, month] = [await within(7), await within(14), await within(30)];
          expect(shown[kind].week).toEqual({ units: week, before: fortnight - week });
          expect(shown[kind].month.units).toBe(month);
        }
      }
      await expectSameAsSeries();
      const before = await figures();
      const undone = await undo(recent);
      await expectSameAsSeries();
      expect((await figures()).delivered.week.units).toBe(before.delivered.week.units - 9);
      await undo(early);
      await expectSameAsSeries();
      // The undo counts on the day of the undone restock, which is more than a week ago.
      expect((await figures()).restocked.week).toEqual(before.restocked.week);
      await undo(undone.json().movement.id);
      await expectSameAsSeries();
      expect((await figures()).delivered).toEqual(before.delivered);
      now += 2 * HOUR_MS;
      await expectSameAsSeries();
      expect((await figures()).delivered.week).toEqual(before.delivered.week);
    });

    test('can add up the most valuable stock possible', async () => {
      const before = await figures();
      const supplier = newSupplier();
      const created = [];
      for (let n = 0; n < 12; n++)
        created.push(await anItem(person, { quantity: 1_000_000_000, price: 10_000_000, suplierName: supplier }));
      expect((await figures()).valueCents).toBeGreaterThan(1.19e19);
      const { suppliers, total } = await read(readSuppliers);
      expect(suppliers[0]).toMatchObject({ suplierName: supplier, items: 12 });
      expect(total.valueCents).toBeGreaterThan(1.19e19);
      expect((await read(readDeadStock, '?days=1')).days).toBe(1);
      expect((await read(readSellers, `?order=slowest&supplier=${supplier}`)).items).toHaveLength(12);
      const asOf = await person.call('GET', `/as-of/figures?at=${new Date(now).toISOString()}`);
      expect(asOf.json()).toMatchObject({ valueCents: expect.toSatisfy((worth) => worth > 1.19e19) });
      for (const { _id } of created) await person.call('DELETE', `/inventory-items/${_id}`);
      expect((await figures()).valueCents).toBe(before.valueCents);
    });
  });

  describe('the series', () => {
    test('ends with the current stock, and its parts add up', async () => {
      const item = await anItem(person, { quantity: 30 });
      now += DAY_MS;
      await record(item._id, 'deliver', 4);
      await record(item._id, 'correction', -2);
      const { points, step, from, to } = await read(readSeries, period(10));
      const { unitsOnHand, valueCents } = await figures();
      expect([step, points.length, from, to]).toEqual(['day', 10, points[0]?.from, points.at(-1)?.to]);
      expect(points.at(-1)).toMatchObject({ unitsOnHand, valueCents, delivered: 4, corrected: -2, other: 0 });
      expect(points.at(-2)?.other).toBeGreaterThanOrEqual(30);
      for (const [n, point] of points.entries()) {
        const before = points[n - 1];
        const change = point.restocked - point.delivered + point.corrected + point.other;
        if (before) expect(point.unitsOnHand).toBe(before.unitsOnHand + change);
      }
    });

    test('counts each day once by week and by month', async () => {
      const total = async (step: string) =>
        (await read(readSeries, period(60, `&step=${step}`))).points.reduce((sum, point) => sum + point.delivered, 0);
      expect(await total('day')).toBeGreaterThan(0);
      expect([await total('week'), await total('month')]).toEqual([await total('day'), await total('day')]);
      const [, second] = (await read(readSeries, period(60, '&step=week'))).points;
      expect(new Date(`${second?.from}`).getUTCDay()).toBe(1);
    });

    test('of one supplier leaves out the others, and follows an item to another supplier', async () => {
      const [mine, other] = [newSupplier(), newSupplier()];
      const item = await anItem(person, { quantity: 8, suplierName: mine });
      await anItem(person, { quantity: 100, suplierName: other });
      await record(item._id, 'deliver', 3);
      const last = async (name: string) => (await read(readSeries, period(3, `&supplier=${name}`))).points.at(-1);
      expect(await last(mine.toUpperCase())).toMatchObject({ unitsOnHand: 5, delivered: 3 });
      await edit(person, item._id, { suplierName: other });
      expect(await last(mine)).toMatchObject({ unitsOnHand: 0, delivered: 0 });
      expect(await last(other)).toMatchObject({ unitsOnHand: 105, delivered: 3 });
    });

    test('keeps past values when a price changes', async () => {
      const supplier = newSupplier();
      const item = await anItem(person, { quantity: 10, price: 5, suplierName: supplier });
      now += DAY_MS;
      await edit(person, item._id, { price: 8 });
      const { points } = await read(readSeries, period(3, `&supplier=${supplier}`));
      expect(points.map((point) => point.valueCents)).toEqual([0, 5_000, 8_000]);
    });
  });

  describe('the sellers', () => {
    test('are listed fastest or slowest first, with the days of stock left and the figures behind them', async () => {
      const supplier = newSupplier();
      const slow = await anItem(person, { quantity: 50, name: 'Slow', suplierName: supplier });
      const fast = await anItem(person, { quantity: 50, name: 'Fast', suplierName: supplier });
      await anItem(person, { quantity: 50, name: 'Still', suplierName: supplier });
      now += 10 * DAY_MS;
      await record(slow._id, 'deliver', 5);
      await record(fast._id, 'deliver', 30);
      const { items } = await read(readSellers, period(20, `&supplier=${supplier}`));
      expect(
        items.map(({ name, delivered, days, onHand, daysLeft }) => [name, delivered, days, onHand, daysLeft]),
      ).toEqual([
        ['Fast', 30, 10, 20, 6],
        ['Slow', 5, 10, 45, 90],
      ]);
      expect(items[0]?.perDay).toBe(3);
      const slowest = await read(readSellers, period(20, `&supplier=${supplier}&order=slowest&limit=2`));
      expect(slowest.items.map(({ name, daysLeft }) => [name, daysLeft])).toEqual([
        ['Still', null],
        ['Slow', 90],
      ]);
    });

    test('do not include deleted items', async () => {
      const supplier = newSupplier();
      const item = await anItem(person, { quantity: 5, suplierName: supplier });
      await record(item._id, 'deliver', 1);
      await person.call('DELETE', `/inventory-items/${item._id}`);
      expect((await read(readSellers, `?supplier=${supplier}`)).items).toEqual([]);
    });
  });

  test('suppliers are listed with their stock and deliveries, the most valuable first', async () => {
    const supplier = newSupplier();
    const item = await anItem(person, { quantity: 10, price: 20, suplierName: supplier });
    await anItem(person, { quantity: 1, price: 1, suplierName: supplier.toLowerCase() });
    await record(item._id, 'deliver', 4);
    const { suppliers, total } = await read(readSuppliers, period(2, '&limit=200'));
    const mine = suppliers.find(({ suplierName }) => suplierName.toLowerCase() === supplier.toLowerCase());
    expect(mine).toMatchObject({ items: 2, unitsOnHand: 7, valueCents: 12_100, delivered: 4 });
    expect(total.unitsOnHand).toBe((await figures()).unitsOnHand);
    expect(suppliers.map(({ valueCents }) => valueCents)).toEqual(
      suppliers.map(({ valueCents }) => valueCents).toSorted((a, b) => b - a),
    );
  });

  test('dead stock lists the items without deliveries in a period, and the value of their stock', async () => {
    const supplier = newSupplier();
    const still = await anItem(person, { quantity: 3, price: 100, name: 'Still', suplierName: supplier });
    const sold = await anItem(person, { quantity: 3, name: 'Sold', suplierName: supplier });
    const once = await anItem(person, { quantity: 9, price: 10, name: 'Once', suplierName: supplier });
    await record(once._id, 'deliver', 1);
    now += 12 * DAY_MS;
    await record(sold._id, 'deliver', 1);
    await undo(await record(still._id, 'deliver', 1));
    const mistake = await record(still._id, 'deliver', 1);
    now += DAY_MS;
    await figures();
    await undo(mistake);
    await anItem(person, { quantity: 3, name: 'New', suplierName: supplier });
    const dead = await read(readDeadStock, `?days=10&supplier=${supplier}`);
    expect(dead.items.map(({ name, valueCents, idleDays }) => [name, valueCents, idleDays])).toEqual([
      ['Still', 30_000, 13],
      ['Once', 8_000, 13],
    ]);
    expect(dead.items.map(({ lastDelivered }) => lastDelivered)).toEqual([null, dayText(dayOf(now) - 13)]);
    expect(dead.total).toEqual({ items: 2, unitsOnHand: 11, valueCents: 38_000 });
    expect((await read(readDeadStock, `?days=14&supplier=${supplier}`)).items).toEqual([]);
  });

  test.each([
    ['/insights/series?from=yesterday', 'from'],
    ['/insights/series?from=2026-02-30', 'from'],
    ['/insights/series?step=hour', 'step'],
    ['/insights/series?from=2020-01-01', 'step'],
    ['/insights/series?from=1990-01-01&step=month', 'from'],
    ['/insights/series?from=2026-02-02&to=2026-02-01', 'from'],
    ['/insights/sellers?order=best', 'order'],
    ['/insights/sellers?limit=201', 'limit'],
    ['/insights/sellers?limit=0', 'limit'],
    ['/insights/suppliers?to=9', 'to'],
    ['/insights/dead-stock?days=-1', 'days'],
    ['/insights/dead-stock?days=99999', 'days'],
    [`/insights/dead-stock?supplier=${'x'.repeat(201)}`, 'supplier'],
    ['/insights/dead-stock?supplier=a%00b', 'supplier'],
  ])('refuses %s', async (url, field) => {
    const answer = await person.call('GET', url);
    expect([answer.statusCode, answer.json().code, Object.keys(answer.json().fields)]).toEqual([
      400,
      'invalid_query',
      [field],
    ]);
  });

  test('a second server has the same figures, also after a change on the first', async () => {
    const other = await shared.sibling();
    const item = await anItem(person, { quantity: 5 });
    const onOther = () =>
      other.app.inject({ method: 'GET', url: '/insights/figures', headers: { cookie: person.cookie } });
    expect((await onOther()).json()).toEqual(await figures());
    await record(item._id, 'deliver', 1);
    expect((await onOther()).json()).toEqual(await figures());
  });

  test('answers 304 when the client has the current figures', async () => {
    const first = await person.call('GET', '/insights/figures');
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await person.call('GET', '/insights/figures', { headers })).statusCode).toBe(304);
    expect(first.headers['cache-control']).toBe('no-store');
  });
}
