import type { Cell } from './csv.ts';
import type { ImportField } from './imports.ts';
import type { Item } from './items.ts';
import { priceText } from './money.ts';

export const exportFormats = ['csv', 'xlsx', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The columns of exported items, under names that the import recognises: what is exported can be imported again. That is
 * why there are no times among them. The history has those.
 */
const itemColumns = {
  name: 'name',
  supplierName: 'supplier',
  quantity: 'quantity',
  priceCents: 'price',
  sku: 'sku',
  barcodes: 'barcodes',
  reorderPoint: 'reorder point',
  description: 'description',
  imageUrl: 'image',
  email: 'e-mail',
  id: 'id',
} as const satisfies Record<ImportField, string>;
export const exportedFields = Object.keys(itemColumns) as ImportField[];
export const itemHead: readonly string[] = Object.values(itemColumns);

export function cellsOfItem(item: Item): Cell[] {
  return exportedFields.map((field) => {
    if (field === 'priceCents') return { plain: priceText(item.priceCents) };
    if (field === 'barcodes') return codesText(item.barcodes);
    return item[field] ?? '';
  });
}

/** Codes are separated by semicolons, unless one contains what separates them. */
function codesText(codes: readonly string[]): string {
  return codes.some((code) => /[;|]/.test(code)) ? codes.map((code) => `${code}\n`).join('') : codes.join('; ');
}
