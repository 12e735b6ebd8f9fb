import type { ProblemCode } from '@perfume/contract/problems';
import { addToLine, type CountEntry, type CountLine, differenceOf, type LedgerPoint } from '@perfume/domain/counts';
import type { CountReason } from '@perfume/domain/ledger';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import type { Selectable } from 'kysely';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { derivedId, newId } from '../db/core/ids.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import type { CountEntryRow, CountLineRow } from '../db/core/tables.ts';
import type { Actor } from '../items/item-events.ts';
import { selectLiveItem } from '../items/items.store.ts';
import { addCounted, lockSession, type SessionRefusal } from './counts.store.ts';

/** An undo reads the entries of its line, so their number is limited. Each can still be undone once. */
const MAX_ENTRIES_PER_LINE = 10_000;

type LineRow = Selectable<CountLineRow>;
type EntryRow = Selectable<CountEntryRow>;

const SAME_TIME_MS = 5_000;

export type EntryResult =
  | { id: string; ok: true; entryId: string; counted: number }
  | { id: string; ok: false; code: ProblemCode };

type EntryRequest = {
  sessionId: string;
  ids: string[];
  kind: 'add' | 'set';
  units: number;
  actor: Actor;
  at: number;
  /** Before `at` if the entry waited for a connection. */
  countedAt: number;
  idempotency: Idempotency | null;
  /** Those of the items that the person may not change. */
  /** Items of another house: for whoever counts, they do not exist. */
  foreign: ReadonlySet<string>;
};

/** Records what one person counted, for each of the items, in one transaction. */
export async function recordEntries(
  db: Db,
  request: EntryRequest,
): Promise<{ ok: true; results: EntryResult[] } | SessionRefusal> {
  return runIdempotent<{ ok: true; results: EntryResult[] } | SessionRefusal>(db, request.idempotency, async (db) => {
    const [session] = await lockSession(db, request.sessionId);
    if (!session) return { ok: false, reason: 'count_not_found' };
    if (session.state !== 'open') return { ok: false, reason: 'count_closed' };
    const results: EntryResult[] = [];
    // An item named twice is counted once: a scanner that sends two scans at once sends two requests.
    for (const itemId of new Set(request.ids)) results.push(await recordOne(db, request, itemId));
    await insertChange(db, session.house, session.id, 'count', request.at);
    return { ok: true, results };
  });
}

async function recordOne(db: Queries, request: EntryRequest, itemId: string): Promise<EntryResult> {
  const { sessionId, kind, units, actor, at, countedAt, idempotency, foreign } = request;
  if (foreign.has(itemId)) return { id: itemId, ok: false, code: 'item_not_found' };
  const [item] = await selectLiveItem(db, itemId);
  if (!item) return { id: itemId, ok: false, code: 'item_not_found' };
  const [latest] = await selectLatestSeq(db, sessionId, itemId);
  if (latest && latest.seq >= MAX_ENTRIES_PER_LINE) return { id: itemId, ok: false, code: 'count_line_full' };
  const then = countedAt < at ? await ledgerAt(db, item, countedAt) : null;
  const point = then ?? { seq: item.stock_seq, quantity: item.quantity };
  const known = await findLine(db, sessionId, itemId);
  if (known && countedAt < at && (await isOvertaken(db, request, itemId, known.last_at)))
    return { id: itemId, ok: false, code: 'count_overtaken' };
  const entry: CountEntry = { kind, units, ...point };
  const line = addToLine(known && toLine(known), entry);
  const refusal = refusalOf(line);
  if (refusal) return { id: itemId, ok: false, code: refusal };
  await finishPrevious(db, { sessionId, actorId: actor.id, itemId });
  const id = idempotency ? derivedId(`${idempotency.key} ${itemId}`) : newId(at);
  const num = await insertEntry(db, {
    id,
    session_id: sessionId,
    item_id: itemId,
    seq: (latest?.seq ?? 0) + 1,
    kind,
    units,
    stock_seq: point.seq,
    quantity: point.quantity,
    actor_id: actor.id,
    actor_name: actor.name,
    at: countedAt,
    undoes: null,
  });
  if (!known) await addCounted(db, sessionId, 1);
  const isFirst = kind === 'set' || !known;
  await saveLine(db, {
    sessionId,
    itemId,
    line,
    firstAt: isFirst ? countedAt : Math.min(known.first_at, countedAt),
    lastAt: Math.max(known?.last_at ?? 0, countedAt),
    lastBy: actor.id,
    num,
  });
  return { id: itemId, ok: true, entryId: id, counted: line.counted };
}

