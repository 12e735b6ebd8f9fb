import type { Movement } from '@perfume/contract/ledger';
import type { Item } from '@perfume/domain/items';
import { applyDelta } from '@perfume/domain/ledger';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';
import { SHOWN_NAME, type WithShownName } from '../identity/former-members.ts';
import type { Actor } from '../items/item-events.ts';
import { toItem } from '../items/item-row.ts';
import { findItem, lockItem, selectItem } from '../items/items.store.ts';
import type { MovementRequest, Recorded, StockChange } from './movement-request.ts';
import {
  type MovementInput,
  type MovementWithUndo,
  movementInput,
  movementRow,
  stockAssignments,
  toMovement,
} from './movement-row.ts';
import { recordBatch } from './record-batch.ts';

export type Refusal = Replayed &
  (
    | { ok: false; reason: 'item_not_found' }
    | { ok: false; reason: 'out_of_stock' | 'over_full'; onHand: number }
    | { ok: false; reason: 'stale_version'; item: Item }
    | KeyReused
  );

/** Changes the quantity and adds the movement that explains it, in one transaction. */
export async function recordMovement(db: Db, request: MovementRequest): Promise<Recorded | Refusal> {
  const recorded = await recordBatch(db, request);
  if (recorded) return recorded;
  return runIdempotent(db, request.idempotency, async (db) => {
    const { change } = request;
    return 'delta' in change ? applyDifference(db, movementInput(request, change)) : setCount(db, request, change);
  });
}

export type UndoRefusal = Replayed &
  (
    | { ok: false; reason: 'movement_not_found' | 'already_undone' | 'not_undoable' | 'item_deleted' }
    | { ok: false; reason: 'out_of_stock' | 'over_full'; onHand: number }
    | KeyReused
  );

/** Undoes a movement by recording its opposite, which can be undone in turn. */
export async function undoMovement(
  db: Db,
  request: {
    id: string;
    movementId: string;
    actor: Actor;
    at: number;
    batch: string | null;
    idempotency: Idempotency | null;
  },
): Promise<Recorded | UndoRefusal> {
  return runIdempotent<Recorded | UndoRefusal>(db, request.idempotency, (db) => undoInTransaction(db, request));
}

export async function undoInTransaction(
  db: Queries,
  request: { id: string; movementId: string; actor: Actor; at: number; batch: string | null },
): Promise<Recorded | UndoRefusal> {
  const [undone] = await selectMovement(db, request.movementId);
  if (!undone) return { ok: false, reason: 'movement_not_found' };
  if (undone.kind === 'opening') return { ok: false, reason: 'not_undoable' };
  // Locks the item before the check, so of two people who undo the same movement the second sees the first one's undo.
  const [locked] = await lockItem(db, undone.item_id);
  if (!locked || locked.deleted_at !== null) return { ok: false, reason: 'item_deleted' };
  const [earlierUndo] = await selectUndoOf(db, undone.id);
  if (earlierUndo) return { ok: false, reason: 'already_undone' };
  const outcome = await applyDifference(db, {
    id: request.id,
    item_id: undone.item_id,
    kind: 'undo',
    delta: -undone.delta,
    actor_id: request.actor.id,
    actor_name: request.actor.name,
    at: request.at,
    note: null,
    reason: null,
    batch: request.batch,
    undoes: undone.id,
    undone_kind: undone.undone_kind ?? undone.kind,
    undone_at: undone.undone_at ?? undone.at,
  });
  return outcome.ok || outcome.reason !== 'item_not_found' ? outcome : { ok: false, reason: 'item_deleted' };
}

