import type { Item } from './items.ts';
import { priceText } from './money.ts';

/** Without this mark a spreadsheet reads "é" as two letters. */
export const UTF8_BOM = '\ufeff';

// What a spreadsheet would calculate instead of show; the wide forms too, which some read as the narrow ones.
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
]);

export function csvOfItem(item: Item): string {
  return csvLine([
    item.name,
    item.supplierName,
    item.email,
    item.quantity,
    // A plain decimal: a number to every reader, with no float in between.
    { plain: priceText(item.priceCents) },
    item.description,
    item.id,
    new Date(item.createdAt).toISOString(),
    new Date(item.updatedAt).toISOString(),
  ]);
}

type Cell = string | number | { plain: string };

/** One line as RFC 4180 has it. Texts stand in quotes, so that no comma, semicolon or line break inside ends a cell. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.plain;
  const text = STARTS_A_FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
