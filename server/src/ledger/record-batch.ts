import { MAX_QUANTITY } from '@perfume/domain/quantity';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import { itemJson, toItem } from '../items/item-row.ts';
import type { MovementRequest, Recorded } from './movement-request.ts';
import {
  type MovementInput,
  movementInput,
  movementJson,
  movementRow,
  stockAssignments,
  toMovement,
} from './movement-row.ts';

type Input = MovementInput & { key: string; fingerprint: string };

/**
 * Records a movement together with others that arrive at the same time: PostgreSQL writes them all in one round trip
 * and one commit. Returns null if that is not possible: on SQLite, without an idempotency key, without a difference, if
 * the item is deleted or has too little stock, and if a key in the batch was used before. The caller then records the
 * movement in a transaction of its own, which also finds the reason for a refusal.
 */
export async function recordBatch(db: Db, request: MovementRequest): Promise<Recorded | null> {
  const { change, idempotency } = request;
  if (!db.changeInOneStatement || !idempotency || !('delta' in change) || change.delta === 0) return null;
  const input = movementInput(request, change);
  const row = await record(db, { ...input, key: idempotency.key, fingerprint: idempotency.fingerprint });
  if (!row) return null;
  return { ok: true, item: toItem(row), movement: toMovement({ ...movementRow(input, row), undone_by: null }) };
}

// One statement can update a row only once, so two movements of one item go into two batches.
const record = batcherPerStore<Input, Selectable<ItemRow> | null>(recordAll, {
  maxSize: 64,
  conflictKey: (input) => input.item_id,
});

async function recordAll(db: Db, inputs: Input[]): Promise<(Selectable<ItemRow> | null)[]> {
  try {
    const params = [JSON.stringify(inputs), MAX_QUANTITY, inputs.map(({ item_id }) => item_id)];
    const rows = await db.changeInOneStatement?.<Selectable<ItemRow>>(RECORD_BATCH, params);
    const byId = new Map(rows?.map((row) => [row.id, row]));
    return inputs.map(({ item_id }) => byId.get(item_id) ?? null);
  } catch (error) {
    // One idempotency key that was used before makes the whole statement fail. Each caller then records its movement
    // alone.
    if (isUniqueViolation(error)) return inputs.map(() => null);
    throw error;
  }
}

const movementColumns: Record<keyof MovementRow, string> = {
  id: 'input.id',
  item_id: 'item.id',
  seq: 'item.stock_seq',
  kind: 'input.kind',
  delta: 'input.delta',
  quantity_before: 'item.quantity - input.delta',
  quantity_after: 'item.quantity',
  actor_id: 'input.actor_id',
  actor_name: 'input.actor_name',
  at: 'item.updated_at',
  note: 'input.note',
  undoes: 'null',
  batch: 'input.batch',
  undone_kind: 'null',
  undone_at: 'null',
  hash: 'item.ledger_hash',
};

// Items are locked in the order of their ids, so two servers cannot deadlock.
const RECORD_BATCH = `with input as materialized (
    select * from json_to_recordset($1::json) as input (id text, item_id text, kind text, delta bigint,
      actor_id text, actor_name text, at bigint, note text, batch text, key text, fingerprint text)
  ),
  locked as materialized (
    select id from items where id = any($3::text[]) order by id for update
  ),
  item as (
    update items set ${stockAssignments({
      id: 'input.id',
      kind: 'input.kind',
      delta: 'input.delta',
      actor_id: 'input.actor_id',
      actor_name: 'input.actor_name',
      at: 'input.at',
      note: 'input.note',
      undoes: 'null',
      batch: 'input.batch',
    })}
    from locked join input on input.item_id = locked.id
    where items.id = locked.id and deleted_at is null and quantity + input.delta between 0 and $2
    returning items.*
  ),
  movement as (
    insert into stock_movements (${Object.keys(movementColumns).join(', ')})
    select ${Object.values(movementColumns).join(', ')} from item join input on input.item_id = item.id
    returning *, null as undone_by
  ),
  change as (insert into changes (item_id, kind, at) select item_id, 'stock', at from movement),
  answer as (
    insert into answers (key, fingerprint, outcome, at)
    select input.key, input.fingerprint,
      json_build_object('ok', true, 'item', ${itemJson('item')}, 'movement', ${movementJson('movement')})::text, movement.at
    from movement join item on item.id = movement.item_id join input on input.id = movement.id
  )
  select * from item`;
