import { DAY_MS, dayOf, HOUR_MS } from '@perfume/domain/insights';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongForm } from '../../testing/form.ts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { editItem } from '../items/edit.store.ts';
import { createItem, deleteItem, restoreItem, selectItem } from '../items/items.store.ts';
import { recordMovement, undoMovement } from '../ledger/ledger.store.ts';
import { onBothAndKept } from '../testing.ts';
import { readDeadStock } from './dead-stock.store.ts';
import { readFigures, readSeries } from './figures.store.ts';
import { readSellers } from './sellers.store.ts';
import { sumSettled } from './sums.store.ts';
import { readSuppliers } from './suppliers.store.ts';

/** The clocks of two servers may differ by this much without any effect. */
const CLOCK_SKEW_MS = 40 * 60_000;
const actor = { id: 'ann', name: 'Ann' };
const suppliers = ['Maison Verrière', 'Port & Fils'];

onBothAndKept('stored sums', (shared) => {
  // The model performs every step of these tests and computes the expected figures by itself.
  const model = createModel(() => shared.db);

  test('always give the figures of the whole ledger', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 25, maxLength: 60 }), async (steps) => {
        for (const step of steps) {
          await model.perform(step);
          if (!step.check) continue;
          await sumSettled(shared.db, SHARED_HOUSE, model.now(), 1 + (step.item % 5));
          await model.expectFigures();
        }
        await model.expectFigures();
      }),
      // Each run continues with the data of the run before it, so a failure cannot be shrunk.
      { numRuns: isLongForm || shared.database === 'SQLite' ? 8 : 4, endOnFailure: true },
    );
  });

  test('stay correct when two servers bring them up to date at once', async () => {
    const other = await shared.sibling();
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) await model.perform({ ...delivery, forward: 2 * HOUR_MS, units: n + 1 });
      await Promise.all(
        [shared.db, other.db].flatMap((db) => [
          sumSettled(db, SHARED_HOUSE, model.now()),
          sumSettled(db, SHARED_HOUSE, model.now()),
        ]),
      );
      await model.expectFigures();
    }
    expect(await readFigures(other.db, SHARED_HOUSE, model.now())).toEqual(
      await readFigures(shared.db, SHARED_HOUSE, model.now()),
    );
  });

  test('are added up a few at a time, however much happened within an hour', async () => {
    await model.perform({ ...delivery, act: 'create', units: 40, forward: DAY_MS });
    await model.perform({ ...delivery, forward: 3 * HOUR_MS });
    await sumSettled(shared.db, SHARED_HOUSE, model.now());
    for (let n = 0; n < 12; n++) {
      await model.perform({ ...delivery, item: model.newest(), forward: 1_000 });
      await model.perform({ ...delivery, act: 'price', item: model.newest(), price: n + 5, forward: 1_000 });
    }
    await model.perform({ ...delivery, forward: 3 * HOUR_MS });
    let steps = 0;
    const counting: Db = {
      ...shared.db,
      change(work, options) {
        steps++;
        return shared.db.change(work, options);
      },
    };
    await sumSettled(counting, SHARED_HOUSE, model.now(), 1);
    expect(steps).toBeGreaterThanOrEqual(12);
    await model.expectFigures();
  });

  test('lose nothing when the clock is set back by days', async () => {
    await model.perform({ ...delivery, act: 'create', units: 50 });
    await model.perform({ ...delivery, item: model.newest() });
    await model.perform({ ...delivery, forward: 5 * DAY_MS });
    await model.perform({ ...delivery, act: 'undo', item: model.newestMovement() - 1 });
    await model.perform({ ...delivery, forward: 3 * HOUR_MS });
    await sumSettled(shared.db, SHARED_HOUSE, model.now());
    await model.perform({ ...delivery, forward: -3 * DAY_MS, act: 'create', units: 50 });
    await model.expectFigures();
    await model.perform({ ...delivery, forward: 6 * DAY_MS });
    await model.expectFigures();
  });

  test('include a movement with an old date within the next hour', async () => {
    await model.perform({ ...delivery, forward: 3 * HOUR_MS });
    await sumSettled(shared.db, SHARED_HOUSE, model.now());
    await model.perform({ ...delivery, forward: -30 * DAY_MS, act: 'create', units: 7 });
    await model.perform({ ...delivery, forward: 30 * DAY_MS + HOUR_MS, act: 'create', units: 7 });
    await model.expectFigures();
  });
});

