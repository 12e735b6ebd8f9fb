import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Cell, csvLine, UTF8_BOM } from '@perfume/domain/csv';
import type { ExportFormat } from '@perfume/domain/exports';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { workbookOf } from './workbook-writer.ts';

type Pages<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** What a file is made of. Its rows are read while it is sent, so it may have any number of them. */
export type Table<Row> = {
  /** The name of the file, without the day and the extension. */
  name: string;
  head: readonly string[];
  pages: Pages<Row>;
  toCells: (row: Row) => Cell[];
  /** The row as a line of JSON has it. */
  toJson: (row: Row) => unknown;
};

const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl; charset=utf-8',
};

type Call = { request: FastifyRequest; reply: FastifyReply; now: number; requireStillAllowed: () => Promise<void> };
type FileName = { name: string; extension: string; type: string };

/** Sends a table as a file. */
export function sendTable<Row>(call: Call, format: ExportFormat, table: Table<Row>): Promise<FastifyReply> {
  const watched = { ...table, pages: watchPages(call, table.pages) };
  const makeFile = () => (format === 'xlsx' ? workbookOf(watched) : Readable.from(textOf(watched, format)));
  return sendFile(call, makeFile, { name: table.name, extension: format, type: mediaTypes[format] });
}

/** Sends a file as it is made. The request counts as running until then. */
export async function sendFile(
  { request, reply, now }: Call,
  makeFile: () => Readable,
  { name, extension, type }: FileName,
): Promise<FastifyReply> {
  const day = new Date(now).toISOString().slice(0, 10);
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name}-${day}.${extension}"`);
  // Nobody reads the file, so it is not made.
  if (request.method === 'HEAD') return reply.send();
  const file = makeFile();
  reply.send(file);
  // A client that leaves is no error.
  await finished(file).catch(() => {});
  return reply;
}

/**
 * Counts the rows for the person's budget and for the log of who reads many, and ends the file if the person has logged
 * out or has lost their role meanwhile.
 */
export async function* watchPages<Row>(
  { request, requireStillAllowed }: Call,
  pages: Pages<Row>,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages) {
    await requireStillAllowed();
    request.rowsRead += page.length;
    yield page;
  }
}

/** The text of a file, a page of rows at a time. */
export async function* textOf<Row>(
  { head, pages, toCells, toJson }: Table<Row>,
  format: Exclude<ExportFormat, 'xlsx'>,
): AsyncGenerator<string> {
  if (format === 'csv') yield UTF8_BOM + csvLine(head);
  const toLine =
    format === 'csv' ? (row: Row) => csvLine(toCells(row)) : (row: Row) => `${JSON.stringify(toJson(row))}\n`;
  for await (const page of pages) yield page.map(toLine).join('');
}
