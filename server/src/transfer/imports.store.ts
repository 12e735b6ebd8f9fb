import type { FieldError } from '@perfume/domain/field-errors';
import type { ImportField, Mapping } from '@perfume/domain/imports';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { insertRow } from '../db/core/insert-row.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { ImportRow } from '../db/core/tables.ts';
import type { FileFacts, ReadFile } from './read-chunks.ts';
import type { TableRow } from './read-table.ts';

type Row = Selectable<ImportRow> & { actor_name: string; actor_email: string };

export type ListedImport = Omit<Row, 'file' | 'mapping' | 'mode' | 'touched_at'>;
export type Import = Omit<Row, 'file' | 'mapping'> & { file: FileFacts; mapping: Mapping };
/** Why a row is not imported. */
export type Problem = { row: number; field: ImportField; error: FieldError };
/** Some rows of a file. `first` is the number of the first one among all rows, counted from 0. */
export type Chunk = { first: number; rows: TableRow[]; problems: Problem[] };

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
const LISTED = 20;
/** A mapping is remembered for so many imports. */
const COMPARED = 10;
/** The rows of so many files of one person are kept. */
const KEPT_PER_PERSON = 3;

/** Stores the rows of a file, a chunk at a time, so that nobody waits long. It is visible when all of them are there. */
export async function saveFile(
  db: Db,
  file: Extract<ReadFile, { ok: true }>,
  {
    house,
    id,
    name,
    actorId,
    at,
    mapping,
  }: Pick<Import, 'house' | 'id' | 'name' | 'at' | 'mapping'> & { actorId: string },
): Promise<void> {
  await db.change((db) =>
    insertRow(db, 'imports', {
      house,
      id,
      name,
      actor_id: actorId,
      at,
      state: 'reading',
      file: JSON.stringify(file.facts),
      mapping: JSON.stringify(mapping),
      mode: 'both',
      row_count: file.rowCount,
      done: 0,
      batch: null,
      added: 0,
      changed: 0,
      skipped: 0,
      bad: 0,
      touched_at: at,
    }),
  );
  await db.change(async (db) => {
    await deleteRowsOfPerson(db, actorId, KEPT_PER_PERSON);
    await deleteProblemsOfPerson(db, actorId, KEPT_PER_PERSON);
  });
  for (const { first, rows } of file.chunks)
    await db.change((db) => insertRow(db, 'import_chunks', { import_id: id, chunk: first, rows }));
}

export async function findImport(db: Queries, id: string): Promise<Import | null> {
  const [row] = await selectImport(db, id);
  return row ? toImport(row) : null;
}

/** The latest imports. What they hold is not read. */
export function listImports(db: Queries, house: number): Promise<ListedImport[]> {
  return selectImports(db, house, LISTED);
}

/** What the columns of the last import with the same columns held. */
export async function lastMapping(db: Queries, house: number, columns: readonly string[]): Promise<Mapping | null> {
  const same = (await selectDone(db, house, COMPARED))
    .map(toImport)
    .find(({ file }) => JSON.stringify(file.columns) === JSON.stringify(columns));
  return same?.mapping ?? null;
}

/** The rows of the file from the chunk with row `at`, and what is wrong with them; null if it was removed as old. */
export async function readChunk(db: Queries, importId: string, at: number): Promise<Chunk | null> {
  const [found] = await selectChunk(db, importId, at);
  if (!found) return null;
  const [wrong] = await selectProblems(db, importId, found.chunk);
  return {
    first: found.chunk,
    rows: JSON.parse(found.rows) as TableRow[],
    problems: wrong?.chunk === found.chunk ? (JSON.parse(wrong.problems) as Problem[]) : [],
  };
}

/** Whether the rows of the file are still there. */
export async function hasRows(db: Queries, { id, done }: Import): Promise<boolean> {
  return (await selectExisting(db, id, done)).length > 0;
}

/** The first chunk from `from` on with a row that is wrong; null if there is none. */
export async function readBadChunk(db: Queries, importId: string, from: number): Promise<Chunk | null> {
  const [wrong] = await selectProblems(db, importId, from);
  return wrong ? readChunk(db, importId, wrong.chunk) : null;
}

export async function saveProblems(db: Queries, importId: string, chunk: number, problems: Problem[]): Promise<void> {
  await deleteProblems(db, importId, chunk);
  if (problems.length > 0)
    await insertRow(db, 'import_problems', { import_id: importId, chunk, problems: JSON.stringify(problems) });
}

