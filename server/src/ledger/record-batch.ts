import { MAX_QUANTITY } from '@perfume/domain/quantity';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import type { MovementRow } from '../db/core/tables.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import { itemJson } from '../items/item-row.ts';
import type { MovementRequest, Recorded } from './movement-request.ts';
import { type MovementInput, movementInput, movementJson, stockAssignments } from './movement-row.ts';

type Input = MovementInput & { key: string; fingerprint: string; is_brief: boolean };

/**
 * Records a movement together with others that arrive at the same time: PostgreSQL writes them all in one round trip
 * and one commit. Returns null if that is not possible: on SQLite, without an idempotency key, without a difference, if
 * the item is deleted or has too little stock, and if a key in the batch was used before. The caller then records the
 * movement in a transaction of its own, which also finds the reason for a refusal.
 */
export async function recordBatch(db: Db, request: MovementRequest): Promise<Recorded | null> {
  const { change, idempotency } = request;
  if (!db.changeInOneStatement || !idempotency || !('delta' in change) || change.delta === 0) return null;
  const { key, fingerprint, isBrief: is_brief = false } = idempotency;
  const outcome = await record(db, { ...movementInput(request, change), key, fingerprint, is_brief });
  return outcome === null ? null : (JSON.parse(outcome) as Recorded);
}

// One statement can update a row only once, so two movements of one item go into two batches.
const record = batcherPerStore<Input, string | null>(recordAll, {
  maxSize: 64,
  conflictKey: (input) => input.item_id,
});

/** Returns the outcome of each movement as it was stored for a retry, or null if it was not recorded. */
async function recordAll(db: Db, inputs: Input[]): Promise<(string | null)[]> {
  try {
    const params = [JSON.stringify(inputs), MAX_QUANTITY, inputs.map(({ item_id }) => item_id)];
    const rows = await db.changeInOneStatement?.<{ key: string; outcome: string }>(RECORD_BATCH, params);
    const outcomes = new Map(rows?.map(({ key, outcome }) => [key, outcome]));
    return inputs.map(({ key }) => outcomes.get(key) ?? null);
  } catch (error) {
    // One idempotency key that was used before makes the whole statement fail. Each caller then records its movement
    // alone.
    if (isUniqueViolation(error)) return inputs.map(() => null);
    throw error;
  }
}

/** The SQL of each column of the movement, from the item after the change and the input that changed it. */
const movementColumns: Record<keyof MovementRow, string> = {
  id: 'item.movement_id',
  item_id: 'item.id',
  seq: 'item.stock_seq',
  kind: 'item.kind',
  delta: 'item.delta',
  quantity_before: 'item.quantity - item.delta',
  quantity_after: 'item.quantity',
  actor_id: 'item.actor_id',
  actor_name: 'item.actor_name',
  at: 'item.updated_at',
  note: 'item.note',
  reason: 'item.reason',
  undoes: 'null',
  batch: 'item.batch',
  undone_kind: 'null',
  undone_at: 'null::bigint',
  hash: 'item.ledger_hash',
  house: 'item.house',
};

const movementNames = Object.keys(movementColumns).join(', ');
const movementValues = Object.entries(movementColumns)
  .map(([name, sql]) => `${sql} as ${name}`)
  .join(', ');
// Each item with its movement. This is not a join, which would cost a batch a tenth of its time.
const itemWithMovement = `item cross join lateral (select ${movementValues}, null as undone_by) as movement`;

// Items are locked in the order of their ids, so two servers cannot deadlock. `coalesce` hides from the planner that it could
// use an index of the items that are not deleted: without statistics it would read all of them.
const RECORD_BATCH = `with input as materialized (
    select * from json_to_recordset($1::json) as input (id text, item_id text, kind text, delta bigint,
      actor_id text, actor_name text, at bigint, note text, reason text, batch text, key text, fingerprint text,
      is_brief boolean)
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
      reason: 'input.reason',
      undoes: 'null',
      batch: 'input.batch',
    })}
    from locked join input on input.item_id = locked.id
    where items.id = locked.id and coalesce(deleted_at, 0) = 0 and quantity + input.delta between 0 and $2
    returning items.*, input.id as movement_id, input.kind, input.delta, input.actor_id, input.actor_name, input.note,
      input.reason, input.batch, input.key, input.fingerprint, input.is_brief
  ),
  recorded as (
    insert into stock_movements (${movementNames}) select ${movementValues} from item
  ),
  change as (insert into changes (house, item_id, kind, at, entry) select house, id, 'stock', updated_at, movement_id from item),
  answer as (
    insert into answers (key, fingerprint, outcome, at)
    select item.key, item.fingerprint,
      case when item.is_brief then '{"ok":true}' else json_build_object('ok', true, 'item', ${itemJson('item')}, 'movement', ${movementJson('movement')})::text end, item.updated_at
    from ${itemWithMovement}
    returning key, outcome
  )
  select key, outcome from answer`;
