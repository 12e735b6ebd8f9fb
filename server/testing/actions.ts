import { randomUUID } from 'node:crypto';
import type { Item } from '@perfume/domain/items';
import fc from 'fast-check';
import { runBulk, undoBatch } from '../src/bulk/bulk.store.ts';
import type { Db } from '../src/db/core/database.ts';
import { SHARED_HOUSE } from '../src/db/core/shared-house.ts';
import { listHistory } from '../src/history/history.store.ts';
import { undoEntry } from '../src/history/undo.store.ts';
import { editItem } from '../src/items/edit.store.ts';
import { listItems } from '../src/items/items.list.ts';
import { createItem, deleteItem, restoreItem } from '../src/items/items.store.ts';
import { recordMovement } from '../src/ledger/ledger.store.ts';

/** One action of a user. An item is named by its index among all items. */
export type Action =
  | { do: 'create'; quantity: number }
  | { do: 'move'; item: number; delta: number }
  | { do: 'count'; item: number; target: number }
  | { do: 'edit'; item: number; name: string | null; priceCents: number | null; barcodes: string[] | null }
  | { do: 'delete' | 'restore'; item: number }
  | { do: 'undo'; back: number; twice: boolean }
  | { do: 'bulk'; action: 'deliver' | 'delete' | 'restore' }
  | { do: 'undoBulk' };

const item = fc.nat({ max: 5 });
export const anyAction: fc.Arbitrary<Action> = fc.oneof(
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
    // Few codes, so that items often want a code that another one has.
    barcodes: fc.option(fc.subarray(['A', 'B', 'C'])),
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
);

/** The state shared by all actions: the items and batches created so far, and the current time. */
export type World = { ids: string[]; batches: string[]; now: number };

const actor = { id: 'person', name: 'Person' };
const wholeHistory = {
  house: SHARED_HOUSE,
  itemId: null,
  kind: null,
  reason: null,
  actorId: null,
  from: null,
  to: null,
  limit: 500,
  after: null,
};

/**
 * Performs an action. `alone` means that no other action runs at the same time: then this throws if undoing an undo
 * changes the stock.
 */
export async function performAction(db: Db, action: Action, world: World, alone: boolean): Promise<void> {
  const { ids, batches, now } = world;
  const itemId = 'item' in action ? ids[action.item % Math.max(1, ids.length)] : undefined;
  const entry = { id: randomUUID(), actor, at: now, batch: null, undoes: null };
  switch (action.do) {
    case 'create': {
      const id = randomUUID();
      const words = { imageUrl: '/bottles/a.svg', description: 'd', supplierName: 's', email: 'a@b.example' };
      const item = { name: 'New', sku: null, barcodes: [], priceCents: 100, quantity: action.quantity, ...words };
      await createItem(db, { house: SHARED_HOUSE, id, item, actor, at: now, idempotency: null });
      ids.push(id);
      return;
    }
    case 'move':
    case 'count': {
      if (!itemId) return;
      const change =
        action.do === 'count'
          ? { kind: 'correction' as const, target: action.target, ifVersion: null, reason: null }
          : { kind: action.delta < 0 ? ('deliver' as const) : ('restock' as const), delta: action.delta };
      const id = randomUUID();
      // Only movements with an idempotency key are batched on PostgreSQL. `move` has a key and `count` has none, to
      // test both.
      const idempotency = action.do === 'move' ? { key: id, fingerprint: id, at: now, requestId: id } : null;
      await recordMovement(db, { id, itemId, change, actor, at: now, note: null, batch: null, idempotency });
      return;
    }
    case 'edit': {
      if (!itemId) return;
      const wanted = {
        ...(action.name !== null && { name: action.name }),
        ...(action.priceCents !== null && { priceCents: action.priceCents }),
        ...(action.barcodes !== null && { barcodes: action.barcodes }),
      };
      await editItem(db, { itemId, wanted, seen: {}, action: entry, idempotency: null });
      return;
    }
    case 'delete':
    case 'restore':
      if (itemId)
        await (action.do === 'delete' ? deleteItem : restoreItem)(db, { itemId, action: entry, idempotency: null });
      return;
    case 'undo':
      return undo(db, action, now, alone);
    case 'bulk': {
      if (ids.length === 0) return;
      const batch = randomUUID();
      batches.push(batch);
      const idempotency = { key: randomUUID(), fingerprint: batch, at: now, requestId: batch };
      await runBulk(db, { action: action.action, ids, batch, actor, at: now, idempotency });
      return;
    }
    case 'undoBulk': {
      const batch = batches.at(-1);
      if (!batch) return;
      const undone = await undoBatch(db, {
        house: SHARED_HOUSE,
        batch,
        after: '',
        actor,
        at: now,
        requestId: randomUUID(),
      });
      if (undone) batches.push(undone.batch);
    }
  }
}

async function undo(db: Db, { back, twice }: { back: number; twice: boolean }, now: number, alone: boolean) {
  const { entries } = await listHistory(db, wholeHistory);
  const entry = entries[back % Math.max(1, entries.length)];
  if (!entry) return;
  const before = await listStock(db);
  const request = { actor, at: now, batch: null, idempotency: null };
  const undone = await undoEntry(db, { ...request, entryId: entry.id, id: randomUUID() });
  if (!undone.ok || !twice) return;
  const again = await undoEntry(db, { ...request, entryId: undone.entry.id, id: randomUUID() });
  const after = await listStock(db);
  if (again.ok && alone && after.join() !== before.join())
    throw new Error(`undoing an undo changed the stock from ${before} to ${after}`);
}

const allItems = {
  house: SHARED_HOUSE,
  sort: 'newest',
  after: null,
  skip: 0,
  q: null,
  stock: null,
  emailKey: null,
  limit: 200,
} as const;

/** Returns the visible stock, one line per item. */
export async function listStock(db: Db): Promise<string[]> {
  const { items } = await listItems(db, allItems);
  return items.map(toLine).sort();
}

export function toLine({ id, name, priceCents, quantity, barcodes }: Item): string {
  return `${id} ${name} ${priceCents} ${quantity} ${barcodes.join('+')}`;
}
