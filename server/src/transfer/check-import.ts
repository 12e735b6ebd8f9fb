import { type DecimalMark, type ImportMode, type Mapping, type RowValues, readRow } from '@perfume/domain/imports';
import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import { type Import, lockUnstarted, type Problem, readChunk, saveProblems } from './imports.store.ts';
import { planRows } from './plan-rows.ts';
import { repeatFinder } from './repeated-rows.ts';

export type Choices = { mapping: Mapping; mode: ImportMode; decimal: DecimalMark };

/** So many rows are checked together, and so many characters without a pause. */
const ROWS_AT_ONCE = 50;
const LENGTH_AT_ONCE = 20_000;
/** So many problems of a row are said at once. */
const PROBLEMS_PER_ROW = 3;

/**
 * Checks every row without importing anything, and stores what would happen and what is wrong. Returns false if the
 * import has begun meanwhile, or another check of it.
 */
export async function checkImport(
  db: Db,
  { id, house, row_count, file, actor_name, actor_email }: Import,
  choices: Choices,
  isCurrent: () => boolean,
): Promise<boolean> {
  const { mapping, mode, decimal } = choices;
  const planning = { house, mode, importer: { name: actor_name, email: actor_email } };
  const summary = { add: 0, change: 0, skip: 0, bad: 0 };
  const findRepeat = repeatFinder();
  for (let next = 0; next < row_count; ) {
    const chunk = await readChunk(db.query, id, next);
    if (!chunk || !isCurrent()) return false;
    const { first, rows, problems: before } = chunk;
    const problems: Problem[] = [];
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await new Promise(setImmediate);
      const good: { row: number; values: RowValues }[] = [];
      let length = 0;
      for (const [row, cells] of rows.slice(at, at + ROWS_AT_ONCE)) {
        length += cells.reduce((sum, cell) => sum + cell.length, 0);
        if (length > LENGTH_AT_ONCE) {
          length = 0;
          await new Promise(setImmediate);
        }
        const { values, problems: wrong } = readRow(cells, mapping, decimal);
        const repeat = wrong.length === 0 ? findRepeat(values, row) : null;
        if (repeat) wrong.push(repeat);
        if (wrong.length > 0) problems.push(...wrong.slice(0, PROBLEMS_PER_ROW).map((one) => ({ row, ...one })));
        else good.push({ row, values });
        if (wrong.length > 0) summary.bad++;
      }
      const planned = await planRows(
        db.query,
        planning,
        good.map(({ values }) => values),
      );
      for (const [index, { plan }] of planned.entries()) {
        summary[plan.kind]++;
        const row = good[index]?.row ?? 0;
        if (plan.kind === 'bad') problems.push(...plan.problems.map((one) => ({ row, ...one })));
      }
    }
    problems.sort((a, b) => a.row - b.row);
    next = first + rows.length;
    if (problems.length + before.length === 0) continue;
    const isSaved = await db.change(async (db) => {
      const [open] = await lockUnstarted(db, id);
      if (open && isCurrent()) await saveProblems(db, id, first, problems);
      return open !== undefined;
    });
    if (!isSaved) return false;
  }
  const facts = JSON.stringify({ ...file, decimal });
  const { add, change, skip, bad } = summary;
  const [saved] = await db.change((db) =>
    saveChoices(db, id, facts, JSON.stringify(mapping), mode, add, change, skip, bad),
  );
  return saved !== undefined;
}

const saveChoices = statement<
  { id: string },
  [id: string, file: string, mapping: string, mode: ImportMode, add: number, change: number, skip: number, bad: number]
>(
  `update imports set state = 'ready', file = $2, mapping = $3, mode = $4, added = $5, changed = $6, skipped = $7, bad = $8
   where id = $1 and batch is null returning id`,
);
