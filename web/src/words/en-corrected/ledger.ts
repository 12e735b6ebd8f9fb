import type { words as english } from '../en/ledger.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'stock.outOfStock.desktop': 'This item is out of stock',
  'stock.outOfStock.phone': 'No items in stock',
};
