import { codeKeys } from '@perfume/domain/codes';
import { type EditableItem, editableFields } from '@perfume/domain/edits';
import { emailKey } from '@perfume/domain/email';
import type { Item, NewItem } from '@perfume/domain/items';
import { foldForSearch } from '@perfume/domain/text';
import type { Insertable, Selectable } from 'kysely';
import { type ColumnOf, rowMapping } from '../db/core/row-mapping.ts';
import type { ItemRow } from '../db/core/tables.ts';

type Row = Selectable<ItemRow>;

/** The one list of an item's columns. A new field of an item is added here and nowhere else on the server. */
const columns = {
  id: 'id',
  name: 'name',
  priceCents: 'price_cents',
  quantity: 'quantity',
  imageUrl: 'image_url',
  description: 'description',
  supplierName: 'supplier_name',
  email: 'email',
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  reorderPoint: 'reorder_point',
  lowAt: 'low_at',
  sku: 'sku',
  barcodes: 'barcodes',
} as const satisfies ColumnOf<Item, Row>;

const { fromRow, toRow, json } = rowMapping<Item, Row, typeof columns>(columns, ['barcodes']);

export const toItem = fromRow;
/** SQL for the item as JSON. PostgreSQL stores it as the outcome of a batched request. */
export const itemJson = json;

/** The columns that an edit sets, except `low_at`: the SQL statement computes it with the house's reorder point. */
export function editableColumns(item: EditableItem) {
  return { ...toRow(item, editableFields), ...foldedColumns(item) };
}

/** The row of a new item, except `low_at`: the SQL statement reads it from the house. */
export function newItemRow(
  id: string,
  item: NewItem & { reorderPoint: number | null },
  creation: { house: number; actorId: string; at: number; hash: string },
): Omit<Insertable<ItemRow>, 'low_at'> {
  const { house, actorId, at, hash } = creation;
  return {
    ...editableColumns(item),
    id,
    quantity: item.quantity,
    version: 1,
    stock_seq: 1,
    created_by: actorId,
    created_at: at,
    updated_at: at,
    ledger_hash: hash,
    house,
  };
}

/** The texts of an item in the form in which they are searched, sorted and compared. */
function foldedColumns({ name, supplierName, email, sku, barcodes }: EditableItem) {
  return {
    name_key: foldForSearch(name),
    supplier_key: foldForSearch(supplierName),
    email_key: emailKey(email),
    code_keys: JSON.stringify(codeKeys({ sku, barcodes })),
  };
}

/**
 * SQL for the time of a change. It is never before the item's last change, even when the clocks of two servers
 * differ.
 */
export const notBefore = (at: string) => `case when updated_at > ${at} then updated_at else ${at} end`;