type Step = {
  act:
    | 'create'
    | 'deliver'
    | 'restock'
    | 'correct'
    | 'undo'
    | 'price'
    | 'supplier'
    | 'reorderPoint'
    | 'delete'
    | 'restore';
  item: number;
  units: number;
  price: number;
  /** Milliseconds that the clock moves before this step. Negative moves it back. */
  forward: number;
  /** Whether to compare the figures after this step. */
  check: boolean;
};
const delivery: Step = { act: 'deliver', item: 0, units: 1, price: 1, forward: 0, check: false };

const anyStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(
    ...(['create', 'deliver', 'deliver', 'deliver', 'restock', 'correct', 'undo', 'price', 'supplier'] as const),
    ...(['reorderPoint', 'delete', 'restore'] as const),
  ),
  item: fc.nat(),
  units: fc.integer({ min: 1, max: 40 }),
  price: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
    { weight: 1, arbitrary: fc.constant(1_000_000_000) },
  ),
  forward: fc.oneof(
    fc.integer({ min: 0, max: 20 * 60_000 }),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
    fc.integer({ min: 0, max: 9 * DAY_MS }),
    // The clock may also move back, as when the clock of a server is corrected.
    fc.integer({ min: -CLOCK_SKEW_MS, max: 0 }),
  ),
  check: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});

type State = { units: number; price: number; lowAt: number; live: boolean; supplier: string; createdAt: number };
/**
 * What a step changed. `countedAt` is the time at which units count as delivered, restocked or corrected: for an undo,
 * the time of the movement that it undid.
 */
type Fact = { item: string; at: number; countedAt: number; units: number; cents: number; kind: string };

