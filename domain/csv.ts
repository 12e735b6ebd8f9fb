import type { Item } from './items.ts';
import { priceText } from './money.ts';

/** Starts a CSV file. Without this mark, a spreadsheet may read "é" as two characters. */
export const UTF8_BOM = '\ufeff';

// Characters that start a formula in a spreadsheet. Some programs accept their full-width forms too.
const STARTS_A_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export const csvHead = csvLine([
  'name',
  'supplier',
  'e-mail',
  'quantity',
  'price',
  'description',
  'id',
  'created',
  'updated',
  'sku',
  'barcodes',
]);

export function csvOfItem(item: Item): string {
  return csvLine([
    item.name,
    item.supplierName,
    item.email,
    item.quantity,
    // The price is not quoted, so that every program reads it as a number.
    { plain: priceText(item.priceCents) },
    item.description,
    item.id,
    new Date(item.createdAt).toISOString(),
    new Date(item.updatedAt).toISOString(),
    item.sku ?? '',
    item.barcodes.join('; '),
  ]);
}

type Cell = string | number | { plain: string };

/** One line of RFC 4180. Texts are quoted, so a comma, semicolon or line break inside does not end a cell. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.plain;
  const text = STARTS_A_FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
