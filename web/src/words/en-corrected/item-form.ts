import type { words as english } from '../en/item-form.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'add.heading': 'Create new item',
  'add.submit': 'Add item',
  'add.done': 'You added a new item',
  'itemForm.productInfo': 'Product info',
  'itemForm.productDescription': 'Product description',
  'itemForm.dealerInfo': 'Dealer info',
  'field.description_too_short': 'At least 50 characters are required',
};
