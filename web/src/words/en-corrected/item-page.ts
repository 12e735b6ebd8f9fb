import type { words as english } from '../en/item-page.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'stock.manage': 'Manage Stock',
  'Sold Available': 'Available',
  Delivered: 'Deliver one',
  'Sold Out': 'Sold out',
  'restock.label': 'Restock this item',
  'restock.placeholder': 'Enter the number of units',
  'restock.empty': 'Please enter the number of units',
  'restock.notPositive': 'Enter a positive number',
};
