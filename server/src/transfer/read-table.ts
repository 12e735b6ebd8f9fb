import { inflateRawSync } from 'node:zlib';
import { IMPORT_ROWS_MAX } from '@perfume/contract/transfer';
import type { FieldError } from '@perfume/domain/field-errors';
import { STORED_BYTES_MAX } from '@perfume/domain/pictures';
import { parse } from 'csv-parse/sync';
import { readFirstSheet, TooWide } from './workbook.ts';

/** A row of a file with its number, counted from 1 as in a spreadsheet. */
export type TableRow = [number: number, cells: string[]];
export type Table = { rows: TableRow[]; encoding: string; delimiter: string | null };

/** A file that cannot be read, with what to do about it. */
export class UnreadableTable extends Error {
  readonly fieldError: FieldError;
  constructor(fieldError: FieldError) {
    super(fieldError.code);
    this.fieldError = fieldError;
  }
}

export const COLUMNS_MAX = 300;
/** Twice as long as any field may be. What is longer is cut, and refused by the check of its field. */
const CELL_LENGTH_MAX = 10_001;
/** The characters of a row. The texts of an item have at most 10,000. */
const ROW_LENGTH_MAX = 60_000;
/** The characters of all cells. A few kilobytes of a workbook can name one text a million times. */
const TEXT_LENGTH_MAX = 48_000_000;
const UNPACKED_BYTES_MAX = 128 * 1024 * 1024;
const ARCHIVED_FILES_MAX = 20_000;
const PICTURES_MAX = 2_000;
const RECORD_LENGTH_MAX = 4_000_000;

/** Reads a CSV or XLSX file, or the items of an exported archive. The content tells which it is. Empty rows are left out. */
export function readTable(bytes: Buffer): Table {
  const table = isZip(bytes) ? readArchive(bytes) : readText(bytes);
  const rows = table.rows.filter(([, cells]) => cells.some((cell) => cell.trim() !== ''));
  const add = limitLength();
  for (const row of rows) add(row);
  if (rows.length === 0) throw new UnreadableTable({ code: 'table_empty' });
  // One more than items: the first row has the names of the columns.
  if (rows.length > IMPORT_ROWS_MAX + 1) throw new UnreadableTable({ code: 'table_too_long', max: IMPORT_ROWS_MAX });
  if (rows.some(([, cells]) => cells.length > COLUMNS_MAX))
    throw new UnreadableTable({ code: 'table_too_wide', max: COLUMNS_MAX });
  return { ...table, rows };
}

/** Returns a function that shortens the texts of a row, and throws once all rows together are too long. */
function limitLength(): (row: TableRow) => void {
  let length = 0;
  return ([, cells]) => {
    const rowLength = clean(cells);
    length += rowLength;
    if (rowLength > ROW_LENGTH_MAX || length > TEXT_LENGTH_MAX) throw tooLarge();
  };
}

/** Cuts long texts and removes what is no text. Returns how much room the row takes. */
function clean(cells: string[]): number {
  let length = 0;
  for (const [column, cell] of cells.entries()) {
    const text = cell.slice(0, CELL_LENGTH_MAX).toWellFormed().replace(CONTROL_CHARACTERS, '');
    cells[column] = text;
    // An empty cell takes room too.
    length += 3 + text.length;
  }
  return length;
}

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

const notATable = () => new UnreadableTable({ code: 'not_a_table' });

function readText(bytes: Buffer): Table {
  const { text, encoding } = decode(bytes);
  // Control characters are in programs and pictures, not in tables.
  if (/[\u0000-\u0008\u000e-\u001a]/.test(text.slice(0, 100_000))) throw notATable();
  // Excel writes and reads a first line such as "sep=;".
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  const body = named ? text.slice(text.indexOf('\n') + 1) : text;
  const delimiter = named ?? guessDelimiter(body);
  try {
    const records: string[][] = parse(body, {
      delimiter,
      relax_column_count: true,
      max_record_size: RECORD_LENGTH_MAX,
    });
    const first = named ? 2 : 1;
    return { rows: records.map((cells, index) => [index + first, cells]), encoding, delimiter };
  } catch {
    // A quotation mark that is never closed, or text after one.
    throw notATable();
  }
}

