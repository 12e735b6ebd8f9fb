import type { Movement } from '@perfume/contract/ledger';
import type { Item } from '@perfume/domain/items';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { applyDelta, type MovementKind } from '@perfume/domain/stock';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';
import { type Actor, findItem, holdItem, LATER, selectItem, toItem } from '../items/items.store.ts';
import { recordTogether } from './record-together.ts';

/** What to do to the shelf: apply a difference, or count anew (and only while the version is one of `ifVersion`). */
export type StockChange =
  | { kind: 'deliver' | 'restock' | 'correction'; delta: number }
  | { kind: 'correction'; target: number; ifVersion: number[] | null };

export type MovementRequest = {
  /** Made at the click, so a retried click is the same movement. */
  id: string;
  itemId: string;
  change: StockChange;
  actor: Actor;
  at: number;
  note: string | null;
  /** The bulk action it is part of. */
  batch: string | null;
  idempotency: Idempotency | null;
};

export type Refusal = Replayed &
  (
    | { ok: false; reason: 'item_not_found' }
    | { ok: false; reason: 'out_of_stock' | 'over_full'; onHand: number }
    | { ok: false; reason: 'stale_version'; item: Item }
    | KeyReused
  );

/** `movement` is null when the shelf already was as asked: then there is nothing to write down. */
export type Recorded = { ok: true; item: Item; movement: Movement | null };

/** One transaction: the item's new quantity and the row of the ledger that explains it. */
export async function recordMovement(db: Db, request: MovementRequest): Promise<Recorded | Refusal> {
  const recorded = await recordTogether(db, request);
  if (recorded) return recorded;
  return runIdempotent(db, request.idempotency, async (db) => {
    const { change } = request;
    if (!('delta' in change)) return countAnew(db, request, change);
    return applyToShelf(db, {
      ...request,
      kind: change.kind,
      delta: change.delta,
      undoes: null,
      undoneKind: null,
      undoneAt: null,
    });
  });
}

export type UndoRefusal = Replayed &
  (
    | { ok: false; reason: 'movement_not_found' | 'already_undone' | 'not_undoable' | 'item_deleted' }
    | { ok: false; reason: 'out_of_stock' | 'over_full'; onHand: number }
    | KeyReused
  );

/** The mirror image of a movement, as a movement of its own. Undoing that one brings the first back. */
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
  return runIdempotent<Recorded | UndoRefusal>(db, request.idempotency, (db) => undoInside(db, request));
}

/** The same, inside a transaction that may do more. */
export async function undoInside(
  db: Queries,
  request: { id: string; movementId: string; actor: Actor; at: number; batch: string | null },
): Promise<Recorded | UndoRefusal> {
  const [undone] = await selectMovement(db, request.movementId);
  if (!undone) return { ok: false, reason: 'movement_not_found' };
  if (undone.kind === 'opening') return { ok: false, reason: 'not_undoable' };
  // Holding the item first, so that of two people who undo the same movement one comes second and sees the other's.
  const [held] = await holdItem(db, undone.item_id);
  if (!held || held.deleted_at !== null) return { ok: false, reason: 'item_deleted' };
  const [again] = await selectUndoOf(db, undone.id);
  if (again) return { ok: false, reason: 'already_undone' };
  const outcome = await applyToShelf(db, {
    ...request,
    itemId: undone.item_id,
    kind: 'undo',
    delta: -undone.delta,
    note: null,
    undoes: undone.id,
    undoneKind: undone.undone_kind ?? undone.kind,
    undoneAt: undone.undone_at ?? undone.at,
  });
  return outcome.ok || outcome.reason !== 'item_not_found' ? outcome : { ok: false, reason: 'item_deleted' };
}

/** A page of an item's ledger, newest first, or null when there never was such an item. */
export async function listMovements(
  db: Queries,
  page: { itemId: string; before: number | null; limit: number },
): Promise<{ movements: Movement[]; next: number | null } | null> {
  const [item] = await selectItem(db, page.itemId);
  if (!item) return null;
  const rows = await selectMovements(db, page.itemId, page.before ?? item.stock_seq + 1, page.limit + 1);
  const shown = rows.slice(0, page.limit);
  return { movements: shown.map(toMovement), next: rows.length > page.limit ? (shown.at(-1)?.seq ?? null) : null };
}

type Difference = {
  id: string;
  itemId: string;
  kind: MovementKind;
  delta: number;
  actor: Actor;
  at: number;
  note: string | null;
  undoes: string | null;
  undoneKind: MovementKind | null;
  undoneAt: number | null;
  batch: string | null;
};

type ShelfRefusal = Exclude<Refusal, { reason: 'stale_version' } | KeyReused>;

