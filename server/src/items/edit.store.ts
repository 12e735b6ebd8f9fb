import { type Edit, type EditableField, type EditableItem, mergeEdit } from '@perfume/domain/edits';
import type { Item } from '@perfume/domain/items';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { reorderPointOf } from '../db/core/reorder-point.ts';
import { addToSearch, removeFromSearch, searchText } from '../db/core/search.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { type CodeTaken, findTaken } from './item-codes.ts';
import { type Action, type ItemEvent, recordEvent } from './item-events.ts';
import { editableColumns, notBefore, toItem } from './item-row.ts';
import { lockItem, type NotFound } from './items.store.ts';

export type Edited = { ok: true; item: Item; event: ItemEvent | null };
export type EditConflict = { ok: false; reason: 'edit_conflict'; item: Item; conflicts: EditableField[] } & Replayed;
export type EditRequest = { itemId: string; wanted: Edit; seen: Edit; action: Action };

export async function editItem(
  db: Db,
  request: EditRequest & { idempotency: Idempotency | null },
): Promise<Edited | EditConflict | CodeTaken | NotFound | KeyReused> {
  return runIdempotent<Edited | EditConflict | CodeTaken | NotFound>(db, request.idempotency, (db) =>
    editInTransaction(db, request),
  );
}

/** Applies the whole edit, or nothing if somebody else has changed one of its fields since the person saw the item. */
export async function editInTransaction(
  db: Queries,
  { itemId, wanted, seen, action }: EditRequest,
): Promise<Edited | EditConflict | CodeTaken | NotFound> {
  const [locked] = await lockItem(db, itemId);
  if (!locked || locked.deleted_at !== null) return { ok: false, reason: 'item_not_found' };
  const before = toItem(locked);
  const { changed, conflicts } = mergeEdit(before, seen, wanted);
  if (conflicts.length > 0) return { ok: false, reason: 'edit_conflict', item: before, conflicts };
  if (changed.length === 0) return { ok: true, item: before, event: null };
  const after: EditableItem = { ...before, ...wanted };
  const taken = changesCodes(changed) ? await findTaken(db, locked.house, { ...after, id: itemId }) : null;
  if (taken) return taken;
  const [row] = await updateItem(db, itemId, action.at, editableColumns(after));
  if (!row) throw new Error('a locked item can be updated');
  const [textBefore, textAfter] = [searchText(itemId, before), searchText(itemId, after)];
  if (textBefore !== textAfter) {
    await removeFromSearch(db, row.num);
    await addToSearch(db, row.num, textAfter);
  }
  await insertChange(db, row.house, itemId, 'edited', row.updated_at, action.id);
  const changes = changed.map((field) => ({ field, from: before[field], to: after[field] }));
  const event = await recordEvent(db, action, {
    house: row.house,
    itemId,
    kind: 'edited',
    at: row.updated_at,
    changes,
  });
  return { ok: true, item: toItem(row), event };
}

function changesCodes(changed: EditableField[]): boolean {
  return changed.includes('sku') || changed.includes('barcodes');
}

function updateItem(db: Queries, id: string, at: number, row: ReturnType<typeof editableColumns>) {
  const assignments = Object.keys(row).map((column, index) => `${column} = $${index + 3}`);
  return queryRows<Selectable<ItemRow>>(
    db,
    `update items set version = version + 1, updated_at = ${notBefore('$2')}, ${assignments.join(', ')},
       low_at = coalesce($${assignments.length + 3}, ${reorderPointOf('items.house')})
     where id = $1 returning *`,
    [id, at, ...Object.values(row), row.reorder_point],
  );
}
