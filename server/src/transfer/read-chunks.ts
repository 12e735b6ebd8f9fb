import type { FieldError } from '@perfume/domain/field-errors';
import { type DecimalMark, guessDecimalMark, isHeader } from '@perfume/domain/imports';
import { readTable, type Table, UnreadableTable } from './read-table.ts';

/** How a file was read, and what its columns are called. */
export type FileFacts = {
  columns: string[];
  encoding: string;
  delimiter: string | null;
  header: boolean;
  decimal: DecimalMark;
};
/** `chunks`: the rows as JSON, `ROWS_PER_CHUNK` in each. */
export type ReadFile =
  | { ok: true; facts: FileFacts; rowCount: number; chunks: string[] }
  | { ok: false; error: FieldError };

export const ROWS_PER_CHUNK = 500;
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
  const chunks: string[] = [];
  for (let at = 0; at < items.length; at += ROWS_PER_CHUNK)
    chunks.push(JSON.stringify(items.slice(at, at + ROWS_PER_CHUNK)));
  const decimal = guessDecimalMark(items.flatMap(([, cells]) => cells));
  return { ok: true, facts: { columns, encoding, delimiter, header, decimal }, rowCount: items.length, chunks };
}

function columnName(name: string | undefined, index: number): string {
  return name?.trim().slice(0, NAME_LENGTH_MAX) || `#${index + 1}`;
}
