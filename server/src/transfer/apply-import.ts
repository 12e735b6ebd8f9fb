import { type Importer, type RowProblem, type RowValues, readRow } from '@perfume/domain/imports';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import { editInTransaction } from '../items/edit.store.ts';
import type { CodeTaken } from '../items/item-codes.ts';
import type { Actor } from '../items/item-events.ts';
import { createInTransaction, lockItem } from '../items/items.store.ts';
import { applyDifference } from '../ledger/ledger.store.ts';
import { movementInput } from '../ledger/movement-row.ts';
import { findImport, type Problem, readChunk, saveProblems, setState } from './imports.store.ts';
import { type Planned, planRows } from './plan-rows.ts';
import type { TableRow } from './read-table.ts';

/** How many rows and characters one transaction imports. Others wait for it on SQLite. */
const STEP = { rows: 10, length: 15_000 };

type Outcome = { kind: 'added' | 'changed' | 'skipped' } | { kind: 'bad'; problems: RowProblem[] };
type Work = { house: number; batch: string; actor: Actor; importer: Importer; at: number };
type Checks = {
  keepPicture: (imageUrl: string, now: number) => Promise<boolean>;
  /** Whether a person may still import into a house. */
  mayImport: (userId: string, house: number) => Promise<boolean>;
};

/**
 * Imports the next rows of a running import, in one transaction that also moves its position: whenever the server
 * stops, each row was imported once or not at all. Returns whether there is more to do. An import whose person has lost
 * the right to it stops, and others can continue it.
 */
export async function applyStep(db: Db, id: string, at: number, checks: Checks): Promise<boolean> {
  const one = await findImport(db.query, id);
  if (one?.state !== 'running' || one.batch === null) return false;
  const { done, row_count, mapping, mode, file, house, batch } = one;
  if (!(await checks.mayImport(one.actor_id, house))) {
    await db.change((db) => setState(db, id, 'running', 'failed', at));
    return false;
  }
  const chunk = await readChunk(db.query, id, done);
  if (!chunk) throw new Error('the file was removed');
  const bad = new Set(chunk.problems.map(({ row }) => row));
  const rows = nextRows(chunk.rows.slice(done - chunk.first));
  const good: { row: number; values: RowValues }[] = [];
  const found: Problem[] = [];
  for (const [row, cells] of rows) {
    if (bad.has(row)) continue;
    const { values, problems } = readRow(cells, mapping, file.decimal);
    const isGone = values.imageUrl !== undefined && !(await checks.keepPicture(values.imageUrl, at));
    if (isGone) problems.push({ field: 'imageUrl', error: { code: 'picture_gone' } });
    if (problems.length === 0) good.push({ row, values });
    else found.push(...problems.map((problem) => ({ row, ...problem })));
  }
  const actor = { id: one.actor_id, name: one.actor_name };
  const importer = { name: one.actor_name, email: one.actor_email };
  const work = { house, batch, actor, importer, at };
  const next = done + rows.length;
  return db.change(async (db) => {
    const [moved] = await advance(db, id, done, next, at);
    // It was cancelled, or another server has imported these rows.
    if (!moved) return true;
    const planned = await planRows(
      db,
      { house, mode, importer: work.importer },
      good.map(({ values }) => values),
    );
    const counts = { added: 0, changed: 0, skipped: 0, bad: rows.length - good.length };
    const problems = [...found];
    for (const [index, row] of planned.entries()) {
      const outcome = await applyRow(db, row, work);
      counts[outcome.kind]++;
      const number = good[index]?.row ?? 0;
      if (outcome.kind === 'bad') problems.push(...outcome.problems.map((problem) => ({ row: number, ...problem })));
    }
    if (problems.length > 0) await saveProblems(db, id, chunk.first, [...chunk.problems, ...problems]);
    await count(db, id, counts.added, counts.changed, counts.skipped, counts.bad);
    return next < row_count;
  });
}

/** The first rows, at least one, that are not too many and not too long for one step. */
function nextRows(rows: TableRow[]): TableRow[] {
  let length = 0;
  const end = rows.findIndex(([, cells], index) => {
    length += cells.reduce((sum, cell) => sum + cell.length, 0);
    return index === STEP.rows || (index > 0 && length > STEP.length);
  });
  return end === -1 ? rows : rows.slice(0, end);
}

async function applyRow(db: Queries, { plan, id }: Planned, work: Work): Promise<Outcome> {
  const { house, batch, actor, at } = work;
  if (plan.kind === 'skip') return { kind: 'skipped' };
  if (plan.kind === 'bad') return plan;
  if (plan.kind === 'add') {
    const { item, reorderPoint } = plan;
    const created = await createInTransaction(db, { house, id: id ?? newId(at), item, reorderPoint, actor, at, batch });
    return created.ok ? { kind: 'added' } : { kind: 'bad', problems: [takenProblem(created)] };
  }
  const itemId = plan.item.id;
  if (Object.keys(plan.edit).length > 0) {
    const action = { id: newId(at), actor, at, batch, undoes: null };
    const edited = await editInTransaction(db, { itemId, wanted: plan.edit, seen: {}, action });
    if (!edited.ok && edited.reason === 'code_taken') return { kind: 'bad', problems: [takenProblem(edited)] };
    if (!edited.ok) return { kind: 'skipped' };
  }
  if (plan.quantity !== null) {
    // The row is locked: the quantity cannot change before the difference is applied.
    const [locked] = await lockItem(db, itemId);
    if (!locked || locked.deleted_at !== null) return { kind: 'skipped' };
    const change = { kind: 'correction', delta: plan.quantity - locked.quantity, reason: null } as const;
    const request = { id: newId(at), itemId, change, actor, at, note: null, batch, idempotency: null };
    await applyDifference(db, movementInput(request, change));
  }
  return { kind: 'changed' };
}

function takenProblem({ taken: { field, code, holder } }: CodeTaken): RowProblem {
  return { field, error: { code: 'code_taken', taken: code, name: holder.name } };
}

const advance = statement<{ id: string }, [id: string, done: number, next: number, at: number]>(
  `update imports set done = $3, touched_at = $4, state = case when $3 = row_count then 'done' else state end
   where id = $1 and done = $2 and state = 'running' returning id`,
);
const count = statement<never, [id: string, added: number, changed: number, skipped: number, bad: number]>(
  `update imports set added = added + $2, changed = changed + $3, skipped = skipped + $4, bad = bad + $5 where id = $1`,
);