/**
 * Whether an entry waited for a connection so long that somebody has counted the item again: it must not replace a newer
 * number, nor be added to one. The order of entries that were made almost at the same time is not known.
 */
async function isOvertaken(
  db: Queries,
  { sessionId, kind, countedAt }: EntryRequest,
  itemId: string,
  lastAt: number,
): Promise<boolean> {
  const isBefore = (time: number) => countedAt < time - SAME_TIME_MS;
  if (kind === 'set') return isBefore(lastAt);
  const [lastSet] = await selectLastSet(db, sessionId, itemId, '');
  return lastSet !== undefined && isBefore(lastSet.at);
}

/**
 * Returns what the ledger of an item said at a time, or null if it had no movement yet. Movements are numbered in the
 * order of their times, so this goes back in steps that double, then halves the last step: an item can have any number
 * of movements since.
 */
async function ledgerAt(
  db: Queries,
  { id, stock_seq: latest }: { id: string; stock_seq: number },
  at: number,
): Promise<LedgerPoint | null> {
  let found: LedgerPoint | null = null;
  const isThere = async (seq: number) => {
    const [movement] = await selectMovement(db, id, seq);
    if (!movement || movement.at > at) return false;
    found = { seq, quantity: movement.quantity };
    return true;
  };
  let [before, after] = [latest, latest + 1];
  for (let step = 1; before > 0 && !(await isThere(before)); step *= 2)
    [before, after] = [Math.max(0, before - step), before];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (await isThere(middle)) before = middle;
    else after = middle;
  }
  return found;
}

function refusalOf({ counted }: CountLine): 'count_below_zero' | 'count_over_full' | null {
  if (counted < 0) return 'count_below_zero';
  return counted > MAX_QUANTITY ? 'count_over_full' : null;
}

/** Marks the item that this person counted before as done, unless somebody else has counted it since. */
async function finishPrevious(
  db: Queries,
  { sessionId, actorId, itemId }: Record<'sessionId' | 'actorId' | 'itemId', string>,
): Promise<void> {
  const [previous] = await selectPrevious(db, sessionId, actorId);
  if (previous && previous.item_id !== itemId) await markDone(db, sessionId, previous.item_id, actorId);
}

type Undone = { ok: true; counted: number | null };
type UndoRefusal = Replayed &
  (
    | { ok: false; reason: 'count_entry_not_found' | 'count_closed' | 'already_undone' }
    | { ok: false; reason: 'count_below_zero' | 'count_over_full' }
    | KeyReused
  );

/** Takes an entry back. What the other people counted stays; an entry before the last whole number changes nothing. */
export async function undoEntry(
  db: Db,
  request: { entryId: string; actor: Actor; at: number; idempotency: Idempotency | null },
): Promise<Undone | UndoRefusal> {
  const { entryId, actor, at, idempotency } = request;
  return runIdempotent<Undone | UndoRefusal>(db, idempotency, async (db) => {
    const [entry] = await selectEntry(db, entryId);
    if (!entry || entry.kind === 'undo') return { ok: false, reason: 'count_entry_not_found' };
    const { session_id: sessionId, item_id: itemId } = entry;
    const [session] = await lockSession(db, sessionId);
    if (session?.state !== 'open') return { ok: false, reason: 'count_closed' };
    const [undone] = await selectUndoOf(db, entryId);
    if (undone) return { ok: false, reason: 'already_undone' };
    const left = await sumWithout(db, entry);
    const refusal = left && refusalOf(left.line);
    if (refusal) return { ok: false, reason: refusal };
    const undoes = { kind: 'undo', units: entry.units, undoes: entryId } as const;
    const { stock_seq, quantity } = entry;
    const [latest] = await selectLatestSeq(db, sessionId, itemId);
    if (!latest) throw new Error('the line has the entry that is undone');
    await insertEntry(db, {
      ...undoes,
      seq: latest.seq + 1,
      id: idempotency?.key ?? newId(at),
      session_id: sessionId,
      item_id: itemId,
      stock_seq,
      quantity,
      actor_id: actor.id,
      actor_name: actor.name,
      at,
    });
    if (left) await saveLine(db, { sessionId, itemId, ...left });
    else {
      await deleteLine(db, sessionId, itemId);
      await addCounted(db, sessionId, -1);
    }
    await insertChange(db, session.house, sessionId, 'count', at);
    return { ok: true, counted: left?.line.counted ?? null };
  });
}

