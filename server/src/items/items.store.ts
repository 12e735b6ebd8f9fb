import { emailKey } from '@perfume/domain/email';
import type { Item, NewItem } from '@perfume/domain/items';
import { foldForSearch } from '@perfume/domain/text';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { ledgerHash } from '../db/core/ledger-hash.ts';
import { addToSearch, searchText, selectSearch } from '../db/core/search.ts';
import { REORDER_POINT } from '../db/core/settings.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { createTogether } from './create-together.ts';
import { type Deed, type ItemEvent, recordEvent } from './item-events.ts';

export type Actor = { id: string; name: string };
export type NotFound = { ok: false; reason: 'item_not_found' } & Replayed;

/** The row of an item, in the words of the domain. */
export function toItem(row: Omit<Selectable<ItemRow>, 'num'>): Item {
  return {
    id: row.id,
    name: row.name,
    priceCents: row.price_cents,
    quantity: row.quantity,
    imageUrl: row.image_url,
    description: row.description,
    supplierName: row.supplier_name,
    email: row.email,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    reorderPoint: row.reorder_point,
    lowAt: row.low_at,
  };
}

export async function findItem(db: Queries, id: string): Promise<Item | null> {
  const [row] = await selectLiveItem(db, id);
  return row ? toItem(row) : null;
}

/** The item as a reader of the feed needs it: gone is null, whatever it was. */
export async function findItems(db: Queries, ids: string[]): Promise<Map<string, Item>> {
  const rows = await db
    .selectFrom('items')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, toItem(row)]));
}

export type Creation = { id: string; item: NewItem; actor: Actor; at: number; idempotency: Idempotency | null };
export type Created = { ok: true; item: Item };

/** An item and its opening stock: the ledger begins with the item. */
export async function createItem(db: Db, request: Creation): Promise<Created | KeyReused> {
  const { id, item, actor, at } = request;
  const { quantity } = item;
  const hash = ledgerHash('', id, 1, id, 'opening', quantity, quantity, actor.id, actor.name, at, null, null, null);
  const created = (lowAt: number): Created => ({
    ok: true,
    item: { ...item, id, version: 1, createdAt: at, updatedAt: at, reorderPoint: null, lowAt },
  });
  const together = await createTogether(db, { ...request, hash }, created);
  if (together) return together;
  return runIdempotent(db, request.idempotency, async (db) => {
    const [row] = await insertItem(
      db,
      id,
      item.name,
      foldForSearch(item.name),
      item.priceCents,
      item.quantity,
      item.imageUrl,
      item.description,
      item.supplierName,
      foldForSearch(item.supplierName),
      item.email,
      emailKey(item.email),
      actor.id,
      at,
      hash,
    );
    if (!row) throw new Error('an inserted item returns its row');
    await insertOpening(db, id, id, item.quantity, actor.id, actor.name, at, hash);
    await addToSearch(db, row.num, searchText(id, item));
    await insertChange(db, id, 'created', at);
    return created(row.low_at);
  });
}

export type Deleted = { ok: true; deletedCount: 0 | 1; event: ItemEvent | null };
export type Restored = { ok: true; item: Item; event: ItemEvent | null };

export async function deleteItem(
  db: Db,
  request: { itemId: string; deed: Deed; idempotency: Idempotency | null },
): Promise<Deleted | NotFound | KeyReused> {
  return runIdempotent<Deleted | NotFound>(db, request.idempotency, (db) =>
    deleteInside(db, request.itemId, request.deed),
  );
}

/** The same, inside a transaction that may do more. */
export async function deleteInside(db: Queries, itemId: string, deed: Deed): Promise<Deleted | NotFound> {
  const [row] = await markDeleted(db, itemId, deed.at);
  if (!row) {
    const [known] = await selectItem(db, itemId);
    return known ? { ok: true, deletedCount: 0, event: null } : { ok: false, reason: 'item_not_found' };
  }
  await insertChange(db, itemId, 'deleted', deed.at);
  const event = await recordEvent(db, deed, { itemId, kind: 'deleted', at: row.updated_at });
  return { ok: true, deletedCount: 1, event };
}

/** Brings a deleted item back; one that was never deleted simply is. */
export async function restoreItem(
  db: Db,
  request: { itemId: string; deed: Deed; idempotency: Idempotency | null },
): Promise<Restored | NotFound | KeyReused> {
  return runIdempotent<Restored | NotFound>(db, request.idempotency, (db) =>
    restoreInside(db, request.itemId, request.deed),
  );
}

export async function restoreInside(db: Queries, itemId: string, deed: Deed): Promise<Restored | NotFound> {
  const [row] = await markRestored(db, itemId, deed.at);
  if (!row) {
    const item = await findItem(db, itemId);
    return item ? { ok: true, item, event: null } : { ok: false, reason: 'item_not_found' };
  }
  const item = toItem(row);
  // A deleted item stays in the index, where the past is searched; one deleted by an earlier version does not.
  const [known] = await selectSearch(db, row.num);
  if (!known) await addToSearch(db, row.num, searchText(itemId, item));
  await insertChange(db, itemId, 'restored', deed.at);
  const event = await recordEvent(db, deed, { itemId, kind: 'restored', at: row.updated_at });
  return { ok: true, item, event };
}

export const selectLiveItem = statement<Selectable<ItemRow>, [id: string]>(
  'select * from items where id = $1 and deleted_at is null',
);
/** Takes the item for this transaction and reads it. Its stock does not change by being looked at. */
export const holdItem = statement<Selectable<ItemRow>, [id: string]>(
  'update items set version = version where id = $1 returning *',
);
export const selectItem = statement<Selectable<ItemRow>, [id: string]>('select * from items where id = $1');

const insertItem = statement<
  { num: number; low_at: number },
  [
    id: string,
    name: string,
    nameKey: string,
    priceCents: number,
    quantity: number,
    imageUrl: string,
    description: string,
    supplierName: string,
    supplierKey: string,
    email: string,
    emailKey: string,
    createdBy: string,
    at: number,
    hash: string,
  ]
>(
  `insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
     email, email_key, version, stock_seq, created_by, created_at, updated_at, ledger_hash, low_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, 1, $12, $13, $13, $14, ${REORDER_POINT}) returning num, low_at`,
);

const insertOpening = statement<
  never,
  [id: string, itemId: string, quantity: number, actorId: string, actorName: string, at: number, hash: string]
>(
  `insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
     actor_id, actor_name, at, hash)
   values ($1, $2, 1, 'opening', $3, 0, $3, $4, $5, $6, $7)`,
);

/** Time does not run backwards for an item, whatever the clocks of the servers say. */
export const LATER = (at: string) => `case when updated_at > ${at} then updated_at else ${at} end`;

const markDeleted = statement<{ updated_at: number }, [id: string, at: number]>(
  `update items set deleted_at = ${LATER('$2')}, updated_at = ${LATER('$2')}, version = version + 1
   where id = $1 and deleted_at is null returning updated_at`,
);

const markRestored = statement<Selectable<ItemRow>, [id: string, at: number]>(
  `update items set deleted_at = null, updated_at = ${LATER('$2')}, version = version + 1
   where id = $1 and deleted_at is not null returning *`,
);
