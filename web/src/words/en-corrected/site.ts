import type { words as english } from '../en/site.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'grid.heading': 'Inventory items',
  'nav.blogs': 'Blog',
  'nav.signup': 'Sign up',
  'nav.login': 'Log in',
  'account.logout': 'Log out',
  'Stock Out': 'Out of stock',
  'In Stock': 'In stock',
  'Loading...': 'Loading…',
  'title.login': 'Account login · Perfume Warehouse',
  'title.register': 'Sign up · Perfume Warehouse',
  'title.blogs': 'Blog · Perfume Warehouse',
};
