import { isEmail } from './email.ts';
import { parsePrice } from './money.ts';
import { parseQuantity } from './quantity.ts';
import { countCharacters, firstCharacters, isSafeLine, isSafeText, isVisible, normalText } from './text.ts';
import { readTypedNumber } from './typed-number.ts';

export const DESCRIPTION_MIN = 50;
export const DESCRIPTION_MAX = 5_000;
export const NAME_MAX = 200;
export const IMAGE_URL_MAX = 2_048;
const PREVIEW_LENGTH = 50;

export type NewItem = {
  name: string;
  priceCents: number;
  quantity: number;
  imageUrl: string;
  description: string;
  supplierName: string;
  email: string;
};

export type Item = NewItem & {
  id: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** The item's own reorder point, or null. `lowAt` is the one in effect: this one, or the warehouse's. */
  reorderPoint: number | null;
  lowAt: number;
};

/** Messages for invalid input. The first two are quoted from the spec. */
export const fieldMessages = {
  required: 'This field is required',
  descriptionTooShort: 'Minimum 50 chracter required',
  tooLong: (max: number) => `At most ${max} characters`,
  unsafe: 'Enter text without hidden characters',
  price: 'Enter a price from 0 to 10,000,000 with at most two decimals',
  ambiguousPrice:
    'This could mean two different prices. Leave out the thousands separator, for example 1234 or 1234.50',
  quantity: 'Enter a whole number from 0 to 1,000,000,000',
  ambiguousQuantity: 'This could mean two different numbers. Leave out the thousands separator, for example 1234',
  units: 'Enter a whole number from 1 to 1,000,000,000',
  imageUrl: 'Enter a web address that begins with http:// or https://',
  email: 'Enter a valid email address',
  unknown: 'Unknown field',
} as const;

/** A valid value, or the message for the user. */
export type Checked<T> = { ok: true; value: T } | { ok: false; message: string };

const valid = <T>(value: T): Checked<T> => ({ ok: true, value });
const invalid = (message: string): Checked<never> => ({ ok: false, message });

export function checkName(input: unknown): Checked<string> {
  return checkLine(input, NAME_MAX);
}

export function checkPrice(input: unknown): Checked<number> {
  if (isMissing(input)) return invalid(fieldMessages.required);
  const cents = parsePrice(input);
  return cents === null ? invalid(fieldMessages.price) : valid(cents);
}

export function checkQuantity(input: unknown): Checked<number> {
  if (isMissing(input)) return invalid(fieldMessages.required);
  const quantity = parseQuantity(input);
  return quantity === null ? invalid(fieldMessages.quantity) : valid(quantity);
}

/** A price as typed into a form. The API accepts plain numbers only; forms accept any notation with one meaning. */
export function checkTypedPrice(typed: string): Checked<number> {
  return checkTyped(typed.replace(/^\s*\$|(?:\$|USD)\s*$/g, ''), checkPrice, fieldMessages.ambiguousPrice);
}

/** A whole number of units, zero included, as typed into a form. */
export function checkTypedQuantity(typed: string): Checked<number> {
  return checkTyped(typed, checkQuantity, fieldMessages.ambiguousQuantity);
}

function checkTyped<T>(typed: string, check: (plain: string) => Checked<T>, ambiguous: string): Checked<T> {
  const read = readTypedNumber(typed);
  if (read.ok) return check(read.plain);
  return read.reason === 'ambiguous' ? invalid(ambiguous) : check(typed);
}

export function checkDescription(input: unknown): Checked<string> {
  if (isMissing(input)) return invalid(fieldMessages.descriptionTooShort);
  if (typeof input !== 'string') return invalid(fieldMessages.unsafe);
  if (input.length > DESCRIPTION_MAX * 4) return invalid(fieldMessages.tooLong(DESCRIPTION_MAX));
  const text = normalText(input.replace(/\r\n?/g, '\n'));
  if (!isSafeText(text)) return invalid(fieldMessages.unsafe);
  const length = countCharacters(text);
  if (length < DESCRIPTION_MIN || !isVisible(text)) return invalid(fieldMessages.descriptionTooShort);
  if (length > DESCRIPTION_MAX) return invalid(fieldMessages.tooLong(DESCRIPTION_MAX));
  return valid(text);
}

// A picture on this host: one file name without folders, so a path cannot leave the folder.
const OWN_PICTURE = /^\/(?:uploads|bottles)\/[a-z0-9][a-z0-9-]{0,80}\.(?:jpg|png|webp|svg)$/;

export function checkImageUrl(input: unknown): Checked<string> {
  const line = checkLine(input, IMAGE_URL_MAX);
  if (!line.ok || OWN_PICTURE.test(line.value)) return line;
  // The URL parser accepts "https:host" and stray spaces, so these are refused first.
  if (!/^https?:\/\/[^\s/\\]/i.test(line.value) || /[\s<>"`\\]/.test(line.value))
    return invalid(fieldMessages.imageUrl);
  if (!URL.canParse(line.value)) return invalid(fieldMessages.imageUrl);
  const { username, password } = new URL(line.value);
  return username === '' && password === '' ? line : invalid(fieldMessages.imageUrl);
}

export function checkSupplierName(input: unknown): Checked<string> {
  return checkLine(input, NAME_MAX);
}

export function checkEmail(input: unknown): Checked<string> {
  const line = checkLine(input, 254);
  return line.ok && !isEmail(line.value) ? invalid(fieldMessages.email) : line;
}

/** The card's preview: the first 50 characters and an ellipsis. */
export function descriptionPreview(description: string): string {
  return `${firstCharacters(description, PREVIEW_LENGTH)}…`;
}

function checkLine(input: unknown, max: number): Checked<string> {
  if (isMissing(input)) return invalid(fieldMessages.required);
  if (typeof input !== 'string') return invalid(fieldMessages.unsafe);
  if (input.length > max * 4) return invalid(fieldMessages.tooLong(max));
  const text = normalText(input);
  if (!isSafeLine(text)) return invalid(fieldMessages.unsafe);
  if (!isVisible(text)) return invalid(fieldMessages.required);
  return countCharacters(text) > max ? invalid(fieldMessages.tooLong(max)) : valid(text);
}

function isMissing(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === 'string' && input.trim() === '');
}
