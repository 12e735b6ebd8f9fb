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

/** The fields of an item, named as on the wire. */
export const itemFields = ['name', 'price', 'quantity', 'img', 'description', 'suplierName', 'email'] as const;
export type ItemField = (typeof itemFields)[number];

/** What stands in the fields, as typed. */
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

/** What is wrong with a field, in the words of the domain, which are also the server's. */
export function fieldError(name: ItemField, text: string): string | undefined {
  const checked = checks[name](text);
  return checked.ok ? undefined : checked.message;
}

/** What travels for a typed price: the number it was read as. What cannot be read travels as it is, to be refused. */
export function wirePrice(text: string): number | string {
  const price = checkTypedPrice(text);
  return price.ok ? priceNumber(price.value) : text;
}

/** The same for a quantity, which is a string of digits on the wire. */
export function wireQuantity(text: string): string {
  const quantity = checkTypedQuantity(text);
  return quantity.ok ? String(quantity.value) : text;
}

/** How a typed number was read, to stand beside its field; undefined while it cannot be read. */
export function interpretNumber(name: ItemField, text: string, { money, number }: Pick<Words, 'money' | 'number'>) {
  const checked = name === 'price' ? checkTypedPrice(text) : checkTypedQuantity(text);
  if (!checked.ok) return undefined;
  return name === 'price' ? money(checked.value) : number(checked.value);
}

const wrongs = [
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
const keys = new Map<string, (typeof wrongs)[number]>(wrongs.map((wrong) => [fieldMessages[wrong], wrong]));
const lengths = new Map(
  [NAME_MAX, IMAGE_URL_MAX, DESCRIPTION_MAX, 254].map((max) => [fieldMessages.tooLong(max), max]),
);

/** The same in the language of the page. What only a newer server can say stands in its own words. */
export function fieldErrorText(message: string, { say }: Pick<Words, 'say'>): string {
  const key = keys.get(message);
  if (key) return say(`itemForm.wrong.${key}`);
  const max = lengths.get(message);
  return max === undefined ? message : say('itemForm.wrong.tooLong', { count: max });
}
