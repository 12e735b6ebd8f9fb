import { BARCODES_MAX, CODE_MAX, checkBarcode, checkBarcodes, checkSku, codeKey } from '@perfume/domain/codes';
import { EMAIL_MAX } from '@perfume/domain/email';
import type { Checked } from '@perfume/domain/field-errors';
import {
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkSupplierName,
  checkTypedPrice,
  checkTypedQuantity,
  DESCRIPTION_MAX,
  IMAGE_URL_MAX,
  NAME_MAX,
  type TypedError,
} from '@perfume/domain/items';
import { priceNumber } from '@perfume/domain/money';
import type { Words } from '../../words/words.tsx';

/** The fields of the item form. */
export const itemFields = [
  'name',
  'price',
  'quantity',
  'imageUrl',
  'description',
  'supplierName',
  'email',
  'sku',
  'barcodes',
] as const;
export type ItemField = (typeof itemFields)[number];

/** The contents of the form, as typed. Each barcode is a line. */
export type ItemTexts = Record<ItemField, string>;

const checks: Record<ItemField, (text: string) => Checked<unknown, TypedError>> = {
  name: checkName,
  price: checkTypedPrice,
  quantity: checkTypedQuantity,
  imageUrl: checkImageUrl,
  description: checkDescription,
  supplierName: checkSupplierName,
  email: checkEmail,
  sku: checkSku,
  barcodes: (text) => checkBarcodes(linesOf(text)),
};

/** The maximum lengths of the fields that have one, and how many barcodes an item has at most. */
export const maxLengths: Partial<Record<ItemField, number>> = {
  name: NAME_MAX,
  imageUrl: IMAGE_URL_MAX,
  description: DESCRIPTION_MAX,
  supplierName: NAME_MAX,
  email: EMAIL_MAX,
  sku: CODE_MAX,
  barcodes: BARCODES_MAX,
};

/** Returns the error code of a field, or undefined if its text is valid. The server applies the same rules. */
export function fieldError(name: ItemField, text: string): TypedError['code'] | undefined {
  const checked = checks[name](text);
  return checked.ok ? undefined : checked.error.code;
}

/** Converts a typed price for the API. Text that is not a price is sent as typed, and the server refuses it. */
export function wirePrice(text: string): number | string {
  const price = checkTypedPrice(text);
  return price.ok ? priceNumber(price.value) : text;
}

/** Converts a typed quantity for the API, which takes a string of digits. */
export function wireQuantity(text: string): string {
  const quantity = checkTypedQuantity(text);
  return quantity.ok ? String(quantity.value) : text;
}

/**
 * Formats a typed number as it will be saved, to be shown below the field. Returns undefined if the text is not a
 * number.
 */
export function interpretNumber(name: ItemField, text: string, { money, number }: Pick<Words, 'money' | 'number'>) {
  const checked = name === 'price' ? checkTypedPrice(text) : checkTypedQuantity(text);
  if (!checked.ok) return undefined;
  return name === 'price' ? money(checked.value) : number(checked.value);
}

/** Splits typed or pasted barcodes: one per line, or per cell of a copied table. */
export function linesOf(text: string): string[] {
  return text
    .split(/[\n\r\t]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Adds a scanned code to the texts of a new item. Digits that only look like an EAN are a number of the shop's own,
 * so they become the SKU if there is none yet.
 */
export function withCode(texts: ItemTexts, code: string): ItemTexts {
  const lines = linesOf(texts.barcodes);
  if ([texts.sku, ...lines].some((known) => codeKey(known) === codeKey(code))) return texts;
  if (texts.sku.trim() === '' && !checkBarcode(code).ok && checkSku(code).ok) return { ...texts, sku: code };
  return { ...texts, barcodes: [...lines, code].join('\n') };
}
