import {
  type Checked,
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkSupplierName,
  checkTypedPrice,
  checkTypedQuantity,
  DESCRIPTION_MAX,
  fieldMessages,
  IMAGE_URL_MAX,
  NAME_MAX,
} from '@perfume/domain/items';
import { priceNumber } from '@perfume/domain/money';
import type { Words } from '../../words/words.tsx';

/** The fields of an item, with their names in the API. */
export const itemFields = ['name', 'price', 'quantity', 'img', 'description', 'suplierName', 'email'] as const;
export type ItemField = (typeof itemFields)[number];

/** The contents of the form, as typed. */
export type ItemTexts = Record<ItemField, string>;

const checks: Record<ItemField, (text: string) => Checked<unknown>> = {
  name: checkName,
  price: checkTypedPrice,
  quantity: checkTypedQuantity,
  img: checkImageUrl,
  description: checkDescription,
  suplierName: checkSupplierName,
  email: checkEmail,
};

/** The error of a field as a domain message, the same one the server sends. */
export function fieldError(name: ItemField, text: string): string | undefined {
  const checked = checks[name](text);
  return checked.ok ? undefined : checked.message;
}

/** The price for the API. Text that is not a price is sent as typed, and the server refuses it. */
export function wirePrice(text: string): number | string {
  const price = checkTypedPrice(text);
  return price.ok ? priceNumber(price.value) : text;
}

/** The quantity for the API, which takes a string of digits. */
export function wireQuantity(text: string): string {
  const quantity = checkTypedQuantity(text);
  return quantity.ok ? String(quantity.value) : text;
}

/** How a typed number is understood, shown below the field; undefined while it is not a number. */
export function interpretNumber(name: ItemField, text: string, { money, number }: Pick<Words, 'money' | 'number'>) {
  const checked = name === 'price' ? checkTypedPrice(text) : checkTypedQuantity(text);
  if (!checked.ok) return undefined;
  return name === 'price' ? money(checked.value) : number(checked.value);
}

const messageNames = [
  'required',
  'descriptionTooShort',
  'unsafe',
  'price',
  'ambiguousPrice',
  'quantity',
  'ambiguousQuantity',
  'imageUrl',
  'email',
] as const;
const keys = new Map<string, (typeof messageNames)[number]>(messageNames.map((name) => [fieldMessages[name], name]));
const lengths = new Map(
  [NAME_MAX, IMAGE_URL_MAX, DESCRIPTION_MAX, 254].map((max) => [fieldMessages.tooLong(max), max]),
);

/** Translates a field message. Messages this version does not know are shown as they are. */
export function fieldErrorText(message: string, { say }: Pick<Words, 'say'>): string {
  const key = keys.get(message);
  if (key) return say(`itemForm.wrong.${key}`);
  const max = lengths.get(message);
  return max === undefined ? message : say('itemForm.wrong.tooLong', { count: max });
}
