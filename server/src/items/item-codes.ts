import { codeKey, codeKeys } from '@perfume/domain/codes';
import type { Item } from '@perfume/domain/items';
import type { Selectable } from 'kysely';
import type { Replayed } from '../db/core/idempotency.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { toItem } from './item-row.ts';

/** Refuses an item whose code another item has. `field` is where the code stands, `holder` the item that has it. */
export type CodeTaken = {
  ok: false;
  reason: 'code_taken';
  taken: { field: 'sku' | 'barcodes'; code: string; holder: Item };
} & Replayed;

/** Finds the item of a house that has a code with this key; null if there is none. */
export async function findByCode(db: Queries, house: number, key: string): Promise<Item | null> {
  const [row] = await selectByCode(db, house, key);
  return row ? toItem(row) : null;
}

/**
 * Checks that no other item of the house has one of the codes. The database refuses a code that another transaction takes after this
 * check; the change is then run again and refused here.
 */
export async function findTaken(
  db: Queries,
  house: number,
  { id, sku, barcodes }: Pick<Item, 'id' | 'sku' | 'barcodes'>,
): Promise<CodeTaken | null> {
  const keys = codeKeys({ sku, barcodes });
  if (keys.length === 0) return null;
  const placeholders = keys.map((_, index) => `$${index + 3}`).join(', ');
  const [other] = await queryRows<Selectable<ItemRow> & { code_key: string }>(
    db,
    `select items.*, code_key from item_codes join items on items.id = item_codes.item_id
     where item_id <> $1 and item_codes.house = $2 and code_key in (${placeholders}) order by code_key limit 1`,
    [id, house, ...keys],
  );
  if (!other) return null;
  const barcode = barcodes.find((code) => codeKey(code) === other.code_key);
  const taken =
    barcode === undefined ? { field: 'sku' as const, code: sku ?? '' } : { field: 'barcodes' as const, code: barcode };
  return { ok: false, reason: 'code_taken', taken: { ...taken, holder: toItem(other) } };
}

const selectByCode = statement<Selectable<ItemRow>, [house: number, codeKey: string]>(
  `select items.* from item_codes join items on items.id = item_codes.item_id
   where item_codes.house = $1 and code_key = $2`,
);