/** A page of an item's ledger, newest first; null when the item never existed. */
export async function listMovements(
  db: Queries,
  page: { itemId: string; before: number | null; limit: number },
): Promise<{ movements: Movement[]; next: number | null } | null> {
  const [item] = await selectItem(db, page.itemId);
  if (!item) return null;
  const rows = await selectMovements(db, page.itemId, page.before ?? item.stock_seq + 1, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  return {
    movements: shown.map((row) => toMovement({ ...row, actor_name: row.shown_name })),
    next: rows.length > page.limit ? (shown.at(-1)?.seq ?? null) : null,
  };
}

export async function findMovement(db: Queries, id: string): Promise<Movement | null> {
  const [row] = await selectMovement(db, id);
  return row ? toMovement({ ...row, actor_name: row.shown_name }) : null;
}

type DifferenceRefusal = Exclude<Refusal, { reason: 'stale_version' }>;

/** Adds a difference to the current quantity. The database refuses a result below zero or above the maximum. */
export async function applyDifference(db: Queries, input: MovementInput): Promise<Recorded | DifferenceRefusal> {
  if (input.delta === 0) {
    const item = await findItem(db, input.item_id);
    return item ? { ok: true, item, movement: null } : { ok: false, reason: 'item_not_found' };
  }
  const [row] = await addToQuantity(
    db,
    input.item_id,
    MAX_QUANTITY,
    input.id,
    input.kind,
    input.delta,
    input.actor_id,
    input.actor_name,
    input.at,
    input.note,
    input.undoes,
    input.batch,
    input.reason,
  );
  if (!row) {
    // The outcome of a key is forgotten after 30 days. The stock may be too low because of the movement that it made.
    const [earlier] = await selectMovementId(db, input.id);
    if (earlier) return { ok: false, reason: 'key_reused' };
    const item = await findItem(db, input.item_id);
    if (!item) return { ok: false, reason: 'item_not_found' };
    const fits = applyDelta(item.quantity, input.delta);
    return { ok: false, reason: fits.ok ? 'out_of_stock' : fits.reason, onHand: item.quantity };
  }
  const movement = movementRow(input, row);
  await insertRow(db, 'stock_movements', movement);
  await insertChange(db, row.house, row.id, 'stock', movement.at, movement.id);
  return { ok: true, item: toItem(row), movement: toMovement({ ...movement, undone_by: null }) };
}

async function setCount(
  db: Queries,
  request: MovementRequest,
  count: Extract<StockChange, { target: number }>,
): Promise<Recorded | Refusal> {
  const [locked] = await lockItem(db, request.itemId);
  if (!locked || locked.deleted_at !== null) return { ok: false, reason: 'item_not_found' };
  if (count.ifVersion !== null && !count.ifVersion.includes(locked.version)) {
    return { ok: false, reason: 'stale_version', item: toItem(locked) };
  }
  // The row is locked: the quantity cannot change before the difference is applied.
  const delta = count.target - locked.quantity;
  return applyDifference(db, movementInput(request, { kind: 'correction', delta, reason: count.reason }));
}

const addToQuantity = statement<
  Selectable<ItemRow>,
  [
    itemId: string,
    max: number,
    movementId: string,
    kind: MovementRow['kind'],
    delta: number,
    actorId: string,
    actorName: string,
    at: number,
    note: string | null,
    undoes: string | null,
    batch: string | null,
    reason: string | null,
  ]
>(
  `update items set ${stockAssignments({
    id: '$3',
    kind: '$4',
    delta: '$5',
    actor_id: '$6',
    actor_name: '$7',
    at: '$8',
    note: '$9',
    undoes: '$10',
    batch: '$11',
    reason: '$12',
  })}
   where id = $1 and deleted_at is null and quantity + $5 between 0 and $2
   returning *`,
);

const MOVEMENT = `select m.*, ${SHOWN_NAME}, (select u.id from stock_movements u where u.undoes = m.id) as undone_by from stock_movements m`;

const selectMovement = statement<MovementWithUndo & WithShownName, [id: string]>(`${MOVEMENT} where m.id = $1`);
const selectMovementId = statement<{ id: string }, [id: string]>('select id from stock_movements where id = $1');
const selectUndoOf = statement<{ id: string }, [id: string]>('select id from stock_movements where undoes = $1');
const selectMovements = statement<MovementWithUndo & WithShownName, [itemId: string, before: number, limit: number]>(
  `${MOVEMENT} where m.item_id = $1 and m.seq < $2 order by m.seq desc limit $3`,
);
