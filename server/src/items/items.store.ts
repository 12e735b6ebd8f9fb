import type { Item, NewItem } from '@perfume/domain/items';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { insertRow, placeholders, textPerColumns } from '../db/core/insert-row.ts';
import { ledgerHash } from '../db/core/ledger-hash.ts';
import { reorderPointOf } from '../db/core/reorder-point.ts';
import { addToSearch, searchText, selectSearch } from '../db/core/search.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { createBatch, type NewRows } from './create-batch.ts';
import { type CodeTaken, findTaken } from './item-codes.ts';
import { type Action, type Actor, type ItemEvent, recordEvent } from './item-events.ts';
import { newItemRow, notBefore, toItem } from './item-row.ts';

export type NotFound = { ok: false; reason: 'item_not_found' } & Replayed;

export async function findItem(db: Queries, id: string): Promise<Item | null> {
  const [row] = await selectLiveItem(db, id);
  return row ? toItem(row) : null;
}

/** Finds an item of one house. */
export async function findItemOf(db: Queries, house: number, id: string): Promise<Item | null> {
  const [row] = await selectLiveItem(db, id);
  return row?.house === house ? toItem(row) : null;
}

/** Finds items by id. The result leaves out ids whose item is deleted or never existed. */
export async function findItems(db: Queries, ids: string[]): Promise<Map<string, Item>> {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, toItem(row)]));
}

export type Creation = {
  house: number;
  id: string;
  item: NewItem;
  /** Of an imported item; null for the one of the house. */
  reorderPoint?: number | null;
  actor: Actor;
  at: number;
  batch?: string | null;
};
export type Created = { ok: true; item: Item };

export async function createItem(
  db: Db,
  { idempotency, ...creation }: Creation & { idempotency: Idempotency | null },
): Promise<Created | CodeTaken | KeyReused> {
  const isBatched = db.changeInOneStatement !== null && idempotency !== null;
  const created = isBatched ? await createBatch(db, newRows(creation), idempotency) : null;
  if (created) return { ok: true, item: created };
  return runIdempotent<Created | CodeTaken>(db, idempotency, (db) => createInTransaction(db, creation));
}

export async function createInTransaction(db: Queries, creation: Creation): Promise<Created | CodeTaken> {
  const taken = await findTaken(db, creation.house, { ...creation.item, id: creation.id });
  if (taken) return taken;
  const rows = newRows(creation);
  const row = await insertItem(db, rows.item);
  await insertRow(db, 'stock_movements', rows.opening);
  await addToSearch(db, row.num, rows.searchText);
  await insertChange(db, row.house, row.id, 'created', row.created_at, rows.opening.id);
  return { ok: true, item: toItem(row) };
}

function newRows({ house, id, item, reorderPoint = null, actor, at, batch = null }: Creation): NewRows {
  const { quantity } = item;
  const hash = ledgerHash('', id, 1, id, 'opening', quantity, quantity, actor.id, actor.name, at, null, null, batch);
  return {
    item: newItemRow(id, { ...item, reorderPoint }, { house, actorId: actor.id, at, hash }),
    opening: {
      id,
      item_id: id,
      seq: 1,
      kind: 'opening',
      delta: quantity,
      quantity_before: 0,
      quantity_after: quantity,
      actor_id: actor.id,
      actor_name: actor.name,
      at,
      batch,
      hash,
      house,
    },
    searchText: searchText(id, item),
  };
}

async function insertItem(db: Queries, row: NewRows['item']): Promise<Selectable<ItemRow>> {
  const values = [...Object.values(row), row.reorder_point];
  const [inserted] = await queryRows<Selectable<ItemRow>>(db, insertItemText(Object.keys(row)), values);
  if (!inserted) throw new Error('an insert returns its row');
  return inserted;
}

