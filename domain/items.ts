import { EMAIL_MAX, isEmail } from './email.ts';
import { type Checked, type FieldError, invalid, valid } from './field-errors.ts';
import { parsePrice } from './money.ts';
import { MAX_QUANTITY, parseQuantity } from './quantity.ts';
import { isSafeLine, isSafeText, isUrl, isVisible } from './safe-text.ts';
import { countCharacters, normalText } from './text.ts';
import { readTypedNumber } from './typed-number.ts';

export const DESCRIPTION_MIN = 50;
export const DESCRIPTION_MAX = 5_000;
export const NAME_MAX = 200;
export const IMAGE_URL_MAX = 2_048;

export type NewItem = {
  name: string;
  priceCents: number;
  quantity: number;
  imageUrl: string;
  description: string;
  supplierName: string;
  email: string;
  /** The dealer's own code for the item. */
  sku: string | null;
  /** The codes that scanners read on the item: EAN, UPC and others. */
  barcodes: string[];
};

export type Item = NewItem & {
  id: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /**
   * The item's own reorder point, or null. `lowAt` is the reorder point in effect: the item's own, or else the
   * warehouse's.
   */
  reorderPoint: number | null;
  lowAt: number;
};

/**
 * The errors of a form field. A typed number can also be ambiguous; the API accepts plain numbers only, so it never
 * returns these two codes.
 */
export type TypedError = FieldError | { code: 'ambiguous_price' | 'ambiguous_quantity' };

export function checkName(input: unknown): Checked<string> {
  return checkLine(input, NAME_MAX);
}

export function checkPrice(input: unknown): Checked<number> {
  if (isMissing(input)) return invalid({ code: 'required' });
  const cents = parsePrice(input);
  return cents === null ? invalid({ code: 'not_a_price' }) : valid(cents);
}

export function checkQuantity(input: unknown): Checked<number> {
  if (isMissing(input)) return invalid({ code: 'required' });
  const quantity = parseQuantity(input);
  return quantity === null ? invalid({ code: 'not_a_whole_number', min: 0, max: MAX_QUANTITY }) : valid(quantity);
}

/**
 * Checks a price as typed into a form. The API accepts plain numbers only; forms accept any notation with one meaning.
 */
export function checkTypedPrice(typed: string): Checked<number, TypedError> {
  return checkTyped(typed.replace(/^\s*\$|(?:\$|USD)\s*$/g, ''), checkPrice, 'ambiguous_price');
}

/** Checks a whole number of units, zero included, as typed into a form. */
export function checkTypedQuantity(typed: string): Checked<number, TypedError> {
  return checkTyped(typed, checkQuantity, 'ambiguous_quantity');
}

function checkTyped<T>(
  typed: string,
  check: (plain: string) => Checked<T>,
  ambiguous: 'ambiguous_price' | 'ambiguous_quantity',
): Checked<T, TypedError> {
  const read = readTypedNumber(typed);
  if (read.ok) return check(read.plain);
  return read.reason === 'ambiguous' ? invalid({ code: ambiguous }) : check(typed);
}

export function checkDescription(input: unknown): Checked<string> {
  if (isMissing(input)) return invalid({ code: 'description_too_short' });
  if (typeof input !== 'string') return invalid({ code: 'hidden_characters' });
  if (input.length > DESCRIPTION_MAX * 4) return invalid({ code: 'too_long', max: DESCRIPTION_MAX });
  const text = normalText(input.replace(/\r\n?/g, '\n'));
  if (!isSafeText(text)) return invalid({ code: 'hidden_characters' });
  const length = countCharacters(text);
  if (length < DESCRIPTION_MIN || !isVisible(text)) return invalid({ code: 'description_too_short' });
  if (length > DESCRIPTION_MAX) return invalid({ code: 'too_long', max: DESCRIPTION_MAX });
  return valid(text);
}

// The address of a picture on this host: one file name without folders, so a path cannot leave the folder.
const OWN_PICTURE = /^\/(?:uploads|bottles)\/[a-z0-9][a-z0-9-]{0,80}\.(?:jpg|png|webp|svg)$/;

export function checkImageUrl(input: unknown): Checked<string> {
  const line = checkLine(input, IMAGE_URL_MAX);
  if (!line.ok || OWN_PICTURE.test(line.value)) return line;
  // The URL parser accepts "https:host" and stray spaces, so these are refused first.
  if (!/^https?:\/\/[^\s/\\]/i.test(line.value) || /[\s<>"`\\]/.test(line.value))
    return invalid({ code: 'not_a_web_address' });
  if (!isUrl(line.value)) return invalid({ code: 'not_a_web_address' });
  const { username, password } = new URL(line.value);
  return username === '' && password === '' ? line : invalid({ code: 'not_a_web_address' });
}

export function checkSupplierName(input: unknown): Checked<string> {
  return checkLine(input, NAME_MAX);
}

export function checkEmail(input: unknown): Checked<string> {
  const line = checkLine(input, EMAIL_MAX);
  return line.ok && !isEmail(line.value) ? invalid({ code: 'not_an_email' }) : line;
}

/** Checks one line of text. */
export function checkLine(input: unknown, max: number): Checked<string> {
  if (isMissing(input)) return invalid({ code: 'required' });
  if (typeof input !== 'string') return invalid({ code: 'hidden_characters' });
  if (input.length > max * 4) return invalid({ code: 'too_long', max });
  const text = normalText(input);
  if (!isSafeLine(text)) return invalid({ code: 'hidden_characters' });
  if (!isVisible(text)) return invalid({ code: 'required' });
  return countCharacters(text) > max ? invalid({ code: 'too_long', max }) : valid(text);
}

function isMissing(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === 'string' && input.trim() === '');
}
