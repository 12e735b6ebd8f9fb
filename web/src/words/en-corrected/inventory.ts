import type { words as english } from '../en/inventory.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'inventory.manage': 'Manage inventory',
  'inventory.mine': 'My items',
  'inventory.create': 'Create new items',
  'inventory.dealer': 'Dealer info',
  'inventory.stock': 'Availability',
  'inventory.price': 'Price',
  'inventory.available': 'Available: {quantity} in stock',
};
