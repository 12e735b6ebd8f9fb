/// <reference path="./saxen.d.ts" />
import { type AttributesGetter, type EntityDecoder, Parser } from 'saxen';

/** A row of the sheet with its number, counted from 1. */
type Row = [number: number, cells: string[]];
type Handlers = {
  open?: (name: string, attribute: (name: string) => string | undefined) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
};

/** What is longer in the XML is cut. A character takes up to eight there. */
const TEXT_LENGTH_MAX = 100_000;
const FORMAT_LENGTH_MAX = 1_000;
/** Spreadsheets have no more rows. */
const ROWS_MAX = 1_048_576;

/**
 * Reads the first sheet of an XLSX workbook without its empty rows. `fileOf` returns a file of its archive, or null if there
 * is none. `addRow` may refuse a row: a few bytes of XML can make a cell of thousands, so the sheet may not fit into memory.
 */
export function readFirstSheet(
  fileOf: (path: string) => string | null,
  maxColumns: number,
  addRow: (row: Row) => void,
): void {
  const { sheet, startsIn1904 } = findSheet(fileOf);
  const text = fileOf(sheet);
  if (text === null) throw new Error('a workbook has a sheet');
  const strings = readStrings(fileOf('xl/sharedStrings.xml') ?? '');
  const dates = readDateStyles(fileOf('xl/styles.xml') ?? '');
  let row: Row = [0, []];
  let cell = { column: 0, type: 'n', style: 0, value: '' };
  let takesText = false;
  parse(text, {
    open(name, attribute) {
      if (name === 'row') {
        const number = Math.floor(Number(attribute('r')));
        row = [number > row[0] && number <= ROWS_MAX ? number : row[0] + 1, []];
        cell = { ...cell, column: -1 };
      } else if (name === 'c') {
        const column = columnOf(attribute('r')) ?? cell.column + 1;
        if (column >= maxColumns) throw new TooWide();
        cell = { column, type: attribute('t') ?? 'n', style: Number(attribute('s') ?? 0), value: '' };
      } else takesText = name === 'v' || name === 't';
    },
    text(value) {
      if (takesText && cell.value.length < TEXT_LENGTH_MAX) cell.value += value;
    },
    close(name) {
      if (name === 'v' || name === 't') takesText = false;
      else if (name === 'c') {
        const shown = cellText(
          cell,
          strings,
          dates.has(cell.style) ? (startsIn1904 ? DAYS_TO_1904 : DAYS_TO_1900) : null,
        );
        if (shown === '') return;
        while (row[1].length < cell.column) row[1].push('');
        row[1][cell.column] = shown;
      } else if (name === 'row' && row[1].length > 0) addRow(row);
    },
  });
}

export class TooWide extends Error {}

/** Days from the first day of a workbook to 1970. */
const DAYS_TO_1900 = 25_569;
const DAYS_TO_1904 = 24_107;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A number of days becomes a date if the style of the cell shows it as one. `epoch` is null if it does not. */
function cellText(cell: { type: string; value: string }, strings: string[], epoch: number | null): string {
  const { type, value } = cell;
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'inlineStr' || type === 'str') return withoutCodes(value);
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'e') return '';
  if (type !== 'n' || value === '') return value;
  const number = Number(value);
  const at = epoch === null ? Number.NaN : Math.round((number - epoch) * DAY_MS);
  if (Math.abs(at) < 8e15) return new Date(at).toISOString().slice(0, 10);
  // Spreadsheets calculate with 15 digits: 12.299999999999999 is shown as 12.3.
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}

/** Spreadsheets write some characters as their number, such as `_x000D_`. */
function withoutCodes(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  return letters ? [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1 : null;
}

/** The path of the first sheet, and whether its days count from 1904. */
function findSheet(fileOf: (path: string) => string | null): { sheet: string; startsIn1904: boolean } {
  let id: string | undefined;
  let startsIn1904 = false;
  parse(fileOf('xl/workbook.xml') ?? '', {
    open(name, attribute) {
      if (name === 'sheet') id ??= attribute('r:id');
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '');
    },
  });
  let target = 'worksheets/sheet1.xml';
  parse(fileOf('xl/_rels/workbook.xml.rels') ?? '', {
    open(name, attribute) {
      if (name === 'Relationship' && attribute('Id') === id) target = attribute('Target') ?? target;
    },
  });
  return { sheet: target.startsWith('/') ? target.slice(1) : `xl/${target}`, startsIn1904 };
}

/** The texts to which cells refer by number. Hints on how to pronounce one (`rPh`) are not part of it. */
function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let current = '';
  let takesText = false;
  let isHint = false;
  parse(xml, {
    open(name) {
      if (name === 'si') current = '';
      if (name === 'rPh') isHint = true;
      takesText = name === 't' && !isHint;
    },
    text(value) {
      if (takesText && current.length < TEXT_LENGTH_MAX) current += value;
    },
    close(name) {
      if (name === 't') takesText = false;
      if (name === 'rPh') isHint = false;
      if (name === 'si') strings.push(withoutCodes(current));
    },
  });
  return strings;
}

/** The numbers of the cell styles that show a date. */
function readDateStyles(xml: string): Set<number> {
  const dateFormats = new Set([14, 15, 16, 17, 22]);
  const styles: number[] = [];
  let inCells = false;
  parse(xml, {
    open(name, attribute) {
      if (name === 'numFmt') {
        const code = (attribute('formatCode') ?? '').slice(0, FORMAT_LENGTH_MAX).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
        if (/[dy]/i.test(code)) dateFormats.add(Number(attribute('numFmtId')));
      } else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) styles.push(Number(attribute('numFmtId') ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return new Set(styles.flatMap((format, style) => (dateFormats.has(format) ? style : [])));
}

/** Reads XML and throws if it is broken. Entities that the file itself declares are not replaced. */
function parse(xml: string, { open, text, close }: Handlers): void {
  if (xml === '') return;
  const parser = new Parser();
  parser.on('openTag', (name: string, attributes: AttributesGetter, decode: EntityDecoder) => {
    const value = (one: string) => {
      const given = attributes()[one];
      return given === undefined ? undefined : decode(String(given));
    };
    open?.(localName(name), value);
  });
  parser.on('text', (value: string, decode: EntityDecoder) => text?.(decode(value.slice(0, TEXT_LENGTH_MAX))));
  parser.on('cdata', (value: string) => text?.(value.slice(0, TEXT_LENGTH_MAX)));
  parser.on('closeTag', (name: string) => close?.(localName(name)));
  parser.on('error', (error: Error) => {
    throw error;
  });
  parser.parse(xml);
}

/** Some programs write `x:row` for `row`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