/** Decodes text in the encoding of its byte order mark, in UTF-16 without one, in UTF-8, or else in Windows-1252. */
function decode(bytes: Buffer): { text: string; encoding: string } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes);
  const start = bytes.subarray(0, 1_000);
  const zeros = (offset: number) => start.filter((byte, index) => index % 2 === offset && byte === 0).length;
  if (zeros(1) > start.length / 4) return decodeAs('utf-16le', bytes);
  if (zeros(0) > start.length / 4) return decodeAs('utf-16be', bytes);
  try {
    return decodeAs('utf-8', bytes);
  } catch {
    return decodeAs('windows-1252', bytes);
  }
}

function decodeAs(encoding: string, bytes: Buffer): { text: string; encoding: string } {
  return { text: new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes), encoding };
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that most of the first lines have equally often, outside of quotation marks. */
function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 50_000)
    .replace(/"(?:[^"]|"")*"/g, '""')
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50);
  const score = (delimiter: string) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const usual = counts[0] ?? 0;
    return usual === 0 ? 0 : counts.filter((count) => count === usual).length * 1_000 + usual;
  };
  return DELIMITERS.reduce((best, one) => (score(one) > score(best) ? one : best));
}

export function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32LE(0) === 0x04_03_4b_50;
}

function readArchive(bytes: Buffer): Table {
  const fileOf = archiveReader(bytes);
  const items = fileOf('items.csv');
  return items ? readText(items) : readWorkbook(fileOf);
}

function readWorkbook(fileOf: (path: string) => Buffer | null): Table {
  try {
    const rows: TableRow[] = [];
    const limit = limitLength();
    readFirstSheet(
      (path) => fileOf(path)?.toString() ?? null,
      COLUMNS_MAX,
      (row) => {
        limit(row);
        rows.push(row);
      },
    );
    return { rows, encoding: 'xlsx', delimiter: null };
  } catch (error) {
    if (error instanceof UnreadableTable) throw error;
    throw error instanceof TooWide ? new UnreadableTable({ code: 'table_too_wide', max: COLUMNS_MAX }) : notATable();
  }
}

/** Returns a function that unpacks a file of an archive, up to a limit: a few kilobytes can unpack to gigabytes. */
function archiveReader(bytes: Buffer): (path: string) => Buffer | null {
  const files = new Map([...filesIn(bytes)].map((file) => [file.name, file]));
  let left = UNPACKED_BYTES_MAX;
  return (path) => {
    const file = files.get(path);
    if (!file) return null;
    const unpacked = file.isPacked ? inflate(file.data, left) : file.data;
    left -= unpacked.length;
    if (left < 0) throw tooLarge();
    return unpacked;
  };
}

/**
 * The pictures of an exported archive, if it is one. An export does not pack them, so a packed one is left out, and so is
 * one whose bytes belong to another file too: what they cost is then limited by the size of the archive.
 */
export function* picturesIn(bytes: Buffer): Generator<Buffer> {
  if (!isZip(bytes)) return;
  let end = 0;
  let count = 0;
  for (const { name, isPacked, header, data } of filesIn(bytes)) {
    const isOwn = header >= end;
    end = Math.max(end, data.byteOffset - bytes.byteOffset + data.length);
    const isPicture = /^pictures\/[0-9a-f]{40}\.webp$/.test(name) && !isPacked && data.length <= STORED_BYTES_MAX;
    if (isPicture && isOwn && count++ < PICTURES_MAX) yield data;
  }
}

function inflate(data: Buffer, max: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, max) });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : notATable();
  }
}

const tooLarge = () => new UnreadableTable({ code: 'table_too_large' });

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06');
const DIRECTORY_ENTRY = 0x02_01_4b_50;

type ArchivedFile = { name: string; isPacked: boolean; header: number; data: Buffer };

/** The files of a ZIP archive, as its directory lists them. */
function* filesIn(bytes: Buffer): Generator<ArchivedFile> {
  try {
    const end = bytes.lastIndexOf(END_OF_DIRECTORY);
    const count = bytes.readUInt16LE(end + 10);
    if (count > ARCHIVED_FILES_MAX) throw notATable();
    let at = bytes.readUInt32LE(end + 16);
    for (let file = 0; file < count; file++) {
      if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw notATable();
      const header = bytes.readUInt32LE(at + 42);
      const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
      const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      const name = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28));
      yield { name, isPacked: bytes.readUInt16LE(at + 10) !== 0, header, data };
      at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  } catch (error) {
    // The file ends where something is announced.
    throw error instanceof RangeError ? notATable() : error;
  }
}
