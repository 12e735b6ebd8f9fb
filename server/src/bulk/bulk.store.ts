import { hash } from 'node:crypto';
import type { BulkResult } from '@perfume/contract/bulk';
import type { ProblemCode } from '@perfume/contract/problems';
import type { Db } from '../db/core/database.ts';
import type { Idempotency } from '../db/core/idempotency.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import { undoEntry } from '../history/undo.store.ts';
import { type Actor, deleteItem, restoreItem } from '../items/items.store.ts';
import { recordMovement } from '../ledger/ledger.store.ts';

export type BulkRequest = {
  action: 'deliver' | 'delete' | 'restore';
  ids: string[];
  batch: string;
  actor: Actor;
  at: number;
  idempotency: Idempotency;
  others?: Others | null;
};

/** Of these items, the ones that the person may not change. */
type Others = (itemIds: string[]) => Promise<Set<string>>;

/** Each row is a change of its own: it succeeds or fails alone, and all that are under way share their commits. */
export async function doInBulk(db: Db, request: BulkRequest): Promise<BulkResult[]> {
  // An item named twice is meant once: it is one row on the screen.
  const ids = [...new Set(request.ids)];
  const others = await request.others?.(ids);
  return Promise.all(
    ids.map((itemId) => (others?.has(itemId) ? failed(itemId, notTheOwner) : doOne(db, request, itemId))),
  );
}

async function doOne(
  db: Db,
  { action, batch, actor, at, idempotency }: BulkRequest,
  itemId: string,
): Promise<BulkResult> {
  const own = idempotencyOfRow(idempotency, itemId);
  const id = own.key;
  if (action === 'deliver') {
    const change = { kind: 'deliver', delta: -1 } as const;
    const outcome = await recordMovement(db, { id, itemId, change, actor, at, note: null, batch, idempotency: own });
    return outcome.ok ? { _id: itemId, ok: true, movementId: id } : failed(itemId, outcome);
  }
  const performed = { id, actor, at, batch, undoes: null };
  const outcome = await (action === 'delete' ? deleteItem : restoreItem)(db, {
    itemId,
    action: performed,
    idempotency: own,
  });
  return outcome.ok ? { _id: itemId, ok: true, movementId: null } : failed(itemId, outcome);
}

const notTheOwner = { reason: 'not_the_owner' } as const;

const PORTION = 100;

/** Takes back what a bulk action did, as much as is still there to be taken back, a portion at a time. */
export async function undoBatch(
  db: Db,
  request: { batch: string; after: string; actor: Actor; at: number; requestId: string; others?: Others | null },
): Promise<{ batch: string; next: string | null; results: BulkResult[] } | null> {
  const { batch, after, actor, at, requestId } = request;
  const undoing = idFrom(`undo of ${batch}`);
  const left = await stillDone(db, { batch, after, undoing, actorId: actor.id });
  if (left.length === 0 && after === '' && !(await findBatch(db.query, batch))) return null;
  const portion = left.slice(0, PORTION);
  const others = await request.others?.([...new Set(portion.map((entry) => entry.item_id))]);
  const results = await Promise.all(
    portion.map(async ({ id: entryId, item_id: itemId, undone_by: undoneBy }): Promise<BulkResult> => {
      if (undoneBy !== null) return { _id: itemId, ok: true, movementId: undoneBy };
      if (others?.has(itemId)) return failed(itemId, notTheOwner);
      const id = idFrom(`${undoing} ${entryId}`);
      // Of this request alone: what is refused today may be possible tomorrow.
      const own = { key: idFrom(`${requestId} ${entryId}`), fingerprint: `undo ${entryId}`, at, requestId };
      const outcome = await undoEntry(db, { entryId, id, actor, at, batch: undoing, idempotency: own });
      return outcome.ok ? { _id: itemId, ok: true, movementId: id } : failed(itemId, outcome);
    }),
  );
  return { batch: undoing, next: left.length > PORTION ? (portion.at(-1)?.id ?? null) : null, results };
}

type Left = { id: string; item_id: string; undone_by: string | null };

/**
 * What is left to undo, and what the same person has undone by it already: when only the answer was lost, they ask again
 * and are told the same.
 */
function stillDone(
  db: Db,
  { batch, after, undoing, actorId }: Record<'batch' | 'after' | 'undoing' | 'actorId', string>,
): Promise<Left[]> {
  const from = (table: 'stock_movements' | 'item_events') =>
    `select e.id as id, e.item_id as item_id, u.id as undone_by from ${table} e left join ${table} u on u.undoes = e.id
     where e.batch = $1 and e.id > $2 and (u.id is null or (u.batch = $3 and u.actor_id = $4
       and not exists (select 1 from ${table} again where again.undoes = u.id)))`;
  return queryRows(
    db.query,
    `${from('stock_movements')} union all ${from('item_events')} order by id limit ${PORTION + 1}`,
    [batch, after, undoing, actorId],
  );
}

export type Batch = { entries: number; standing: number; delta: number | null };

/** Counted by the index of batches and the one of what was undone, so it takes as long as the batch is large. */
export async function findBatch(db: Queries, batch: string): Promise<Batch | null> {
  const from = (table: string, delta: string) =>
    `select u.id as undone_by, ${delta} as delta from ${table} e left join ${table} u on u.undoes = e.id
     where e.batch = $1`;
  const [found] = await queryRows<Batch>(
    db,
    `select count(*) as entries, count(*) - count(undone_by) as standing, cast(sum(delta) as bigint) as delta
     from (${from('stock_movements', 'e.delta')} union all ${from('item_events', 'null')}) as entry`,
    [batch],
  );
  return found && found.entries > 0 ? found : null;
}

function failed(itemId: string, { reason, onHand }: { reason: ProblemCode; onHand?: number }): BulkResult {
  return { _id: itemId, ok: false, code: reason, ...(onHand !== undefined && { onHand }) };
}

/** A key of its own for every row of a request, the same each time the request is repeated. */
function idempotencyOfRow(idempotency: Idempotency, itemId: string): Idempotency {
  return { ...idempotency, key: idFrom(`${idempotency.key} ${itemId}`) };
}

/** A UUID made of a text: the same text, the same id (version 8, its bits our own). */
function idFrom(text: string): string {
  const hex = hash('sha256', text, 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
