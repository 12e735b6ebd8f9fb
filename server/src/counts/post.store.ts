import type { BulkResult } from '@perfume/contract/bulk';
import type { ProblemCode } from '@perfume/contract/problems';
import type { CountReason } from '@perfume/domain/ledger';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { derivedId } from '../db/core/ids.ts';
import { inTurns } from '../db/core/in-turns.ts';
import { statement } from '../db/core/statement.ts';
import type { CountLineRow } from '../db/core/tables.ts';
import type { Actor } from '../items/item-events.ts';
import { lockItem } from '../items/items.store.ts';
import { applyDifference } from '../ledger/ledger.store.ts';
import { findSession, lockSession, type SessionRow } from './counts.store.ts';
import { IN_DOUBT } from './doubt.ts';

const LINES_PER_CALL = 100;

type LineRow = Selectable<CountLineRow>;
export type PostRequest = {
  sessionId: string;
  /** Chosen by whoever posts: the same batch continues a posting, another one is somebody else's. */
  batch: string;
  reason: CountReason;
  note: string | null;
  actor: Actor;
  at: number;
};
export type PostRefusal = 'count_not_found' | 'count_closed' | 'count_posting' | 'count_unsettled' | 'batch_used';
type Posted = { ok: true; results: BulkResult[]; left: number };

/**
 * Corrects the stock by the differences of a session, a limited number per call. The first call closes the session, so
 * no entry comes in between. Each line is marked in the transaction of its correction, so it is posted exactly once,
 * however often the call is repeated.
 */
export async function postSession(db: Db, request: PostRequest): Promise<Posted | { ok: false; reason: PostRefusal }> {
  if (await isUnsettled(db, request.sessionId)) return { ok: false, reason: 'count_unsettled' };
  const begun = await begin(db, request);
  if (!begun.ok) return begun;
  const { session } = begun;
  if (session.state === 'posted') return { ok: true, results: [], left: 0 };
  const lines = await selectLinesToPost(db.query, session.id, LINES_PER_CALL);
  const results = await inTurns(db, lines, ({ item_id }) => postLine(db, request, session, item_id));
  const left = await finish(db, request, session);
  return { ok: true, results, left };
}

/**
 * Whether somebody still has to decide about a line. The time grows with the number of lines, so nothing is locked
 * meanwhile. A line about which doubt comes up after this is refused when its turn comes.
 */
async function isUnsettled(db: Db, sessionId: string): Promise<boolean> {
  const session = await findSession(db.query, sessionId);
  if (session?.state !== 'open') return false;
  const inDoubt = await db.longQuery(
    `select l.item_id from count_lines l join items on items.id = l.item_id
     where l.session_id = $1 and ${IN_DOUBT} limit 1`,
    [sessionId],
  );
  return inDoubt.length > 0;
}

async function begin(
  db: Db,
  { sessionId, batch, reason, note, actor, at }: PostRequest,
): Promise<{ ok: true; session: SessionRow } | { ok: false; reason: PostRefusal }> {
  return db.change(async (db) => {
    const [session] = await lockSession(db, sessionId);
    if (!session) return { ok: false, reason: 'count_not_found' };
    if (session.state === 'posting' || session.state === 'posted') {
      if (session.batch === batch) return { ok: true, session };
      return { ok: false, reason: session.state === 'posting' ? 'count_posting' : 'count_closed' };
    }
    if (session.state === 'cancelled') return { ok: false, reason: 'count_closed' };
    const [used] = await selectUseOfBatch(db, batch);
    if (used) return { ok: false, reason: 'batch_used' };
    await finishLines(db, sessionId);
    const [posting] = await startPosting(db, sessionId, batch, reason, note, actor.id, at);
    if (!posting) throw new Error('the session is locked');
    await insertChange(db, posting.house, sessionId, 'count', at);
    return { ok: true, session: posting };
  });
}