/**
 * The line of an entry without it; null if no other entry stands. The database does what `lineOf` in domain/counts.ts
 * does, because a line can have thousands of entries.
 */
async function sumWithout(db: Queries, entry: EntryRow): Promise<Omit<LineToSave, 'sessionId' | 'itemId'> | null> {
  const { session_id: sessionId, item_id: itemId } = entry;
  const [lastSet] = await selectLastSet(db, sessionId, itemId, entry.id);
  const [sum] = await sumSince(db, sessionId, itemId, entry.id, lastSet?.num ?? 0);
  if (!sum || sum.counted === null) return null;
  const [first] = await selectEntryByNum(db, sum.firstNum);
  const [last] = await selectEntryByNum(db, sum.lastNum);
  const [point] = await selectPoint(db, sessionId, itemId, sum.lastSeq);
  if (!first || !last || !point) throw new Error('these entries were just summed');
  const line: CountLine = {
    counted: sum.counted,
    // Only the number of movements of the first entry matters.
    first: { seq: sum.firstSeq, quantity: first.quantity },
    last: { seq: sum.lastSeq, quantity: point.quantity },
    doneSeq: last.kind === 'set' ? last.stock_seq : null,
  };
  return { line, firstAt: first.at, lastAt: last.at, lastBy: last.actor_id, num: last.num };
}

/** Explains the differences of counted items, or decides about them. Returns how many lines there were. */
export async function decideLines(
  db: Db,
  request: {
    sessionId: string;
    ids: string[];
    changes: {
      reason?: CountReason | null | undefined;
      note?: string | null | undefined;
      decision?: 'post' | 'leave' | null | undefined;
    };
    actor: Actor;
    at: number;
  },
): Promise<{ ok: true; changed: number } | SessionRefusal> {
  const { sessionId, changes, actor, at } = request;
  return db.change(async (db) => {
    const [session] = await lockSession(db, sessionId);
    if (!session) return { ok: false, reason: 'count_not_found' };
    if (session.state !== 'open') return { ok: false, reason: 'count_closed' };
    const params: unknown[] = [sessionId];
    const set: string[] = [];
    for (const column of ['reason', 'note', 'decision'] as const) {
      const value = changes[column];
      if (value !== undefined) set.push(`${column} = $${params.push(value)}`);
    }
    // Whoever decides has seen everything that moved so far.
    if (changes.decision !== undefined)
      set.push(
        `decided_seq = ${changes.decision === null ? 'null' : '(select stock_seq from items where id = item_id)'}`,
      );
    if (set.length === 0) return { ok: true, changed: 0 };
    set.push(`reviewed_by = $${params.push(actor.id)}`, `reviewed_at = $${params.push(at)}`);
    const ids = [...new Set(request.ids)].map((id) => `$${params.push(id)}`);
    const changed = await queryRows(
      db,
      `update count_lines set ${set.join(', ')} where session_id = $1 and item_id in (${ids.join(', ')}) returning item_id`,
      params,
    );
    await insertChange(db, session.house, sessionId, 'count', at);
    return { ok: true, changed: changed.length };
  });
}

async function findLine(db: Queries, sessionId: string, itemId: string): Promise<LineRow | null> {
  const [line] = await selectLine(db, sessionId, itemId);
  return line ?? null;
}

function toLine(row: LineRow): CountLine {
  return {
    counted: row.counted,
    // Only the number of movements of the first entry matters.
    first: { seq: row.first_seq, quantity: row.expected },
    last: { seq: row.last_seq, quantity: row.expected },
    doneSeq: row.done_seq,
  };
}

type LineToSave = {
  sessionId: string;
  itemId: string;
  line: CountLine;
  firstAt: number;
  lastAt: number;
  lastBy: string;
  num: number;
};

