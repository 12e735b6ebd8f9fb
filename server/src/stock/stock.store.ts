import type { Movement } from '@perfume/contract/stock';
import type { Item } from '@perfume/domain/items';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { applyDelta, type MovementKind } from '@perfume/domain/stock';
import type { Selectable } from 'kysely';
import { type KeyReused, type Once, once, type Repeated } from '../db/answers.ts';
import { insertChange } from '../db/changes.ts';
import type { Db } from '../db/database.ts';
import { isDuplicate } from '../db/errors.ts';
import { type Queries, statement } from '../db/statement.ts';
import type { ItemRow, MovementRow } from '../db/tables.ts';
import { type Actor, findItem, selectItem, toItem } from '../items/items.store.ts';

/** What to do to the shelf: apply a difference, or count anew (and only if nothing changed since `ifVersion`). */
export type StockChange =
  | { kind: 'deliver' | 'restock' | 'correction'; delta: number }
  | { kind: 'correction'; target: number; ifVersion: number | null };

export type MovementRequest = {
  /** Made at the click, so a retried click is the same movement. */
  id: string;
  itemId: string;
  change: StockChange;
  actor: Actor;
  at: number;
  note: string | null;
  once: Once | null;
};

export type Refusal = Repeated &
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
  if (db.dialect === 'postgres' && 'delta' in request.change) {
    const recorded = await recordInOneStatement(db, request, request.change);
    if (recorded) return recorded;
  }
  return once(db, request.once, async (db) => {
    const { change } = request;
    if (!('delta' in change)) return countAnew(db, request, change);
    return applyToShelf(db, { ...request, kind: change.kind, delta: change.delta, undoes: null });
  });
}

export type UndoRefusal = Repeated &
  (
    | { ok: false; reason: 'movement_not_found' | 'already_undone' | 'not_undoable' | 'item_deleted' }
    | { ok: false; reason: 'out_of_stock' | 'over_full'; onHand: number }
    | KeyReused
  );

/** The mirror image of a movement, as a movement of its own. Undoing that one brings the first back. */
export async function undoMovement(
  db: Db,
  request: { id: string; movementId: string; actor: Actor; at: number; once: Once | null },
): Promise<Recorded | UndoRefusal> {
  return once<Recorded | UndoRefusal>(db, request.once, async (db) => {
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
    });
    return outcome.ok || outcome.reason !== 'item_not_found' ? outcome : { ok: false, reason: 'item_deleted' };
  });
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
};

type ShelfRefusal = Exclude<Refusal, { reason: 'stale_version' } | KeyReused>;

/** The database does the sum: what is on the shelf at this instant, plus the difference, or nothing at all. */
async function applyToShelf(db: Queries, difference: Difference): Promise<Recorded | ShelfRefusal> {
  if (difference.delta === 0) {
    const item = await findItem(db, difference.itemId);
    return item ? { ok: true, item, movement: null } : { ok: false, reason: 'item_not_found' };
  }
  const [row] = await addToQuantity(db, difference.itemId, difference.delta, difference.at, MAX_QUANTITY);
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
  count: { target: number; ifVersion: number | null },
): Promise<Recorded | Refusal> {
  const [held] = await holdItem(db, request.itemId);
  if (!held || held.deleted_at !== null) return { ok: false, reason: 'item_not_found' };
  if (count.ifVersion !== null && held.version !== count.ifVersion) {
    return { ok: false, reason: 'stale_version', item: toItem(held) };
  }
  // The row is held: nothing can come between this difference and its use.
  const delta = count.target - held.quantity;
  return applyToShelf(db, { ...request, kind: 'correction', delta, undoes: null });
}

async function writeDown(db: Queries, row: Selectable<ItemRow>, difference: Difference): Promise<Movement> {
  const { id, itemId, kind, delta, actor, at, note, undoes } = difference;
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

/**
 * PostgreSQL can do the whole change in one round trip. Nothing comes back when the shelf refused or the key is
 * known: then the long way decides, and says why.
 */
async function recordInOneStatement(
  db: Db,
  request: MovementRequest,
  change: { kind: MovementKind; delta: number },
): Promise<Recorded | null> {
  if (change.delta === 0) return null;
  const { id, itemId, actor, at, note, once } = request;
  try {
    const rows = await db.changeAtOnce<{ outcome: string }>(
      RECORD_AT_ONCE,
      [
        itemId,
        change.delta,
        at,
        MAX_QUANTITY,
        id,
        change.kind,
        actor.id,
        actor.name,
        note,
        once?.key ?? null,
        once?.fingerprint ?? null,
      ],
      { repeatable: once !== null },
    );
    return rows[0] ? (JSON.parse(rows[0].outcome) as Recorded) : null;
  } catch (error) {
    if (isDuplicate(error)) return null;
    throw error;
  }
}

const ADD_TO_QUANTITY = `update items
  set quantity = quantity + $2, stock_seq = stock_seq + 1, version = version + 1, updated_at = $3
  where id = $1 and deleted_at is null and quantity + $2 between 0 and $4
  returning *`;

const addToQuantity = statement<Selectable<ItemRow>, [itemId: string, delta: number, at: number, most: number]>(
  ADD_TO_QUANTITY,
);

const RECORD_AT_ONCE = `with shelf as (${ADD_TO_QUANTITY}),
  movement as (
    insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
      actor_id, actor_name, at, note)
    select $5, id, stock_seq, $6, $2, quantity - $2, quantity, $7, $8, $3, $9 from shelf
  ),
  change as (insert into changes (item_id, kind, at) select id, 'stock', $3 from shelf),
  said as (
    select json_build_object('ok', true,
      'item', json_build_object('id', id, 'name', name, 'priceCents', price_cents, 'quantity', quantity,
        'imageUrl', image_url, 'description', description, 'supplierName', supplier_name, 'email', email,
        'version', version, 'createdAt', created_at, 'updatedAt', updated_at),
      'movement', json_build_object('id', $5::text, 'itemId', id, 'kind', $6::text, 'delta', $2::bigint,
        'quantityAfter', quantity, 'actorId', $7::text, 'actorName', $8::text, 'at', $3::bigint, 'note', $9::text,
        'undoes', null, 'undoneBy', null))::text as outcome
    from shelf
  ),
  answer as (
    insert into answers (key, fingerprint, outcome, at) select $10, $11, outcome, $3 from said where $10::text is not null
  )
  select outcome from said`;

/** Takes the item for this transaction and reads it. Its stock does not change by being looked at. */
const holdItem = statement<Selectable<ItemRow>, [id: string]>(
  'update items set version = version where id = $1 returning *',
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
  ]
>(
  `insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after,
     actor_id, actor_name, at, note, undoes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
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
