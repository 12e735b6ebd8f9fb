import type { BulkResult, bulk } from '@perfume/contract/bulk';
import type { BodyOf } from '@perfume/contract/endpoint';
import type { ProblemCode } from '@perfume/contract/problems';
import type { Db } from '../db/core/database.ts';
import type { Idempotency } from '../db/core/idempotency.ts';
import { derivedId } from '../db/core/ids.ts';
import { inTurns } from '../db/core/in-turns.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import { undoEntry } from '../history/undo.store.ts';
import { assignCode } from '../items/assign-code.store.ts';
import { editItem } from '../items/edit.store.ts';
import type { Actor } from '../items/item-events.ts';
import { deleteItem, restoreItem } from '../items/items.store.ts';
import { recordMovement } from '../ledger/ledger.store.ts';

export type BulkRequest = BodyOf<typeof bulk> & {
  actor: Actor;
  at: number;
  idempotency: Idempotency;
  foreignItems?: ForeignItems;
};

/** Returns those of the items that belong to another house: for whoever asks, they do not exist. */
export type ForeignItems = (itemIds: string[]) => Promise<Set<string>>;

/**
 * Whether somebody else has entries under this id. Adding to them would make their undo take back what they did not do.
 */
export async function isOthersBatch(db: Queries, batch: string, actorId: string): Promise<boolean> {
  return (await selectFirstActors(db, batch)).some(({ actor_id }) => actor_id !== actorId);
}

// The first entry is enough: whoever made it, nobody else could add to it. A bulk action may have 200,000 entries.
const selectFirstActors = statement<{ actor_id: string }, [batch: string]>(
  ['stock_movements', 'item_events']
    .map(
      (table) => `select actor_id from (select actor_id from ${table} where batch = $1 order by id limit 1) as first`,
    )
    .join(' union all '),
);

/** Performs a bulk action. Each item succeeds or fails on its own. Concurrent changes share their commits. */
export async function runBulk(db: Db, request: BulkRequest): Promise<BulkResult[]> {
  // An item named twice is changed once: it is one row on the screen.
  const ids = [...new Set(request.ids)];
  const foreign = await request.foreignItems?.(ids);
  const isTogether = request.action === 'deliver' || request.action === 'restock';
  return inTurns(
    db,
    ids,
    async (itemId) => (foreign?.has(itemId) ? failed(itemId, notFound) : changeOne(db, request, itemId)),
    { isTogether },
  );
}

async function changeOne(
  db: Db,
  { action, units = 1, reorderPoint = null, batch, actor, at, idempotency: ofRequest }: BulkRequest,
  itemId: string,
): Promise<BulkResult> {
  // Each item has its own key, derived from the key of the request, so a repeated request uses the same keys.
  const id = derivedId(`${ofRequest.key} ${itemId}`);
  const idempotency = { ...ofRequest, key: id, isBrief: true };
  if (action === 'deliver' || action === 'restock') {
    const change = { kind: action, delta: action === 'deliver' ? -units : units };
    const outcome = await recordMovement(db, { id, itemId, change, actor, at, note: null, batch, idempotency });
    return outcome.ok ? { id: itemId, ok: true, movementId: id } : failed(itemId, outcome);
  }
  const performed = { id, actor, at, batch, undoes: null };
  const one = { itemId, action: performed, idempotency };
  const outcome =
    action === 'setReorderPoint'
      ? await editItem(db, { ...one, wanted: { reorderPoint }, seen: {} })
      : await changes[action](db, one);
  return outcome.ok ? { id: itemId, ok: true, movementId: outcome.event?.id ?? null } : failed(itemId, outcome);
}

const changes = { assignCode, delete: deleteItem, restore: restoreItem };

const notFound = { reason: 'item_not_found' } as const;

const ENTRIES_PER_CALL = 100;

/**
 * Undoes entries of a bulk action that are not undone yet, a limited number per call. `next` is where the next call
 * continues.
 */
