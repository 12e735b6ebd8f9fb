import { exportFormats } from '@perfume/domain/exports';
import type { FieldError } from '@perfume/domain/field-errors';
import { decimalMarks, importModes } from '@perfume/domain/imports';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { count, idParams, stops } from './fields.ts';
import { instant, listHistory } from './history.ts';
import { wireActor } from './identity.ts';
import { listQuery } from './items.ts';
import { type WireField, wireFields } from './wire-import.ts';

const endpoint = endpointsOf('Import and export');

/** The file is in memory while it is read. */
export const IMPORT_BYTES_MAX = 32 * 1024 * 1024;
export const IMPORT_ROWS_MAX = 200_000;
/** A person may see so many problems at once. All of them are in the file of `readImportProblems`. */
export const IMPORT_PROBLEMS_SHOWN = 500;
const COLUMNS_MAX = 300;

const tableTypes = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'] as const;
/** The content decides what a file is. */
export const importTypes = [...tableTypes, 'application/zip'] as const;

const wireField = z.enum(Object.values(wireFields) as [WireField]);
const repeated: FieldError = { code: 'repeated' };
/** For each column: the field that it holds, or null if it is left out. No field has two columns. */
const mapping = z.array(z.nullable(wireField)).check(
  z.maxLength(COLUMNS_MAX, stops),
  z.refine((fields) => new Set(fields.filter(Boolean)).size === fields.filter(Boolean).length, { params: repeated }),
);

const wireProblem = z.strictObject({
  /** The row in the file, counted from 1. */
  row: count,
  field: wireField,
  message: z.string(),
  /** The sentence as a code, with the values that it mentions. */
  error: z.looseObject({ code: z.string() }),
});
export type WireImportProblem = z.output<typeof wireProblem>;

const wireImport = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** `ready`: nothing runs. If `done` is above 0, it was cancelled and can be continued. */
  state: z.enum(['ready', 'running', 'done', 'failed']),
  /** How many rows have been dealt with, of how many. */
  done: count,
  of: count,
  /** The id of the bulk action in the history; null before the first row is imported. */
  batch: z.nullable(z.string()),
  columns: z.array(z.string()),
  mapping,
  mode: z.enum(importModes),
  decimal: z.enum(decimalMarks),
  /** How the file was read, for people to check: its encoding, what separates its cells, and whether row 1 has names. */
  encoding: z.string(),
  delimiter: z.nullable(z.string()),
  header: z.boolean(),
  /** The first rows as they are in the file. */
  preview: z.array(z.array(z.string())),
  /** What it would do with the rows, and once it runs what it has done. Rows with problems are among those left out. */
  summary: z.strictObject({ add: count, change: count, skip: count, bad: count }),
  /** The first problems. */
  problems: z.array(wireProblem),
  by: wireActor,
  at: z.string(),
});
export type WireImport = z.output<typeof wireImport>;

export const startImport = endpoint({
  method: 'POST',
  path: '/imports',
  summary: 'Send a file with items, and see what importing it would do',
  description: `CSV, XLSX (its first sheet) or the archive of \`GET /exports/house\`, at most 32 MB and ${IMPORT_ROWS_MAX} rows. Nothing is imported yet. The last three files of a person are kept, for a week.`,
  who: 'user',
  sends: importTypes,
  query: z.object({ name: z.optional(z.string().check(z.maxLength(200))) }),
  replies: { 201: wireImport },
  problems: ['invalid_query', 'invalid_input', 'too_large'],
});

export const listImports = endpoint({
  method: 'GET',
  path: '/imports',
  summary: 'The latest imports, newest first',
  who: 'user',
  replies: {
    200: z.array(
      z.pick(wireImport, {
        id: true,
        name: true,
        state: true,
        done: true,
        of: true,
        batch: true,
        summary: true,
        by: true,
        at: true,
      }),
    ),
  },
  problems: [],
});

export const findImport = endpoint({
  method: 'GET',
  path: '/imports/:id',
  summary: 'An import and how far it is',
  who: 'user',
  params: idParams,
  replies: { 200: wireImport },
  problems: ['import_not_found'],
});

export const changeImport = endpoint({
  method: 'PUT',
  path: '/imports/:id',
  summary: 'Say what the columns hold and what may be changed, and see what importing would do',
  who: 'user',
  params: idParams,
  body: z.strictObject({ mapping, mode: z.enum(importModes), decimal: z.optional(z.enum(decimalMarks)) }),
  replies: { 200: wireImport },
  problems: ['invalid_input', 'import_not_found', 'import_started', 'import_finished'],
});

export const applyImport = endpoint({
  method: 'POST',
  path: '/imports/:id/apply',
  summary: 'Begin to import the rows, or continue where it was cancelled or failed',
  description:
    'It goes on when the client leaves and when the server is restarted. Undo it with `POST /batches/{batch}/undo`.',
  who: 'user',
  params: idParams,
  replies: { 202: wireImport },
  problems: ['import_not_found', 'import_finished'],
});

export const cancelImport = endpoint({
  method: 'POST',
  path: '/imports/:id/cancel',
  summary: 'Stop an import; what it has imported stays and can be undone',
  who: 'user',
  params: idParams,
  replies: { 200: wireImport },
  problems: ['import_not_found', 'import_finished'],
});

export const readImportProblems = endpoint({
  method: 'GET',
  path: '/imports/:id/problems',
  summary: 'The rows that were not imported, as CSV with a column that says why',
  who: 'user',
  params: idParams,
  replies: { 200: z.string() },
  gives: ['text/csv'],
  problems: ['import_not_found'],
});

/** What every endpoint that answers with an exported table has in common. */
export const exportedTable = {
  method: 'GET',
  who: 'user',
  replyHeaders: { 'content-disposition': 'The name of the file' },
  replies: { 200: z.string() },
  gives: [...tableTypes, 'application/jsonl'],
} as const;
export const exportFormat = z.enum(exportFormats);

export const exportItems = endpoint({
  ...exportedTable,
  path: '/exports/items',
  summary: 'The items that match, as a file that the import reads',
  description:
    'Oldest first unless `sort` says otherwise: an empty warehouse that imports the file then has them in the same order. JSON lines have the fields of an item as in `GET /all-inventory-items`.',
  query: z.extend(z.pick(listQuery, { q: true, sort: true, stock: true }), {
    format: exportFormat,
    /** Only the own items: the address of whoever asks. */
    email: z.optional(z.string().check(z.maxLength(300))),
    /** The items as they were then. */
    at: z.optional(instant),
  }),
  problems: ['invalid_query', 'email_mismatch'],
});

export const exportHistory = endpoint({
  ...exportedTable,
  path: '/exports/history',
  summary: 'The entries of the history that match, newest first, as a file',
  query: z.extend(z.omit(listHistory.query, { limit: true, cursor: true }), { format: exportFormat }),
  problems: ['invalid_query'],
});

export const exportHouse = endpoint({
  ...exportedTable,
  path: '/exports/house',
  summary: 'Everything in the warehouse as one ZIP archive',
  description:
    '`items.csv` and the folder `pictures` have what the import of another server takes; `history.jsonl` has every entry of the history.',
  gives: ['application/zip'],
  problems: [],
});
