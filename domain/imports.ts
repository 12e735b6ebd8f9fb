import { checkBarcodes, checkSku } from './codes.ts';
import { withoutApostrophe } from './csv.ts';
import type { Edit } from './edits.ts';
import type { Checked, FieldError } from './field-errors.ts';
import { invalid, valid } from './field-errors.ts';
import {
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkPrice,
  checkQuantity,
  checkSupplierName,
  type Item,
  type NewItem,
} from './items.ts';
import { foldForSearch } from './text.ts';
import { readTypedNumber } from './typed-number.ts';
import { parseUuid } from './uuid.ts';

/** What a column of an imported file can hold. */
export const importFields = [
  'id',
  'name',
  'supplierName',
  'quantity',
  'priceCents',
  'description',
  'imageUrl',
  'sku',
  'barcodes',
  'reorderPoint',
  'email',
] as const;
export type ImportField = (typeof importFields)[number];

/** For each column of the file: what it holds, or null if it is left out. */
export type Mapping = readonly (ImportField | null)[];

/** `add`: only new items. `update`: only items that are there. */
export const importModes = ['add', 'update', 'both'] as const;
export type ImportMode = (typeof importModes)[number];

export const decimalMarks = ['.', ','] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** Names of columns, in the form of `headerKey`. */
const HEADERS: Record<ImportField, readonly string[]> = {
  id: ['id', 'itemid', 'uuid'],
  name: [
    'name',
    'productname',
    'itemname',
    'product',
    'item',
    'title',
    'perfume',
    'nom',
    'produit',
    'article',
    'parfum',
    'designation',
    'الاسم',
    'اسم',
    'المنتج',
    'العطر',
  ],
  supplierName: [
    'supplier',
    'suppliername',
    'supliername',
    'suplier',
    'vendor',
    'brand',
    'maker',
    'fournisseur',
    'marque',
    'المورد',
    'الماركة',
  ],
  quantity: ['quantity', 'qty', 'onhand', 'stock', 'instock', 'units', 'count', 'quantite', 'qte', 'الكمية', 'المخزون'],
  priceCents: ['price', 'unitprice', 'retailprice', 'sellingprice', 'prix', 'prixunitaire', 'السعر', 'الثمن'],
  description: ['description', 'details', 'text', 'notes', 'الوصف'],
  imageUrl: ['image', 'imageurl', 'picture', 'pictureurl', 'photo', 'الصورة'],
  sku: ['sku', 'reference', 'ref', 'articlenumber', 'itemnumber', 'code', 'المرجع'],
  barcodes: [
    'barcode',
    'barcodes',
    'ean',
    'ean13',
    'upc',
    'gtin',
    'codebarres',
    'codesbarres',
    'codeabarres',
    'الباركود',
  ],
  reorderPoint: [
    'reorderpoint',
    'reorderat',
    'reorderlevel',
    'minimum',
    'minstock',
    'seuil',
    'seuildecommande',
    'حدالطلب',
  ],
  email: ['email', 'mail', 'courriel', 'البريد', 'البريدالالكتروني'],
};

/** Suggests what each column holds from its name. Of two columns for one field, the first is taken. */
export function suggestMapping(columns: readonly string[]): Mapping {
  const taken = new Set<ImportField>();
  return columns.map((column) => {
    const key = headerKey(column);
    const found = importFields.find((field) => !taken.has(field) && HEADERS[field].includes(key));
    if (found) taken.add(found);
    return found ?? null;
  });
}

function headerKey(column: string): string {
  return foldForSearch(column.slice(0, 100)).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether the first row names the columns: it has a name that we know, or only the rows below it have numbers. */
export function isHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  const hasNumber = (row: readonly string[]) => row.some((cell) => /^\D{0,3}\d[\d.,\s]*\D{0,3}$/.test(cell.trim()));
  if (suggestMapping(first).some((field) => field !== null)) return true;
  return !hasNumber(first) && second !== undefined && hasNumber(second);
}