export async function undoBatch(
  db: Db,
  request: {
    house: number;
    batch: string;
    after: string;
    actor: Actor;
    at: number;
    requestId: string;
  },
): Promise<{ batch: string; next: string | null; results: BulkResult[] } | null> {
  const { house, batch, after, actor, at, requestId } = request;
  const undoBatchId = derivedId(`undo of ${batch}`);
  const left = await entriesToUndo(db, house, { batch, after, undoBatchId, actorId: actor.id });
  if (left.length === 0 && after === '' && !(await findBatch(db, house, batch))) return null;
  const entries = left.slice(0, ENTRIES_PER_CALL);
  const results = await inTurns(
    db,
    entries,
    async ({ id: entryId, item_id: itemId, undone_by: undoneBy }): Promise<BulkResult> => {
      if (undoneBy !== null) return { id: itemId, ok: true, movementId: undoneBy };
      const id = derivedId(`${undoBatchId} ${entryId}`);
      // The idempotency key belongs to this request only: an undo that is refused now may be possible later.
      const key = derivedId(`${requestId} ${entryId}`);
      const idempotency = { key, fingerprint: `undo ${entryId}`, at, requestId, isBrief: true };
      const outcome = await undoEntry(db, { entryId, id, actor, at, batch: undoBatchId, idempotency });
      return outcome.ok ? { id: itemId, ok: true, movementId: id } : failed(itemId, outcome);
    },
  );
  return { batch: undoBatchId, next: left.length > ENTRIES_PER_CALL ? (entries.at(-1)?.id ?? null) : null, results };
}

/**
 * The entries of a bulk action, and where their undos are: whoever undoes an opening deletes the item. Queries have
 * `house + 0`, because the planner of SQLite would otherwise prefer an index of the house to that of the bulk action.
 */
const ENTRIES = [
  { table: 'stock_movements', where: `e.kind <> 'opening'`, undos: 'stock_movements' },
  { table: 'stock_movements', where: `e.kind = 'opening'`, undos: 'item_events' },
  { table: 'item_events', where: 'true', undos: 'item_events' },
] as const;

type EntryToUndo = { id: string; item_id: string; undone_by: string | null };

/**
 * The entries that are not undone yet, and those that this person has already undone with this batch, so that a client
 * that lost the response can retry and gets the same result.
 */
function entriesToUndo(
  db: Db,
  house: number,
  { batch, after, undoBatchId, actorId }: Record<'batch' | 'after' | 'undoBatchId' | 'actorId', string>,
): Promise<EntryToUndo[]> {
  const entries = ENTRIES.map(
    ({ table, where, undos }) =>
      `select e.id as id, e.item_id as item_id, u.id as undone_by from ${table} e left join ${undos} u on u.undoes = e.id
       where e.batch = $1 and e.house + 0 = $5 and ${where} and e.id > $2 and (u.id is null or (u.batch = $3 and u.actor_id = $4
         and not exists (select 1 from ${undos} again where again.undoes = u.id)))`,
  );
  return db.longQuery(`${entries.join(' union all ')} order by id limit ${ENTRIES_PER_CALL + 1}`, [
    batch,
    after,
    undoBatchId,
    actorId,
    house,
  ]);
}

export type Batch = { entries: number; standing: number; delta: number | null };

/**
 * Counts the entries of a bulk action; null if there are none. It reads only two indexes, so the time depends on the
 * size of the bulk action, not on the size of the ledger.
 */
export async function findBatch(db: Db, house: number, batch: string): Promise<Batch | null> {
  const entries = ENTRIES.map(
    ({ table, where, undos }) =>
      `select u.id as undone_by, ${table === 'item_events' ? 'null' : 'e.delta'} as delta
       from ${table} e left join ${undos} u on u.undoes = e.id where e.batch = $1 and e.house + 0 = $2 and ${where}`,
  );
  const [found] = await db.longQuery<Batch>(
    `select count(*) as entries, count(*) - count(undone_by) as standing, cast(sum(delta) as bigint) as delta
     from (${entries.join(' union all ')}) as entry`,
    [batch, house],
  );
  return found && found.entries > 0 ? found : null;
}

function failed(itemId: string, { reason, onHand }: { reason: ProblemCode; onHand?: number }): BulkResult {
  return { id: itemId, ok: false, code: reason, ...(onHand !== undefined && { onHand }) };
}