const insertItemText = textPerColumns((columns) => {
  const reorderPoint = `coalesce($${columns.length + 1}, ${reorderPointOf(`$${columns.indexOf('house') + 1}`)})`;
  return `insert into items (${columns.join(', ')}, low_at) values (${placeholders(columns)}, ${reorderPoint}) returning *`;
});

export type Deleted = { ok: true; deletedCount: 0 | 1; event: ItemEvent | null };
export type Restored = { ok: true; item: Item; event: ItemEvent | null };

export async function deleteItem(
  db: Db,
  request: { itemId: string; action: Action; idempotency: Idempotency | null },
): Promise<Deleted | NotFound | KeyReused> {
  return runIdempotent<Deleted | NotFound>(db, request.idempotency, (db) =>
    deleteInTransaction(db, request.itemId, request.action),
  );
}

export async function deleteInTransaction(db: Queries, itemId: string, action: Action): Promise<Deleted | NotFound> {
  const [row] = await markDeleted(db, itemId, action.at);
  if (!row) {
    const [known] = await selectItem(db, itemId);
    return known ? { ok: true, deletedCount: 0, event: null } : { ok: false, reason: 'item_not_found' };
  }
  await insertChange(db, row.house, itemId, 'deleted', row.updated_at, action.id);
  const event = await recordEvent(db, action, { house: row.house, itemId, kind: 'deleted', at: row.updated_at });
  return { ok: true, deletedCount: 1, event };
}

/** Restores a deleted item. If the item is not deleted, nothing changes and the restoration succeeds. */
export async function restoreItem(
  db: Db,
  request: { itemId: string; action: Action; idempotency: Idempotency | null },
): Promise<Restored | CodeTaken | NotFound | KeyReused> {
  return runIdempotent<Restored | CodeTaken | NotFound>(db, request.idempotency, (db) =>
    restoreInTransaction(db, request.itemId, request.action),
  );
}

export async function restoreInTransaction(
  db: Queries,
  itemId: string,
  action: Action,
): Promise<Restored | CodeTaken | NotFound> {
  const [deleted] = await lockItem(db, itemId);
  const taken = deleted && (await findTaken(db, deleted.house, toItem(deleted)));
  if (taken) return taken;
  const [row] = await markRestored(db, itemId, action.at);
  if (!row) {
    const item = await findItem(db, itemId);
    return item ? { ok: true, item, event: null } : { ok: false, reason: 'item_not_found' };
  }
  const item = toItem(row);
  // Deleted items stay in the search index for the time machine, except those deleted before the time machine existed.
  const [known] = await selectSearch(db, row.num);
  if (!known) await addToSearch(db, row.num, searchText(itemId, item));
  await insertChange(db, row.house, itemId, 'restored', row.updated_at, action.id);
  const event = await recordEvent(db, action, { house: row.house, itemId, kind: 'restored', at: row.updated_at });
  return { ok: true, item, event };
}

export const selectLiveItem = statement<Selectable<ItemRow>, [id: string]>(
  'select * from items where id = $1 and deleted_at is null',
);
/**
 * Locks the item's row for this transaction and reads it. The update changes nothing; it takes the lock on both kinds
 * of database.
 */
export const lockItem = statement<Selectable<ItemRow>, [id: string]>(
  'update items set version = version where id = $1 returning *',
);
export const selectItem = statement<Selectable<ItemRow>, [id: string]>('select * from items where id = $1');

const markDeleted = statement<{ updated_at: number; house: number }, [id: string, at: number]>(
  `update items set deleted_at = ${notBefore('$2')}, updated_at = ${notBefore('$2')}, version = version + 1
   where id = $1 and deleted_at is null returning updated_at, house`,
);

const markRestored = statement<Selectable<ItemRow>, [id: string, at: number]>(
  `update items set deleted_at = null, updated_at = ${notBefore('$2')}, version = version + 1,
     low_at = coalesce(reorder_point, ${reorderPointOf('items.house')})
   where id = $1 and deleted_at is not null returning *`,
);