async function postLine(
  db: Db,
  { batch, actor, at }: PostRequest,
  session: SessionRow,
  itemId: string,
): Promise<BulkResult> {
  // A session posts an item once. Nobody can use this id first: clients choose no ids like it.
  const id = derivedId(`count ${session.id} ${itemId}`);
  return db.change(async (db) => {
    // Locks the item first, as every movement does, and then the line: two calls at once post it once.
    const [item] = await lockItem(db, itemId);
    const [line] = await lockLine(db, session.id, itemId);
    if (!item || !line) throw new Error('items and lines of a closed session are never removed');
    if (line.outcome === 'posted') return { id: itemId, ok: true, movementId: id };
    if (line.outcome !== null) return refused(itemId, line.outcome as ProblemCode, item.quantity);
    const refusal = item.deleted_at === null ? null : 'item_deleted';
    const [inDoubt] = refusal ? [] : await selectInDoubt(db, session.id, itemId);
    const code = refusal ?? (inDoubt ? 'count_unsettled' : null);
    if (code) {
      await setOutcome(db, session.id, itemId, code);
      return refused(itemId, code, item.quantity);
    }
    const outcome = await applyDifference(db, {
      id,
      item_id: itemId,
      kind: 'correction',
      delta: line.difference,
      actor_id: actor.id,
      actor_name: actor.name,
      at,
      reason: line.reason ?? session.reason,
      note: line.note ?? session.note,
      batch,
      undoes: null,
      undone_kind: null,
      undone_at: null,
    });
    await setOutcome(db, session.id, itemId, outcome.ok ? 'posted' : outcome.reason);
    return outcome.ok ? { id: itemId, ok: true, movementId: id } : refused(itemId, outcome.reason, item.quantity);
  });
}

function refused(id: string, code: ProblemCode, onHand: number): BulkResult {
  return { id, ok: false, code, ...(code === 'out_of_stock' && { onHand }) };
}

/** Closes the session if every difference has an outcome. Returns how many have none. */
async function finish(db: Db, { sessionId, at }: PostRequest, session: SessionRow): Promise<number> {
  const [left] = await countLinesToPost(db.query, sessionId);
  await db.change(async (db) => {
    // Lines of a closed session only ever get an outcome, so none that was left comes back.
    if (left?.count === 0) await markPosted(db, sessionId, at);
    await insertChange(db, session.house, sessionId, 'count', at);
  });
  return left?.count ?? 0;
}

const TO_POST = `session_id = $1 and difference <> 0 and outcome is null and (decision is null or decision = 'post')`;

const selectInDoubt = statement<{ item_id: string }, [sessionId: string, itemId: string]>(
  `select l.item_id from count_lines l join items on items.id = l.item_id
   where l.session_id = $1 and l.item_id = $2 and ${IN_DOUBT}`,
);
const selectUseOfBatch = statement<{ id: string }, [batch: string]>(
  `select id from stock_movements where batch = $1 union all select id from item_events where batch = $1
   union all select id from count_sessions where batch = $1 limit 1`,
);
/** Posting ends the counting of every item, so what moves from now on was not counted. */
const finishLines = statement<never, [sessionId: string]>(
  `update count_lines set done_seq = (select stock_seq from items where id = item_id)
   where session_id = $1 and done_seq is null`,
);
const startPosting = statement<
  SessionRow,
  [id: string, batch: string, reason: CountReason, note: string | null, actorId: string, at: number]
>(
  `update count_sessions set state = 'posting', batch = $2, reason = $3, note = $4, closed_by = $5, closed_at = $6
   where id = $1 returning *`,
);
const selectLinesToPost = statement<{ item_id: string }, [sessionId: string, limit: number]>(
  `select item_id from count_lines where ${TO_POST} order by item_id limit $2`,
);
const countLinesToPost = statement<{ count: number }, [sessionId: string]>(
  `select count(*) as count from count_lines where ${TO_POST}`,
);
const lockLine = statement<LineRow, [sessionId: string, itemId: string]>(
  'update count_lines set counted = counted where session_id = $1 and item_id = $2 returning *',
);
const setOutcome = statement<never, [sessionId: string, itemId: string, outcome: string]>(
  'update count_lines set outcome = $3 where session_id = $1 and item_id = $2',
);
const markPosted = statement<never, [id: string, at: number]>(
  "update count_sessions set state = 'posted', closed_at = $2 where id = $1 and state = 'posting'",
);
