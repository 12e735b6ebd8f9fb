/** Starts a CSV file. Without this mark, a spreadsheet may read "é" as two characters. */
export const UTF8_BOM = '\ufeff';

/** A cell of an exported table. `plain` is a number in the digits that the file shows, such as 148.00. */
export type Cell = string | number | { plain: string };

// Characters that start a formula in a spreadsheet. Some programs accept their full-width forms too.
const STARTS_A_FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** One line of RFC 4180. Texts are quoted, so a comma, semicolon or line break inside does not end a cell. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  // A price is not quoted, so that every program reads it as a number.
  if (typeof cell === 'object') return cell.plain;
  return `"${withApostrophe(cell).replaceAll('"', '""')}"`;
}

/** Puts an apostrophe before what a spreadsheet would take for a formula. */
export function withApostrophe(text: string): string {
  return STARTS_A_FORMULA.test(text) ? `'${text}` : text;
}

/** Takes away the apostrophe of `withApostrophe`. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && STARTS_A_FORMULA.test(text) ? text.slice(1) : text;
}