function createModel(open: () => Db) {
  const states = new Map<string, State>();
  const facts: Fact[] = [];
  const movements: { id: string; kind: string; at: number }[] = [];
  let now = Date.UTC(2026, 0, 31, 22, 17);
  let latest = now;

  async function perform(step: Step): Promise<void> {
    now += step.forward;
    if (step.forward >= -CLOCK_SKEW_MS) now = Math.max(now, latest - CLOCK_SKEW_MS);
    latest = step.forward < -CLOCK_SKEW_MS ? now : Math.max(latest, now);
    const db = open();
    const items = [...states.keys()];
    const itemId = items[step.item % items.length];
    if (step.act === 'create' || itemId === undefined) return create(step);
    const action = { id: newId(now), actor, at: now, batch: null, undoes: null };
    const common = { id: newId(now), itemId, actor, at: now, note: null, batch: null, idempotency: null };
    const delta = { deliver: -step.units, restock: step.units, correct: step.units - 20 }[step.act as 'deliver'];
    if (step.act === 'price')
      await editItem(db, { itemId, wanted: { priceCents: step.price }, seen: {}, action, idempotency: null });
    else if (step.act === 'supplier')
      await editItem(db, {
        itemId,
        wanted: { supplierName: suppliers[step.units % 2] ?? '' },
        seen: {},
        action,
        idempotency: null,
      });
    else if (step.act === 'reorderPoint')
      await editItem(db, { itemId, wanted: { reorderPoint: step.units }, seen: {}, action, idempotency: null });
    else if (step.act === 'delete') await deleteItem(db, { itemId, action, idempotency: null });
    else if (step.act === 'restore') await restoreItem(db, { itemId, action, idempotency: null });
    else if (step.act === 'undo') return undo(step);
    else {
      const kind = step.act === 'correct' ? ('correction' as const) : step.act;
      const change = kind === 'correction' ? { kind, delta, reason: 'breakage' as const } : { kind, delta };
      const outcome = await recordMovement(db, { ...common, change });
      if (outcome.ok && outcome.movement) movements.push({ id: outcome.movement.id, kind, at: outcome.movement.at });
      return addFact(itemId, kind);
    }
    await addFact(itemId, 'shelf');
  }

  async function create({ units, price, item: index }: Step): Promise<void> {
    const id = newId(now);
    const supplierName = suppliers[index % 2] ?? '';
    const item = {
      name: `Iris ${states.size}`,
      priceCents: price,
      quantity: units,
      imageUrl: '/bottles/a.svg',
      description: 'x',
      supplierName,
      email: 'a@b.example',
      sku: null,
      barcodes: [],
    };
    await createItem(open(), { house: SHARED_HOUSE, id, item, actor, at: now, idempotency: null });
    states.set(id, { units: 0, price: 0, lowAt: 10, live: true, supplier: supplierName, createdAt: now });
    await addFact(id, 'opening');
  }

  async function undo({ item }: Step): Promise<void> {
    const movement = movements[item % Math.max(1, movements.length)];
    if (!movement) return;
    const id = newId(now);
    const outcome = await undoMovement(open(), {
      id,
      movementId: movement.id,
      actor,
      at: now,
      batch: null,
      idempotency: null,
    });
    if (!outcome.ok) return;
    movements.push({ ...movement, id });
    await addFact(outcome.item.id, movement.kind, movement.at);
  }

  /** Adds what the step changed: the difference between the item before and after it. */
  async function addFact(id: string, kind: string, countedAt?: number): Promise<void> {
    const [row] = await selectItem(open().query, id);
    const before = states.get(id);
    if (!row || !before) throw new Error('the model has all items');
    const after = {
      ...before,
      units: row.quantity,
      price: row.price_cents,
      lowAt: row.low_at,
      live: row.deleted_at === null,
      supplier: row.supplier_name,
    };
    const cents = centsOnHand(after) - centsOnHand(before);
    const units = unitsOnHand(after) - unitsOnHand(before);
    const at = row.updated_at;
    if (cents !== 0 || units !== 0) facts.push({ item: id, at, countedAt: countedAt ?? at, units, cents, kind });
    states.set(id, after);
  }

  async function expectFigures(): Promise<void> {
    const db = open();
    const today = dayOf(now);
    const live = [...states].filter(([, state]) => state.live);
    const since = (days: number, kind: string) =>
      sum(facts.filter((fact) => dayOf(fact.countedAt) > today - days && fact.kind === kind).map(unitsOf));
    const compare = (kind: string, days: number) => {
      const units = since(days, kind);
      return { units, before: since(2 * days, kind) - units };
    };
    const weekAndMonth = (kind: string) => ({ week: compare(kind, 7), month: compare(kind, 30) });
    expect(await readFigures(db, SHARED_HOUSE, now)).toEqual({
      items: live.length,
      unitsOnHand: sum(live.map(([, state]) => state.units)),
      valueCents: sum(live.map(([, state]) => centsOnHand(state))),
      out: live.filter(([, state]) => state.units === 0).length,
      low: live.filter(([, state]) => state.units <= state.lowAt).length,
      delivered: weekAndMonth('deliver'),
      restocked: weekAndMonth('restock'),
    });

    const period = { from: today - 20, to: today };
    for (const supplier of [null, suppliers[0] ?? null]) {
      const theirs = facts.filter((fact) => supplier === null || states.get(fact.item)?.supplier === supplier);
      const supplierKey = supplier === null ? null : 'maison verriere';
      const points = await readSeries(db, SHARED_HOUSE, now, { ...period, step: 'day', supplierKey });
      const days = Array.from({ length: 21 }, (_, n) => period.from + n);
      expect(points).toEqual(days.map((day) => pointOf(day, theirs, today)));
      expectSumsOfDays(await readSeries(db, SHARED_HOUSE, now, { ...period, step: 'week', supplierKey }), points);

      const sellers = await readSellers(db, SHARED_HOUSE, now, {
        ...period,
        order: 'fastest',
        limit: 10_000,
        supplierKey,
      });
      const sold = live
        .filter(([, state]) => supplier === null || state.supplier === supplier)
        .map(([id]) => ({ id, units: sum(deliveriesIn(facts, period, id).map(unitsOf)) }))
        .filter(({ units }) => units > 0);
      expect(sellers.map(({ id, units }) => ({ id, units }))).toEqual(sold.toSorted((a, b) => b.units - a.units));

      for (const days of [1, 10]) {
        const dead = await readDeadStock(db, SHARED_HOUSE, now, { days, limit: 10_000, supplierKey });
        const from = today - days + 1;
        const idle = live
          .filter(([, state]) => supplier === null || state.supplier === supplier)
          .filter(([id, state]) => state.units > 0 && dayOf(state.createdAt) < from && !soldSince(id, from))
          .map(([id]) => id);
        expect(dead.items.map(({ id }) => id).toSorted()).toEqual(idle.toSorted());
        expect(dead.total.units).toBe(sum(idle.map((id) => states.get(id)?.units ?? 0)));
      }
    }

    const { suppliers: rows, total } = await readSuppliers(db, SHARED_HOUSE, now, { ...period, limit: 10 });
    for (const { name, ...row } of rows) {
      const theirs = [...states].filter(([, state]) => state.supplier === name);
      const liveItems = theirs.filter(([, state]) => state.live);
      expect(row).toEqual({
        items: liveItems.length,
        units: sum(liveItems.map(([, state]) => state.units)),
        valueCents: sum(liveItems.map(([, state]) => centsOnHand(state))),
        delivered: sum(theirs.flatMap(([id]) => deliveriesIn(facts, period, id).map(unitsOf))),
      });
    }
    expect(total.valueCents).toBe(sum(live.map(([, state]) => centsOnHand(state))));
  }

  function soldSince(id: string, from: number): boolean {
    const days = Map.groupBy(
      facts.filter((fact) => fact.item === id && fact.kind === 'deliver'),
      (fact) => dayOf(fact.countedAt),
    );
    return [...days].some(([day, sold]) => day >= from && sum(sold.map(unitsOf)) > 0);
  }

  const newest = () => states.size - 1;
  const newestMovement = () => movements.length - 1;
  return { perform, expectFigures, newest, newestMovement, now: () => now };
}

