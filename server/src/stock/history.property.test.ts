import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../db/database.ts';
import { editItem } from '../items/edit.store.ts';
import { listItems } from '../items/items.list.ts';
import { createItem, deleteItem, restoreItem } from '../items/items.store.ts';
import { databases, newPostgresDatabase } from '../testing.ts';
import { figuresAsOf, listAsOf } from './as-of.store.ts';
import { doInBulk, undoBatch } from './bulk.store.ts';
import { listHistory } from './history.store.ts';
import { recordMovement } from './stock.store.ts';
import { undoEntry } from './undo.store.ts';
import { verifyLedger } from './verify.ts';

// More of the same, on an idle evening: HISTORIES=3000 npm test -- --only http history.property
const RUNS = Number(process.env.HISTORIES ?? 0);
const runsOn = { SQLite: RUNS || 30, PostgreSQL: RUNS || 10 };

type Step =
  | { do: 'create'; quantity: number }
  | { do: 'move'; item: number; delta: number }
  | { do: 'count'; item: number; target: number }
  | { do: 'edit'; item: number; name: string | null; priceCents: number | null }
  | { do: 'delete' | 'restore'; item: number }
  | { do: 'undo'; back: number; twice: boolean }
  | { do: 'bulk'; action: 'deliver' | 'delete' | 'restore' }
  | { do: 'undoBulk' }
  | { do: 'reopen' }
  | { do: 'both'; steps: [Step, Step] };

const item = fc.nat({ max: 5 });
const single: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), quantity: fc.nat({ max: 12 }) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('move' as const), item, delta: fc.integer({ min: -6, max: 6 }) }),
  },
  fc.record({ do: fc.constant('count' as const), item, target: fc.nat({ max: 20 }) }),
  fc.record({
    do: fc.constant('edit' as const),
    item,
    name: fc.option(fc.constantFrom('Ambre', 'Iris', 'Vetiver')),
    priceCents: fc.option(fc.nat({ max: 30_000 })),
  }),
  fc.record({ do: fc.constantFrom('delete' as const, 'restore' as const), item }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('undo' as const), back: fc.nat({ max: 12 }), twice: fc.boolean() }),
  },
  fc.record({
    do: fc.constant('bulk' as const),
    action: fc.constantFrom('deliver' as const, 'delete' as const, 'restore' as const),
  }),
  fc.record({ do: fc.constant('undoBulk' as const) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: single },
  fc.record({ do: fc.constant('both' as const), steps: fc.tuple(single, single) }),
);

describe.each(databases)('any history on %s', (database) => {
  test('adds up, can be undone, and can be seen again at every instant', {
    timeout: RUNS ? 3_600_000 : 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'perfume-test-'));
        const url = database === 'SQLite' ? join(folder, 'warehouse.sqlite') : await newPostgresDatabase();
        const warehouse = await openWarehouse(url);
        try {
          for (const one of steps) await warehouse.live(one);
          await warehouse.check();
        } finally {
          await warehouse.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: runsOn[database] },
    );
  });
});

const actor = { id: 'person', name: 'Person' };
const everything = { sort: 'newest', after: null, skip: 0, q: null, stock: null, emailKey: null, limit: 200 } as const;
const wholeHistory = { itemId: null, kind: null, actorId: null, from: null, to: null, limit: 500, after: null };
type Seen = { at: number; items: string[] };

