import type { Movement } from '@perfume/contract/ledger';
import type { Difference } from '@perfume/domain/ledger';
import type { Selectable } from 'kysely';
import { type ColumnOf, rowMapping } from '../db/core/row-mapping.ts';
import type { ItemRow, MovementRow } from '../db/core/tables.ts';
import { notBefore } from '../items/item-row.ts';
import type { MovementRequest } from './movement-request.ts';

/** A requested movement. The other columns of its row depend on the item it changes. */
export type MovementInput = Omit<
  Selectable<MovementRow>,
  'seq' | 'quantity_before' | 'quantity_after' | 'hash' | 'house'
>;

export type MovementWithUndo = Omit<Selectable<MovementRow>, 'actor_name'> & {
  actor_name: string | null;
  undone_by: string | null;
};

const columns = {
  id: 'id',
  itemId: 'item_id',
  kind: 'kind',
  delta: 'delta',
  quantityAfter: 'quantity_after',
  actorId: 'actor_id',
  actorName: 'actor_name',
  at: 'at',
  note: 'note',
  reason: 'reason',
  undoes: 'undoes',
  undoneBy: 'undone_by',
} as const satisfies ColumnOf<Movement, MovementWithUndo>;

const { fromRow, json } = rowMapping<Movement, MovementWithUndo, typeof columns>(columns);

export const toMovement = fromRow;
/** SQL for the movement as JSON. PostgreSQL stores it as the outcome of a batched request. */
export const movementJson = json;

/** The input for a movement that is not an undo. */
export function movementInput(
  { id, itemId, actor, at, note, batch }: MovementRequest,
  difference: Difference,
): MovementInput {
  return {
    id,
    item_id: itemId,
    kind: difference.kind,
    delta: difference.delta,
    actor_id: actor.id,
    actor_name: actor.name,
    at,
    note,
    reason: difference.kind === 'correction' ? difference.reason : null,
    batch,
    undoes: null,
    undone_kind: null,
    undone_at: null,
  };
}

/** The row of a movement. `item` is the item's row after the movement was applied to it. */
export function movementRow(input: MovementInput, item: Selectable<ItemRow>): Selectable<MovementRow> {
  return {
    ...input,
    seq: item.stock_seq,
    quantity_before: item.quantity - input.delta,
    quantity_after: item.quantity,
    at: item.updated_at,
    hash: item.ledger_hash,
    house: item.house,
  };
}

/**
 * SQL assignments that apply a movement to its item. The given values are SQL too: parameters, or columns of a batch.
 */
export function stockAssignments(
  movement: Record<Exclude<keyof MovementInput, 'item_id' | 'undone_kind' | 'undone_at'>, string>,
): string {
  const { id, kind, delta, actor_id, actor_name, at, note, undoes, batch, reason } = movement;
  return `quantity = quantity + ${delta}, stock_seq = stock_seq + 1, version = version + 1, updated_at = ${notBefore(at)},
    ledger_hash = ledger_hash(ledger_hash, items.id, stock_seq + 1, ${id}, ${kind}, ${delta}, quantity + ${delta},
      ${actor_id}, ${actor_name}, ${notBefore(at)}, ${note}, ${undoes}, ${batch}, ${reason})`;
}
