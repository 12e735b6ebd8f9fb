import { emailKey } from '@perfume/domain/email';
import type { Item, NewItem } from '@perfume/domain/items';
import { foldForSearch } from '@perfume/domain/text';
import type { Selectable } from 'kysely';
import { type KeyReused, type Once, once, type Repeated } from '../db/answers.ts';
import { insertChange } from '../db/changes.ts';
import type { Db } from '../db/database.ts';
import { addToSearch, removeFromSearch, searchText } from '../db/search.ts';
import { type Queries, statement } from '../db/statement.ts';
import type { ItemRow } from '../db/tables.ts';
import { createTogether } from './create-together.ts';

export type Actor = { id: string; name: string };
type NotFound = { ok: false; reason: 'item_not_found' } & Repeated;

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

export type Creation = { id: string; item: NewItem; actor: Actor; at: number; once: Once | null };
export type Created = { ok: true; item: Item };

/** An item and its opening stock: the ledger begins with the item. */
export async function createItem(db: Db, request: Creation): Promise<Created | KeyReused> {
  const { id, item, actor, at } = request;
  const created: Created = { ok: true, item: { ...item, id, version: 1, createdAt: at, updatedAt: at } };
  if (db.dialect === 'postgres' && (await createTogether(db, request, created))) return created;
  return once(db, request.once, async (db) => {
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
    );
    if (!row) throw new Error('an inserted item returns its row');
    await insertOpening(db, id, id, item.quantity, actor.id, actor.name, at);
    await addToSearch(db, row.num, searchText(id, item));
    await insertChange(db, id, 'created', at);
    return created;
  });
}

export async function deleteItem(
  db: Db,
  request: { id: string; at: number; once: Once | null },
): Promise<{ ok: true; deletedCount: 0 | 1 } | NotFound | KeyReused> {
  const { id, at } = request;
  return once(db, request.once, async (db) => {
    const [row] = await markDeleted(db, id, at);
    if (!row) {
      const [known] = await selectItem(db, id);
      return known
        ? { ok: true as const, deletedCount: 0 as const }
        : { ok: false as const, reason: 'item_not_found' as const };
    }
    await removeFromSearch(db, row.num);
    await insertChange(db, id, 'deleted', at);
    return { ok: true as const, deletedCount: 1 as const };
  });
}

/** Brings a deleted item back; one that was never deleted simply is. */
export async function restoreItem(
  db: Db,
  request: { id: string; at: number; once: Once | null },
): Promise<{ ok: true; item: Item } | NotFound | KeyReused> {
  const { id, at } = request;
  return once(db, request.once, async (db) => {
    const [row] = await markRestored(db, id, at);
    if (!row) {
      const item = await findItem(db, id);
      return item ? { ok: true as const, item } : { ok: false as const, reason: 'item_not_found' as const };
    }
    const item = toItem(row);
    await addToSearch(db, row.num, searchText(id, item));
    await insertChange(db, id, 'restored', at);
    return { ok: true as const, item };
  });
}

export const selectLiveItem = statement<Selectable<ItemRow>, [id: string]>(
  'select * from items where id = $1 and deleted_at is null',
);
export const selectItem = statement<Selectable<ItemRow>, [id: string]>('select * from items where id = $1');

const insertItem = statement<
  { num: number },
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
  ]
>(
  `insert into items (id, name, name_key, price_cents, quantity, image_url, description, supplier_name, supplier_key,
     email, email_key, version, stock_seq, created_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, 1, $12, $13, $13) returning num`,
);

const insertOpening = statement<
  never,
  [id: string, itemId: string, quantity: number, actorId: string, actorName: string, at: number]
>(
  `insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after, actor_id, actor_name, at)
   values ($1, $2, 1, 'opening', $3, 0, $3, $4, $5, $6)`,
);

const markDeleted = statement<{ num: number }, [id: string, at: number]>(
  `update items set deleted_at = $2, updated_at = $2, version = version + 1
   where id = $1 and deleted_at is null returning num`,
);

const markRestored = statement<Selectable<ItemRow>, [id: string, at: number]>(
  `update items set deleted_at = null, updated_at = $2, version = version + 1
   where id = $1 and deleted_at is not null returning *`,
);