async function openWarehouse(url: string) {
  // Two servers on one store, as two people's browsers would meet them.
  let stores = await Promise.all([openDatabase(url), openDatabase(url)]);
  const ids: string[] = [];
  const batches: string[] = [];
  const seen: Seen[] = [];
  let now = 1_800_000_000_000;

  async function live(step: Step): Promise<void> {
    now += 1_000;
    if (step.do === 'both') await Promise.all(step.steps.map((one, who) => act(one, stores[who] as Db)));
    else await act(step, stores[0]);
    seen.push({ at: now, items: await shelf() });
  }

  async function act(step: Step, db: Db): Promise<void> {
    const itemId = 'item' in step ? ids[step.item % Math.max(1, ids.length)] : undefined;
    const deed = { id: randomUUID(), actor, at: now, batch: null, undoes: null };
    switch (step.do) {
      case 'create': {
        const id = randomUUID();
        const words = { imageUrl: '/bottles/a.svg', description: 'd', supplierName: 's', email: 'a@b.example' };
        await createItem(db, {
          id,
          item: { name: 'New', priceCents: 100, quantity: step.quantity, ...words },
          actor,
          at: now,
          once: null,
        });
        ids.push(id);
        return;
      }
      case 'move':
      case 'count': {
        if (!itemId) return;
        const kind = step.do === 'count' ? 'correction' : step.delta < 0 ? 'deliver' : 'restock';
        const change =
          step.do === 'count'
            ? { kind: 'correction' as const, target: step.target, ifVersion: null }
            : { kind: kind as 'deliver' | 'restock', delta: step.delta };
        const id = randomUUID();
        // Half of them come with a key, which PostgreSQL records together with others.
        const once = step.do === 'move' ? { key: id, fingerprint: id, at: now, requestId: id } : null;
        await recordMovement(db, { id, itemId, change, actor, at: now, note: null, batch: null, once });
        return;
      }
      case 'edit': {
        if (!itemId) return;
        const wanted = {
          ...(step.name !== null && { name: step.name }),
          ...(step.priceCents !== null && { priceCents: step.priceCents }),
        };
        await editItem(db, { itemId, wanted, seen: {}, deed, once: null });
        return;
      }
      case 'delete':
      case 'restore':
        if (itemId) await (step.do === 'delete' ? deleteItem : restoreItem)(db, { itemId, deed, once: null });
        return;
      case 'undo': {
        const { entries } = await listHistory(db.query, wholeHistory);
        const entry = entries[step.back % Math.max(1, entries.length)];
        if (!entry) return;
        const before = await shelf();
        const request = { actor, at: now, batch: null, once: null };
        const undone = await undoEntry(db, { ...request, entryId: entry.id, id: randomUUID() });
        if (!undone.ok || !step.twice) return;
        const again = await undoEntry(db, { ...request, entryId: undone.entry.id, id: randomUUID() });
        // Between the two somebody else may have been at work; alone, undo and undo are nothing.
        if (again.ok && db === stores[0] && !busy) expect(await shelf()).toEqual(before);
        return;
      }
      case 'bulk': {
        if (ids.length === 0) return;
        const batch = randomUUID();
        batches.push(batch);
        const once = { key: randomUUID(), fingerprint: batch, at: now, requestId: batch };
        await doInBulk(db, { action: step.action, ids, batch, actor, at: now, once });
        return;
      }
      case 'undoBulk': {
        const batch = batches.at(-1);
        if (!batch) return;
        const undone = await undoBatch(db, { batch, after: '', actor, at: now, requestId: randomUUID() });
        if (undone) batches.push(undone.batch);
        return;
      }
      case 'reopen':
        if (busy) return;
        await Promise.all(stores.map((store) => store.close()));
        stores = await Promise.all([openDatabase(url), openDatabase(url)]);
    }
  }

  let busy = false;
  async function shelf(): Promise<string[]> {
    const { items } = await listItems(stores[0], everything);
    return items.map(({ id, name, priceCents, quantity }) => `${id} ${name} ${priceCents} ${quantity}`).sort();
  }

  async function check(): Promise<void> {
    const [db] = stores;
    expect((await verifyLedger(db.query)).broken).toBeNull();
    const sums = await db.query
      .selectFrom('items')
      .innerJoin('stock_movements', 'stock_movements.item_id', 'items.id')
      .groupBy(['items.id', 'items.quantity'])
      .select(({ fn }) => ['items.quantity', fn.sum<number | string>('stock_movements.delta').as('sum')])
      .execute();
    for (const { quantity, sum } of sums) {
      expect(quantity).toBe(Number(sum));
      expect(quantity).toBeGreaterThanOrEqual(0);
    }
    for (const { at, items } of seen) {
      const then = await listAsOf(db, { at, limit: 200, skip: 0, sort: 'newest', q: null, stock: null });
      expect(
        then.items.map(({ id, name, priceCents, quantity }) => `${id} ${name} ${priceCents} ${quantity}`).sort(),
      ).toEqual(items);
      const figures = await figuresAsOf(db, at);
      const parts = then.items;
      expect(figures).toMatchObject({
        items: parts.length,
        units: parts.reduce((sum, { quantity }) => sum + quantity, 0),
        valueCents: parts.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0),
        out: parts.filter(({ quantity }) => quantity === 0).length,
      });
    }
  }

  return {
    live: async (step: Step) => {
      busy = step.do === 'both';
      await live(step);
    },
    check,
    close: () => Promise.all(stores.map((store) => store.close())),
  };
}