/** The first problems of an import, in the order of its rows. */
export async function firstProblems(db: Queries, importId: string, max: number): Promise<Problem[]> {
  const found: Problem[] = [];
  for (let next = 0; found.length < max; ) {
    const [wrong] = await selectProblems(db, importId, next);
    if (!wrong) break;
    found.push(...(JSON.parse(wrong.problems) as Problem[]));
    next = wrong.chunk + 1;
  }
  return found.slice(0, max);
}

/** Begins or continues an import, as the work of whoever does that. What it counted before was the plan. */
export const startRunning = statement<{ id: string }, [id: string, batch: string, at: number, actorId: string]>(
  `update imports set state = 'running', batch = coalesce(batch, $2), touched_at = $3, actor_id = $4,
     added = case when batch is null then 0 else added end, changed = case when batch is null then 0 else changed end,
     skipped = case when batch is null then 0 else skipped end, bad = case when batch is null then 0 else bad end
   where id = $1 and state in ('ready', 'failed') returning id`,
);
/** Locks an import that has not begun. Returns nothing if it has. */
export const lockUnstarted = statement<{ id: string }, [id: string]>(
  'update imports set touched_at = touched_at where id = $1 and batch is null returning id',
);
export const setState = statement<{ id: string }, [id: string, from: Row['state'], to: Row['state'], at: number]>(
  'update imports set state = $3, touched_at = $4 where id = $1 and state = $2 returning id',
);
export const selectRunning = statement<{ id: string; actor_id: string }, [touchedBefore: number]>(
  `select id, actor_id from imports where state = 'running' and touched_at < $1 order by num`,
);

/** Removes the rows of files that are older than a week, and files from which nothing was imported. */
export async function pruneImports(db: Db, now: number): Promise<void> {
  const before = now - KEPT_MS;
  await db.change(
    async (db) => {
      await deleteOldRows(db, before);
      await deleteOldProblems(db, before);
      await deleteUnused(db, before);
    },
    { repeatable: true },
  );
}

function toImport(row: Row): Import {
  return { ...row, file: JSON.parse(row.file) as FileFacts, mapping: JSON.parse(row.mapping) as Mapping };
}

const IMPORT = `select imports.*, users.name as actor_name, users.email as actor_email
  from imports join users on users.id = imports.actor_id`;
const selectImport = statement<Row, [id: string]>(`${IMPORT} where imports.id = $1`);
const selectDone = statement<Row, [house: number, limit: number]>(
  `${IMPORT} where imports.house = $1 and imports.state = 'done' order by imports.num desc limit $2`,
);
const selectImports = statement<ListedImport, [house: number, limit: number]>(
  `select num, imports.id, imports.house, imports.name, actor_id, at, state, row_count, done, batch, added, changed, skipped,
     bad, users.name as actor_name, users.email as actor_email
   from imports join users on users.id = imports.actor_id
   where imports.house = $1 and state <> 'reading' order by num desc limit $2`,
);
const selectExisting = statement<{ chunk: number }, [importId: string, at: number]>(
  'select chunk from import_chunks where import_id = $1 and chunk <= $2 order by chunk desc limit 1',
);
const selectChunk = statement<{ chunk: number; rows: string }, [importId: string, at: number]>(
  'select chunk, rows from import_chunks where import_id = $1 and chunk <= $2 order by chunk desc limit 1',
);
const selectProblems = statement<{ chunk: number; problems: string }, [importId: string, fromChunk: number]>(
  'select chunk, problems from import_problems where import_id = $1 and chunk >= $2 order by chunk limit 1',
);
const deleteProblems = statement<never, [importId: string, chunk: number]>(
  'delete from import_problems where import_id = $1 and chunk = $2',
);
const OLD = `select id from imports where touched_at < $1 and state in ('reading', 'ready', 'done', 'failed')`;
const OF_PERSON = `select id from imports where actor_id = $1 and state <> 'running'
  and num not in (select num from imports where actor_id = $1 order by num desc limit $2)`;
type Old = [before: number];
type OfPerson = [actorId: string, kept: number];
const deleteOldRows = statement<never, Old>(`delete from import_chunks where import_id in (${OLD})`);
const deleteOldProblems = statement<never, Old>(`delete from import_problems where import_id in (${OLD})`);
const deleteRowsOfPerson = statement<never, OfPerson>(`delete from import_chunks where import_id in (${OF_PERSON})`);
const deleteProblemsOfPerson = statement<never, OfPerson>(
  `delete from import_problems where import_id in (${OF_PERSON})`,
);
const deleteUnused = statement<never, Old>(
  `delete from imports where touched_at < $1 and batch is null and state in ('reading', 'ready')`,
);
