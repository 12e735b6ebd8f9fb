/** Everything that a list can show of an item, in the order in which columns are offered. */
export const columnNames = [
  'name',
  'dealer',
  'stock',
  'price',
  'update',
  'quantity',
  'supplier',
  'sku',
  'barcodes',
  'reorderPoint',
  'value',
  'email',
  'updated',
  'added',
] as const;
export type Column = (typeof columnNames)[number];

/** Columns whose numbers are compared, so they are aligned at their last digit. */
const numbers = new Set<Column>(['price', 'quantity', 'reorderPoint', 'value']);
export const isNumber = (column: Column) => numbers.has(column);

/** The columns that the spec has. */
export const defaultColumns: readonly Column[] = ['name', 'dealer', 'stock', 'price', 'update'];

/** The width of a column in pixels, if the person has set it. */
export type Chosen = { column: Column; width: number | null };

/** The width of the columns other than the name, which gets what they leave. In pixels, at the usual font size. */
const defaultWidths: Record<Column, number> = {
  name: 176,
  dealer: 240,
  stock: 144,
  price: 128,
  update: 208,
  quantity: 96,
  supplier: 160,
  sku: 128,
  barcodes: 152,
  reorderPoint: 112,
  value: 128,
  email: 200,
  updated: 128,
  added: 128,
};

export const MIN_WIDTH = 56;
export const MAX_WIDTH = 800;

export function minWidth(column: Column): number {
  // Narrower, the buttons would not fit. The other columns cut their texts off.
  return column === 'update' || column === 'name' ? defaultWidths[column] : MIN_WIDTH;
}

export function widthOf({ column, width }: Chosen): number {
  return width ?? defaultWidths[column];
}

/**
 * Reads columns such as `name,quantity:90,price`. Returns null if there are none. Unknown columns, repeated ones and
 * impossible widths are ignored. The name is always shown.
 */
export function parseColumns(text: string | null): Chosen[] | null {
  const chosen: Chosen[] = [];
  for (const part of (text ?? '').split(',')) {
    const [name, width] = part.split(':');
    const column = columnNames.find((known) => known === name);
    if (column && !chosen.some((one) => one.column === column))
      chosen.push({ column, width: parseWidth(column, width) });
  }
  if (chosen.length === 0) return null;
  return chosen.some(({ column }) => column === 'name') ? chosen : [{ column: 'name', width: null }, ...chosen];
}

function parseWidth(column: Column, text = ''): number | null {
  const width = /^\d{2,3}$/.test(text) ? Number(text) : 0;
  return column !== 'name' && width >= minWidth(column) && width <= MAX_WIDTH ? width : null;
}

/** Returns the text of columns; null for those of the spec, which need none. */
export function columnsText(chosen: readonly Chosen[]): string | null {
  const text = chosen.map(({ column, width }) => (width === null ? column : `${column}:${width}`)).join(',');
  return text === defaultColumns.join(',') ? null : text;
}

/** Shows or hides a column. A column that was hidden comes last, but before the buttons if they are last. */
export function toggleColumn(chosen: readonly Chosen[], column: Column): Chosen[] {
  if (chosen.some((one) => one.column === column)) return chosen.filter((one) => one.column !== column);
  const end = chosen.at(-1)?.column === 'update' ? chosen.length - 1 : chosen.length;
  return chosen.toSpliced(end, 0, { column, width: null });
}

/** Moves a column by one place. */
export function moveColumn(chosen: readonly Chosen[], column: Column, by: -1 | 1): Chosen[] {
  const at = chosen.findIndex((one) => one.column === column);
  const moved = chosen[at];
  if (!moved || !chosen[at + by]) return [...chosen];
  return chosen.toSpliced(at, 1).toSpliced(at + by, 0, moved);
}

/**
 * The CSS variables for these widths. The widths shrink together if the page is too narrow for them; see
 * `.sized` in column-head.module.css.
 */
export function widthVariables(chosen: readonly Chosen[]): Record<`--${string}`, string> {
  const sum = (of: readonly Chosen[]) => String(of.reduce((sum, one) => sum + widthOf(one), 0));
  return {
    '--fixed': sum(chosen.filter(isFixed)),
    // Not 0, by which nothing can be divided.
    '--columns': sum([{ column: 'name', width: 1 }, ...chosen.filter((one) => !isFixed(one))]),
    ...Object.fromEntries(chosen.map((one) => [`--width-${one.column}`, String(widthOf(one))])),
  };
}

/** Whether a column keeps its width on a narrow page. The others can cut their texts off. */
export function isFixed({ column }: Chosen): boolean {
  return column === 'name' || column === 'update' || column === 'stock';
}