/** The expected point of a day. Movements dated after today, by a clock that is ahead, count as today's. */
function pointOf(day: number, facts: Fact[], today: number) {
  const dayIn = (at: number) => Math.min(dayOf(at), today);
  const until = facts.filter((fact) => dayIn(fact.at) <= day);
  const on = (kind: string) =>
    sum(facts.filter((fact) => dayIn(fact.countedAt) === day && fact.kind === kind).map(unitsOf));
  const moved = sum(until.filter((fact) => dayIn(fact.at) === day).map((fact) => fact.units));
  const [delivered, restocked, corrected] = [on('deliver'), on('restock'), on('correction')];
  return {
    from: day,
    to: day,
    unitsOnHand: sum(until.map((fact) => fact.units)),
    valueCents: sum(until.map((fact) => fact.cents)),
    delivered,
    restocked,
    corrected,
    other: moved + delivered - restocked - corrected,
  };
}

type Points = Awaited<ReturnType<typeof readSeries>>;

/** Expects each week to be the sum of its days and to end with the stock of its last day. */
function expectSumsOfDays(weeks: Points, days: Points): void {
  for (const week of weeks) {
    const inside = days.filter(({ from }) => from >= week.from && from <= week.to);
    expect(week.delivered).toBe(sum(inside.map((day) => day.delivered)));
    expect(week.other).toBe(sum(inside.map((day) => day.other)));
    expect([week.unitsOnHand, week.valueCents]).toEqual([inside.at(-1)?.unitsOnHand, inside.at(-1)?.valueCents]);
  }
  expect(sum(weeks.map((week) => week.restocked))).toBe(sum(days.map((day) => day.restocked)));
}

function deliveriesIn(facts: Fact[], { from, to }: { from: number; to: number }, item: string): Fact[] {
  return facts.filter(
    (fact) =>
      fact.item === item && fact.kind === 'deliver' && dayOf(fact.countedAt) >= from && dayOf(fact.countedAt) <= to,
  );
}

const unitsOf = (fact: Fact) => (fact.kind === 'deliver' ? -fact.units : fact.units);
const unitsOnHand = (state: State) => (state.live ? state.units : 0);
const centsOnHand = (state: State) => unitsOnHand(state) * state.price;
/** `+ 0` turns -0 into 0, because toEqual treats them as different. */
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0) + 0;