/** The database does the sum: what is on the shelf at this instant, plus the difference, or nothing at all. */
async function applyToShelf(db: Queries, difference: Difference): Promise<Recorded | ShelfRefusal> {
  if (difference.delta === 0) {
    const item = await findItem(db, difference.itemId);
    return item ? { ok: true, item, movement: null } : { ok: false, reason: 'item_not_found' };
  }
  const { id, itemId, kind, delta, actor, at, note, undoes, batch } = difference;
  const [row] = await addToQuantity(
    db,
    itemId,
    delta,
    at,
    MAX_QUANTITY,
    id,
    kind,
    actor.id,
    actor.name,
    note,
    undoes,
    batch,
  );
  if (!row) {
    const item = await findItem(db, difference.itemId);
    if (!item) return { ok: false, reason: 'item_not_found' };
    const fits = applyDelta(item.quantity, difference.delta);
    return { ok: false, reason: fits.ok ? 'out_of_stock' : fits.reason, onHand: item.quantity };
  }
  return { ok: true, item: toItem(row), movement: await writeDown(db, row, difference) };
}

async function countAnew(
  db: Queries,
  request: MovementRequest,
  count: { target: number; ifVersion: number[] | null },
): Promise<Recorded | Refusal> {
  const [held] = await holdItem(db, request.itemId);
  if (!held || held.deleted_at !== null) return { ok: false, reason: 'item_not_found' };
  if (count.ifVersion !== null && !count.ifVersion.includes(held.version)) {
    return { ok: false, reason: 'stale_version', item: toItem(held) };
  }
  // The row is held: nothing can come between this difference and its use.
  const delta = count.target - held.quantity;
  return applyToShelf(db, { ...request, kind: 'correction', delta, undoes: null, undoneKind: null, undoneAt: null });
}

async function writeDown(db: Queries, row: Selectable<ItemRow>, difference: Difference): Promise<Movement> {
  const { id, itemId, kind, delta, actor, note, undoes, undoneKind, undoneAt, batch } = difference;
  const at = row.updated_at;
  const before = row.quantity - delta;
  await insertMovement(
    db,
    id,
    itemId,
    row.stock_seq,
    kind,
    delta,
    before,
    row.quantity,
    actor.id,
    actor.name,
    at,
    note,
    undoes,
    batch,
    undoneKind,
    undoneAt,
    row.ledger_hash,
  );
  await insertChange(db, itemId, 'stock', at);
  return {
    id,
    itemId,
    kind,
    delta,
    quantityAfter: row.quantity,
    actorId: actor.id,
    actorName: actor.name,
    at,
    note,
    undoes,
    undoneBy: null,
  };
}

const addToQuantity = statement<
  Selectable<ItemRow>,
  [
    itemId: string,
    delta: number,
    at: number,
    most: number,
    movementId: string,
    kind: MovementKind,
    actorId: string,
    actorName: string,
    note: string | null,
    undoes: string | null,
    batch: string | null,
  ]
>(
  `update items set quantity = quantity + $2, stock_seq = stock_seq + 1, version = version + 1, updated_at = ${LATER('$3')},
     ledger_hash = ledger_hash(ledger_hash, id, stock_seq + 1, $5, $6, $2, quantity + $2, $7, $8, ${LATER('$3')}, $9, $10, $11)
   where id = $1 and deleted_at is null and quantity + $2 between 0 and $4
   returning *`,
);

const insertMovement = statement<
  never,
  [
    id: string,
    itemId: string,
    seq: number,
    kind: MovementKind,
    delta: number,
    before: number,
    after: number,
    actorId: string,
    actorName: string,
    at: number,
    note: string | null,
    undoes: string | null,
    batch: string | null,
    undoneKind: MovementKind | null,
    undoneAt: number | null,
    hash: string,
  ]
>(
  `insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
     actor_id, actor_name, at, note, undoes, batch, undone_kind, undone_at, hash)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);

type MovementWithUndo = Selectable<MovementRow> & { undone_by: string | null };
const MOVEMENT = `select m.*, (select u.id from stock_movements u where u.undoes = m.id) as undone_by from stock_movements m`;

const selectMovement = statement<MovementWithUndo, [id: string]>(`${MOVEMENT} where m.id = $1`);
const selectUndoOf = statement<{ id: string }, [id: string]>('select id from stock_movements where undoes = $1');
const selectMovements = statement<MovementWithUndo, [itemId: string, before: number, limit: number]>(
  `${MOVEMENT} where m.item_id = $1 and m.seq < $2 order by m.seq desc limit $3`,
);

function toMovement(row: MovementWithUndo): Movement {
  return {
    id: row.id,
    itemId: row.item_id,
    kind: row.kind,
    delta: row.delta,
    quantityAfter: row.quantity_after,
    actorId: row.actor_id,
    actorName: row.actor_name,
    at: row.at,
    note: row.note,
    undoes: row.undoes,
    undoneBy: row.undone_by,
  };
}