/** Which mark separates decimals in these cells: the one that stands before the last one or two digits more often. */
export function guessDecimalMark(cells: Iterable<string>): DecimalMark {
  let commas = 0;
  for (const cell of cells) {
    const mark = /^\D{0,4}\d[\d.,\s’']{0,20}?([.,])\d{1,2}\D{0,4}$/.exec(cell.slice(0, 40))?.[1];
    if (mark) commas += mark === ',' ? 1 : -1;
  }
  return commas > 0 ? ',' : '.';
}

/** What a row of the file says about an item. A field without a column, and an empty cell, say nothing. */
export type RowValues = Partial<Omit<NewItem, 'sku'> & { id: string; sku: string; reorderPoint: number }>;
export type RowProblem = { field: ImportField; error: FieldError };

export function readRow(
  cells: readonly string[],
  mapping: Mapping,
  decimal: DecimalMark,
): { values: RowValues; problems: RowProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: RowProblem[] = [];
  for (const [column, field] of mapping.entries()) {
    const text = withoutApostrophe(cells[column] ?? '');
    if (field === null || text.trim() === '') continue;
    const checked = check[field](text, decimal);
    if (checked.ok) values[field] = checked.value;
    else problems.push({ field, error: checked.error });
  }
  return { values, problems };
}

const check: Record<ImportField, (text: string, decimal: DecimalMark) => Checked<unknown>> = {
  id: (text) => {
    const id = parseUuid(text.trim());
    return id === null ? invalid({ code: 'not_a_uuid' }) : valid(id);
  },
  name: checkName,
  supplierName: checkSupplierName,
  quantity: (text, decimal) => checkQuantity(wholeNumber(plainNumber(text, decimal))),
  priceCents: (text, decimal) =>
    checkPrice(plainNumber(text.replace(/^\s*[$€£]|[$€£]\s*$|\b(?:USD|EUR|GBP)\b/g, ''), decimal)),
  description: checkDescription,
  imageUrl: checkImageUrl,
  sku: (text) => (isRounded(text) ? invalid({ code: 'rounded_number' }) : checkSku(text)),
  barcodes: (text) => {
    const codes = splitCodes(text).filter((code) => code.trim() !== '');
    return codes.some(isRounded) ? invalid({ code: 'rounded_number' }) : checkBarcodes(codes);
  },
  reorderPoint: (text, decimal) => checkQuantity(wholeNumber(plainNumber(text, decimal))),
  email: checkEmail,
};

/** Codes are on lines of their own, or separated by semicolons. On lines of their own, they may contain these. */
function splitCodes(text: string): string[] {
  return text.split(text.includes('\n') ? '\n' : /[;|]/);
}

/** Spreadsheets write long numbers as 3.61E+12, and the digits are lost. */
function isRounded(code: string): boolean {
  return /^\s*\d(?:[.,]\d+)?E\+\d+\s*$/i.test(code);
}

/** Writes a number in plain digits with a point. What cannot be read stays as it is, for the check to refuse. */
function plainNumber(text: string, decimal: DecimalMark): string {
  const read = readTypedNumber(text.slice(0, 60));
  if (read.ok) return read.plain;
  // "1.234" alone has two readings; the rest of the file tells which one it is.
  return read.reason === 'ambiguous'
    ? text
        .trim()
        .replace(decimal === ',' ? '.' : ',', '')
        .replace(',', '.')
    : text;
}

/** Spreadsheets write whole numbers as 12.00 too. */
function wholeNumber(plain: string): string {
  return plain.replace(/^(\d+)\.0+$/, '$1');
}

/** Who imports: new items without a supplier or an email address get theirs. */
export type Importer = { name: string; email: string };

/** What an import does with a row. `skip` leaves the item as it is. */
export type RowPlan =
  | { kind: 'add'; item: NewItem; reorderPoint: number | null }
  | { kind: 'change'; item: Item; edit: Edit; quantity: number | null }
  | { kind: 'skip'; why: SkipReason }
  | { kind: 'bad'; problems: RowProblem[] };
export type SkipReason = 'exists' | 'not_found' | 'same';

/** Decides about a row. `known` is the item that it is about, if there is one already. */
export function planRow(values: RowValues, known: Item | null, mode: ImportMode, importer: Importer): RowPlan {
  if (known) return mode === 'add' ? { kind: 'skip', why: 'exists' } : planChange(values, known);
  return mode === 'update' ? { kind: 'skip', why: 'not_found' } : planAddition(values, importer);
}

const NO_PICTURE = '/bottles/fallback.svg';

function planAddition(values: RowValues, importer: Importer): RowPlan {
  const { name, priceCents, supplierName = importer.name } = values;
  if (name === undefined || priceCents === undefined) {
    const missing = (['name', 'priceCents'] as const).filter((field) => values[field] === undefined);
    return { kind: 'bad', problems: missing.map((field) => ({ field, error: { code: 'required' } })) };
  }
  const item: NewItem = {
    name,
    priceCents,
    supplierName,
    quantity: values.quantity ?? 0,
    imageUrl: values.imageUrl ?? NO_PICTURE,
    description: values.description ?? `${name}, supplied by ${supplierName}. No description has been added yet.`,
    email: values.email ?? importer.email,
    sku: values.sku ?? null,
    barcodes: values.barcodes ?? [],
  };
  return { kind: 'add', item, reorderPoint: values.reorderPoint ?? null };
}

function planChange({ id: _, quantity, barcodes, ...values }: RowValues, known: Item): RowPlan {
  const wanted: Edit = { ...values };
  // The file may know only some of the codes. Those that it does not name stay.
  const added = barcodes?.filter((code) => !known.barcodes.includes(code)) ?? [];
  if (added.length > 0) wanted.barcodes = [...known.barcodes, ...added];
  const changed = Object.entries(wanted).filter(([field, value]) => value !== known[field as keyof Item]);
  const setsQuantity = quantity !== undefined && quantity !== known.quantity;
  if (changed.length === 0 && !setsQuantity) return { kind: 'skip', why: 'same' };
  return { kind: 'change', item: known, edit: Object.fromEntries(changed), quantity: setsQuantity ? quantity : null };
}
