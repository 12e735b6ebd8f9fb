import { MAX_QUANTITY } from '@perfume/domain/quantity';
import type { Db } from '../db/core/database.ts';
import { isUniqueViolation } from '../db/core/errors.ts';
import type { MovementRow } from '../db/core/tables.ts';
import { batcherPerStore } from '../db/postgres/batcher.ts';
import type { MovementRequest, Recorded } from './ledger.store.ts';

type Asked = Pick<
  MovementRow,
  'id' | 'item_id' | 'kind' | 'delta' | 'actor_id' | 'actor_name' | 'at' | 'note' | 'batch'
> & {
  key: string;
  fingerprint: string;
};

/**
 * PostgreSQL can do many changes in one round trip and one commit. Null when the shelf refused, or the key is known,
 * or this is no plain difference under a key: then the long way decides, and says why.
 */
export async function recordTogether(db: Db, request: MovementRequest): Promise<Recorded | null> {
  const { change, idempotency } = request;
  if (!db.changeInOneStatement || !idempotency || !('delta' in change) || change.delta === 0) return null;
  const outcome = await record(db, {
    id: request.id,
    item_id: request.itemId,
    kind: change.kind,
    delta: change.delta,
    actor_id: request.actor.id,
    actor_name: request.actor.name,
    at: request.at,
    note: request.note,
    batch: request.batch,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
  });
  return outcome === null ? null : (JSON.parse(outcome) as Recorded);
}

// One statement changes a row once, so two changes of one item go into two batches.
const record = batcherPerStore<Asked, string | null>(recordMany, {
  maxSize: 64,
  conflictKey: (asked) => asked.item_id,
});

async function recordMany(db: Db, asked: Asked[]): Promise<(string | null)[]> {
  try {
    const params = [JSON.stringify(asked), MAX_QUANTITY, asked.map(({ item_id }) => item_id)];
    const rows = (await db.changeInOneStatement?.<{ id: string; outcome: string }>(RECORD_TOGETHER, params)) ?? [];
    const outcomes = new Map(rows.map((row) => [row.id, row.outcome]));
    return asked.map(({ id }) => outcomes.get(id) ?? null);
  } catch (error) {
    // Someone's key is known already, and took the others' with it: each goes the long way.
    if (isUniqueViolation(error)) return asked.map(() => null);
    throw error;
  }
}

// Items are held in the order of their ids, so two servers never wait for each other in a circle.
const RECORD_TOGETHER = `with asked as materialized (
    select * from json_to_recordset($1::json) as asked (id text, item_id text, kind text, delta bigint,
      actor_id text, actor_name text, at bigint, note text, batch text, key text, fingerprint text)
  ),
  held as materialized (
    select id from items where id = any($3::text[]) order by id for update
  ),
  shelf as (
    update items
    set quantity = quantity + asked.delta, stock_seq = stock_seq + 1, version = version + 1,
      updated_at = greatest(updated_at, asked.at),
      ledger_hash = ledger_hash(items.ledger_hash, items.id, stock_seq + 1, asked.id, asked.kind, asked.delta,
        quantity + asked.delta, asked.actor_id, asked.actor_name, greatest(updated_at, asked.at), asked.note, null,
        asked.batch)
    from held join asked on asked.item_id = held.id
    where items.id = held.id and deleted_at is null and quantity + asked.delta between 0 and $2
    returning items.*, asked.id as movement_id, asked.kind, asked.delta, asked.actor_id, asked.actor_name,
      items.updated_at as at, asked.note, asked.batch, asked.key, asked.fingerprint
  ),
  movement as (
    insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
      actor_id, actor_name, at, note, batch, hash)
    select movement_id, id, stock_seq, kind, delta, quantity - delta, quantity, actor_id, actor_name, at, note, batch,
      ledger_hash from shelf
  ),
  change as (insert into changes (item_id, kind, at) select id, 'stock', at from shelf),
  said as materialized (
    select movement_id, key, fingerprint, at, json_build_object('ok', true,
      'item', json_build_object('id', id, 'name', name, 'priceCents', price_cents, 'quantity', quantity,
        'imageUrl', image_url, 'description', description, 'supplierName', supplier_name, 'email', email,
        'version', version, 'createdAt', created_at, 'updatedAt', updated_at,
        'reorderPoint', reorder_point, 'lowAt', low_at),
      'movement', json_build_object('id', movement_id, 'itemId', id, 'kind', kind, 'delta', delta,
        'quantityAfter', quantity, 'actorId', actor_id, 'actorName', actor_name, 'at', at, 'note', note,
        'undoes', null, 'undoneBy', null))::text as outcome
    from shelf
  ),
  answer as (insert into answers (key, fingerprint, outcome, at) select key, fingerprint, outcome, at from said)
  select movement_id as id, outcome from said`;
