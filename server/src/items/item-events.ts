import type { EditableField, FieldValue } from '@perfume/domain/edits';
import type { Selectable } from 'kysely';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ItemEventRow } from '../db/core/tables.ts';

export type FieldChange = { field: EditableField; from: FieldValue; to: FieldValue };

export type Actor = { id: string; name: string };

/** Who edits, deletes or restores an item, when, and as part of which bulk action or undo. */
export type Action = {
  /** The request's idempotency key if it has one, so that a retried request counts as the same action. */
  id: string;
  actor: Actor;
  at: number;
  batch: string | null;
  undoes: string | null;
};

export type ItemEvent = {
  id: string;
  itemId: string;
  kind: ItemEventRow['kind'];
  changes: FieldChange[];
  actorId: string;
  actorName: string;
  at: number;
  batch: string | null;
  undoes: string | null;
};

/** Records the action in the item's history. `about.at` is the item's `updated_at`, which never goes backwards. */
export async function recordEvent(
  db: Queries,
  action: Action,
  about: { house: number; itemId: string; kind: ItemEventRow['kind']; at: number; changes?: FieldChange[] },
): Promise<ItemEvent> {
  const { id, actor, batch, undoes } = action;
  const { house, itemId, kind, at, changes = [] } = about;
  await insertEvent(db, house, id, itemId, kind, JSON.stringify(changes), actor.id, actor.name, at, batch, undoes);
  return { id, itemId, kind, changes, actorId: actor.id, actorName: actor.name, at, batch, undoes };
}

export function toItemEvent(row: Selectable<ItemEventRow>): ItemEvent {
  return {
    id: row.id,
    itemId: row.item_id,
    kind: row.kind,
    changes: JSON.parse(row.changes) as FieldChange[],
    actorId: row.actor_id,
    actorName: row.actor_name,
    at: row.at,
    batch: row.batch,
    undoes: row.undoes,
  };
}

export const selectEvent = statement<Selectable<ItemEventRow>, [id: string]>('select * from item_events where id = $1');
export const selectEventUndoing = statement<{ id: string }, [id: string]>(
  'select id from item_events where undoes = $1',
);

const insertEvent = statement<
  never,
  [
    house: number,
    id: string,
    itemId: string,
    kind: ItemEventRow['kind'],
    changes: string,
    actorId: string,
    actorName: string,
    at: number,
    batch: string | null,
    undoes: string | null,
  ]
>(
  `insert into item_events (house, id, item_id, kind, changes, actor_id, actor_name, at, batch, undoes)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
