import {
  type Checked,
  checkDescription,
  checkEmail,
  checkImageUrl,
  checkName,
  checkPrice,
  checkQuantity,
  checkSupplierName,
  DESCRIPTION_MAX,
  fieldMessages,
  IMAGE_URL_MAX,
  NAME_MAX,
} from '@perfume/domain/items';
import type { Words } from '../../words/words.tsx';

/** The fields of an item, named as on the wire. */
export const itemFields = ['name', 'price', 'quantity', 'img', 'description', 'suplierName', 'email'] as const;
export type ItemField = (typeof itemFields)[number];

/** What stands in the fields, as typed. */
export type ItemTexts = Record<ItemField, string>;

const checks: Record<ItemField, (input: unknown) => Checked<unknown>> = {
  name: checkName,
  price: (text) => checkPrice(plainNumber(text)),
  quantity: (text) => checkQuantity(plainNumber(text)),
  img: checkImageUrl,
  description: checkDescription,
  suplierName: checkSupplierName,
  email: checkEmail,
};

/** What is wrong with a field, in the words of the domain, which are also the server's. */
export function wrongWith(name: ItemField, text: string): string | undefined {
  const checked = checks[name](text);
  return checked.ok ? undefined : checked.message;
}

/** What is wrong when the browser says that there is something in a number field which is no number. */
export function noNumber(name: ItemField): string {
  return name === 'quantity' ? fieldMessages.quantity : fieldMessages.price;
}

/** ".5" and "007" are numbers to people; on the wire they are "0.5" and "7". */
export function plainNumber(text: unknown): unknown {
  return typeof text === 'string' ? text.replace(/^0+(?=\d)/, '').replace(/^\./, '0.') : text;
}

type Wrong = 'required' | 'descriptionTooShort' | 'unsafe' | 'price' | 'quantity' | 'imageUrl' | 'email';
const wrongs: readonly Wrong[] = [
  'required',
  'descriptionTooShort',
  'unsafe',
  'price',
  'quantity',
  'imageUrl',
  'email',
];
const keys = new Map<string, Wrong>(wrongs.map((wrong) => [fieldMessages[wrong], wrong]));
const lengths = new Map(
  [NAME_MAX, IMAGE_URL_MAX, DESCRIPTION_MAX, 254].map((max) => [fieldMessages.tooLong(max), max]),
);

/** The same in the language of the page. What only a newer server can say stands in its own words. */
export function wrongText(message: string, { say }: Pick<Words, 'say'>): string {
  const key = keys.get(message);
  if (key) return say(`itemForm.wrong.${key}`);
  const max = lengths.get(message);
  return max === undefined ? message : say('itemForm.wrong.tooLong', { count: max });
}