/** Saves a line after its entries changed. A decision is about the difference before, so it goes; the reason stays. */
async function saveLine(db: Queries, { sessionId, itemId, line, firstAt, lastAt, lastBy, num }: LineToSave) {
  await upsertLine(
    db,
    sessionId,
    itemId,
    line.counted,
    line.first.seq,
    firstAt,
    line.last.seq,
    lastAt,
    lastBy,
    num,
    line.doneSeq,
    line.last.quantity,
    differenceOf(line),
  );
}

async function insertEntry(db: Queries, row: Omit<EntryRow, 'num'>): Promise<number> {
  await insertRow(db, 'count_entries', row);
  const [inserted] = await selectEntry(db, row.id);
  if (!inserted) throw new Error('the entry was just inserted');
  return inserted.num;
}

const selectLine = statement<LineRow, [sessionId: string, itemId: string]>(
  'select * from count_lines where session_id = $1 and item_id = $2',
);
const selectMovement = statement<{ quantity: number; at: number }, [itemId: string, seq: number]>(
  'select quantity_after as quantity, at from stock_movements where item_id = $1 and seq = $2',
);
const selectEntry = statement<EntryRow, [id: string]>('select * from count_entries where id = $1');
const selectEntryByNum = statement<EntryRow, [num: number]>('select * from count_entries where num = $1');
const selectUndoOf = statement<{ id: string }, [id: string]>('select id from count_entries where undoes = $1');
const selectLatestSeq = statement<{ seq: number }, [sessionId: string, itemId: string]>(
  'select seq from count_entries where session_id = $1 and item_id = $2 order by num desc limit 1',
);
const STANDING = `e.session_id = $1 and e.item_id = $2 and e.id <> $3
  and not exists (select 1 from count_entries u where u.undoes = e.id)`;
export const LAST_SET = `select e.num, e.at from count_entries e where e.kind = 'set' and ${STANDING} order by e.num desc limit 1`;
const selectLastSet = statement<{ num: number; at: number }, [sessionId: string, itemId: string, exceptId: string]>(
  LAST_SET,
);
const sumSince = statement<
  { counted: number | null; firstSeq: number; lastSeq: number; firstNum: number; lastNum: number },
  [sessionId: string, itemId: string, exceptId: string, firstNum: number]
>(
  `select cast(sum(e.units) as bigint) as counted, min(e.stock_seq) as "firstSeq", max(e.stock_seq) as "lastSeq",
     min(e.num) as "firstNum", max(e.num) as "lastNum"
   from count_entries e where e.kind <> 'undo' and ${STANDING} and e.num >= $4`,
);
/** An item has one quantity after each movement, so any entry at this number of movements will do. */
const selectPoint = statement<{ quantity: number }, [sessionId: string, itemId: string, stockSeq: number]>(
  'select quantity from count_entries where session_id = $1 and item_id = $2 and stock_seq = $3 order by num desc limit 1',
);
const selectPrevious = statement<{ item_id: string }, [sessionId: string, actorId: string]>(
  `select item_id from count_entries where session_id = $1 and actor_id = $2 order by num desc limit 1`,
);
const markDone = statement<never, [sessionId: string, itemId: string, actorId: string]>(
  `update count_lines set done_seq = (select stock_seq from items where id = item_id)
   where session_id = $1 and item_id = $2 and last_by = $3 and done_seq is null`,
);
const deleteLine = statement<never, [sessionId: string, itemId: string]>(
  'delete from count_lines where session_id = $1 and item_id = $2',
);
const upsertLine = statement<
  never,
  [
    sessionId: string,
    itemId: string,
    counted: number,
    firstSeq: number,
    firstAt: number,
    lastSeq: number,
    lastAt: number,
    lastBy: string,
    lastNum: number,
    doneSeq: number | null,
    expected: number,
    difference: number,
  ]
>(
  `insert into count_lines (session_id, item_id, counted, first_seq, first_at, last_seq, last_at, last_by, last_num,
     done_seq, expected, difference)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict (session_id, item_id) do update set counted = excluded.counted, first_seq = excluded.first_seq,
     first_at = excluded.first_at, last_seq = excluded.last_seq, last_at = excluded.last_at,
     last_by = excluded.last_by, last_num = excluded.last_num, done_seq = excluded.done_seq,
     expected = excluded.expected, difference = excluded.difference, decision = null, decided_seq = null`,
);
