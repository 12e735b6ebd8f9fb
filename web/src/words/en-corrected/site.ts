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
  'why.heading': 'Why you should use it',
  'support.heading': 'Our location and support',
  'title.login': 'Account login · Perfume Warehouse',
  'title.register': 'Sign up · Perfume Warehouse',
  'title.adminHome': 'Dashboard · Perfume Warehouse',
  'title.addItem': 'Create new item · Perfume Warehouse',
  'title.manageInventory': 'Manage inventory · Perfume Warehouse',
  'title.myItems': 'My items · Perfume Warehouse',
  'title.item': 'Update inventory · Perfume Warehouse',
  'title.analysetic': 'Analytics · Perfume Warehouse',
  'title.blogs': 'Blog · Perfume Warehouse',
};
