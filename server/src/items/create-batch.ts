import type { Item } from '@perfume/domain/items';
import type { Insertable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import type { Idempotency } from '../db/core/idempotency.ts';
import { reorderPointOf } from '../db/core/reorder-point.ts';
import type { MovementRow } from '../db/core/tables.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import { itemJson, type newItemRow } from './item-row.ts';

/**
 * The rows that create an item: the item, the first movement of its ledger (the opening stock), and its search text.
 */
export type NewRows = { item: ReturnType<typeof newItemRow>; opening: Insertable<MovementRow>; searchText: string };

type Input = NewRows & { idempotency: Idempotency };

/**
 * Creates an item together with others that arrive at the same time: PostgreSQL inserts them all in one round trip and
 * one commit. Returns null when an idempotency key in the batch was used before. The caller then creates its item in a
 * transaction of its own.
 */
export async function createBatch(db: Db, rows: NewRows, idempotency: Idempotency): Promise<Item | null> {
  const outcome = await create(db, { ...rows, idempotency });
  return outcome === null ? null : (JSON.parse(outcome) as { item: Item }).item;
}

const create = batcherPerStore<Input, string | null>(createAll, {
  maxSize: 64,
  conflictKey: ({ idempotency }) => idempotency.key,
});

/** Returns the outcome of each item as it was stored for a retry, or null if it was not created. */
async function createAll(db: Db, inputs: Input[]): Promise<(string | null)[]> {
  const [first] = inputs;
  if (!first) return [];
  const answers = inputs.map(({ item, searchText, idempotency }) => ({
    item_id: item.id,
    search_text: searchText,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
  }));
  const params = [inputs.map(({ item }) => item), inputs.map(({ opening }) => opening), answers];
  try {
    const rows = await db.changeInOneStatement?.<{ key: string; outcome: string }>(
      createSql(Object.keys(first.item), Object.keys(first.opening)),
      params.map((param) => JSON.stringify(param)),
    );
    const outcomes = new Map(rows?.map(({ key, outcome }) => [key, outcome]));
    return inputs.map(({ idempotency }) => outcomes.get(idempotency.key) ?? null);
  } catch (error) {
    // One idempotency key that was used before makes the whole statement fail. Each caller then creates its item alone.
    if (isUniqueViolation(error)) return inputs.map(() => null);
    throw error;
  }
}

const createSql = (itemColumns: string[], movementColumns: string[]) => `with item as (
    insert into items (${itemColumns.join(', ')}, low_at)
    select ${itemColumns.join(', ')}, ${reorderPointOf('new_item.house')}
    from json_populate_recordset(null::items, $1::json) as new_item
    returning *
  ),
  movement as (
    insert into stock_movements (${movementColumns.join(', ')})
    select ${movementColumns.join(', ')} from json_populate_recordset(null::stock_movements, $2::json)
  ),
  input as materialized (
    select * from json_to_recordset($3::json) as input (item_id text, search_text text, key text, fingerprint text)
  ),
  search as (
    insert into item_search (rowid, text) select item.num, search_text from item join input on item_id = item.id
  ),
  change as (insert into changes (house, item_id, kind, at, entry) select house, id, 'created', created_at, id from item),
  answer as (
    insert into answers (key, fingerprint, outcome, at)
    select key, fingerprint, json_build_object('ok', true, 'item', ${itemJson('item')})::text, created_at
    from item join input on item_id = item.id
    returning key, outcome
  )
  select key, outcome from answer`;
