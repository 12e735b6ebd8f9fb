import type { Readable } from 'node:stream';
import { type Cell, withApostrophe } from '@perfume/domain/csv';
import { archiveOf } from './zip.ts';

type Table<Row> = {
  name: string;
  head: readonly string[];
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;
  toCells: (row: Row) => Cell[];
};

/** A sheet cannot have more rows. The next ones are on a sheet of their own. */
const SHEET_ROWS = 1_048_576;
/** The name of a sheet cannot be longer, with its number. */
const SHEET_NAME_LENGTH = 27;
/** A cell cannot have more characters. */
const CELL_LENGTH = 32_767;
const STYLES = { plain: 0, bold: 1, decimal: 2 };

/** An XLSX workbook that is made while it is read. */
export function workbookOf<Row>(table: Table<Row>, sheetRows = SHEET_ROWS): Readable {
  return archiveOf(async ({ addText }) => {
    const lines = linesOf(table);
    let next = await lines.next();
    let sheets = 0;
    do {
      sheets++;
      await addText(`xl/worksheets/sheet${sheets}.xml`, sheet());
    } while (!next.done);
    await addText('xl/workbook.xml', [START + workbook(table.name.slice(0, SHEET_NAME_LENGTH), sheets)]);
    await addText('xl/_rels/workbook.xml.rels', [START + workbookLinks(sheets)]);
    await addText('xl/styles.xml', [START + styles]);
    await addText('_rels/.rels', [START + links]);
    await addText('[Content_Types].xml', [START + contentTypes(sheets)]);

    async function* sheet(): AsyncGenerator<string> {
      yield SHEET_START + rowOf(table.head.map((name) => textCell(name, STYLES.bold)));
      for (let rows = 1; !next.done && rows + next.value.length <= sheetRows; next = await lines.next()) {
        rows += next.value.length;
        yield next.value.join('');
      }
      yield '</sheetData></worksheet>';
    }
  });
}

/** The rows as XML, page by page. */
async function* linesOf<Row>({ pages, toCells }: Table<Row>): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((row) => rowOf(toCells(row).map(cellOf)));
}

const rowOf = (cells: string[]) => `<row>${cells.join('')}</row>`;

function cellOf(cell: Cell): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'object') return `<c s="${STYLES.decimal}"><v>${cell.plain}</v></c>`;
  return cell === '' ? '<c/>' : textCell(cell, STYLES.plain);
}

/** The import takes an apostrophe before a formula for that of a CSV file, so one that is part of the text is doubled. */
function textCell(text: string, style: number): string {
  const shown = text.startsWith("'") ? withApostrophe(text) : text;
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(shown.slice(0, CELL_LENGTH))}</t></is></c>`;
}

/** Spreadsheets read `_x0041_` as the character with that number. */
function escaped(text: string): string {
  return text
    .replace(/_x[0-9A-Fa-f]{4}_/g, (code) => `_x005F${code}`)
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const LINKS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
/** The first row stays in view. */
const SHEET_START = `${START}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="18" defaultRowHeight="15"/><sheetData>`;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function workbook(name: string, sheets: number): string {
  const list = numbers(sheets).map(
    (sheet) => `<sheet name="${sheet === 1 ? name : `${name} ${sheet}`}" sheetId="${sheet}" r:id="rId${sheet}"/>`,
  );
  return `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`;
}

function workbookLinks(sheets: number): string {
  const list = numbers(sheets).map((sheet) => link(`rId${sheet}`, 'worksheet', `worksheets/sheet${sheet}.xml`));
  return `<Relationships xmlns="${LINKS}">${list.join('')}${link('styles', 'styles', 'styles.xml')}</Relationships>`;
}

const link = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;

const links = `<Relationships xmlns="${LINKS}">${link('workbook', 'officeDocument', 'xl/workbook.xml')}</Relationships>`;

const fill = (pattern: string) => `<fill><patternFill patternType="${pattern}"/></fill>`;
/** In the order of `STYLES`. Excel expects the two fills. */
const styles = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.00##"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2">${fill('none')}${fill('gray125')}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function contentTypes(sheets: number): string {
  const part = (path: string, type: string) => `<Override PartName="/xl/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  const list = numbers(sheets).map((sheet) => part(`worksheets/sheet${sheet}.xml`, 'worksheet'));
  return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook.xml', 'sheet.main')}${list.join('')}${part('styles.xml', 'styles')}</Types>`;
}
