import type { FieldError } from '@perfume/domain/field-errors';
import { type DecimalMark, guessDecimalMark, isHeader } from '@perfume/domain/imports';
import { readTable, type Table, type TableRow, UnreadableTable } from './read-table.ts';

/** How a file was read, and what its columns are called. */
export type FileFacts = {
  columns: string[];
  encoding: string;
  delimiter: string | null;
  header: boolean;
  decimal: DecimalMark;
  /** The first rows, their texts cut. */
  preview: string[][];
};
/** Some rows of the file as JSON. `first` is the number of the first one among all rows, counted from 0. */
export type Chunk = { first: number; rows: string };
export type ReadFile =
  | { ok: true; facts: FileFacts; rowCount: number; chunks: Chunk[] }
  | { ok: false; error: FieldError };

const ROWS_PER_CHUNK = 500;
const CHUNK_LENGTH = 150_000;
const PREVIEW_ROWS = 5;
const PREVIEW_LENGTH = 60;
const NAME_LENGTH_MAX = 100;

/** Reads a file and divides its rows into chunks. */
export function readChunks(bytes: Buffer): ReadFile {
  try {
    return split(readTable(bytes));
  } catch (error) {
    if (error instanceof UnreadableTable) return { ok: false, error: error.fieldError };
    throw error;
  }
}

/** Takes the names of the columns from the first row, and divides the others into chunks. */
function split({ rows, encoding, delimiter }: Table): ReadFile {
  const [first, second] = rows;
  const header = first !== undefined && isHeader(first[1], second?.[1]);
  const width = rows.reduce((widest, [, cells]) => Math.max(widest, cells.length), 0);
  const names = header ? first[1] : [];
  const columns = Array.from({ length: width }, (_, index) => columnName(names[index], index));
  const items = header ? rows.slice(1) : rows;
  if (items.length === 0) return { ok: false, error: { code: 'table_empty' } };
  const decimal = guessDecimalMark(cellsOf(items));
  const preview = items.slice(0, PREVIEW_ROWS).map(([, cells]) => cells.map((cell) => cell.slice(0, PREVIEW_LENGTH)));
  const facts = { columns, encoding, delimiter, header, decimal, preview };
  return { ok: true, facts, rowCount: items.length, chunks: chunksOf(items) };
}

function* cellsOf(rows: readonly TableRow[]): Generator<string> {
  for (const [, cells] of rows) yield* cells;
}

/** A chunk has a limited number of rows and of characters: it is read at once, on the thread of all requests. */
function chunksOf(rows: readonly TableRow[]): Chunk[] {
  const chunks: Chunk[] = [];
  let part: string[] = [];
  let length = 0;
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify(row);
    if (part.length === ROWS_PER_CHUNK || (part.length > 0 && length + text.length > CHUNK_LENGTH)) close(index);
    part.push(text);
    length += text.length;
  }
  close(rows.length);
  return chunks;

  function close(end: number): void {
    chunks.push({ first: end - part.length, rows: `[${part.join(',')}]` });
    part = [];
    length = 0;
  }
}

function columnName(name: string | undefined, index: number): string {
  return name?.trim().slice(0, NAME_LENGTH_MAX) || `#${index + 1}`;
}
