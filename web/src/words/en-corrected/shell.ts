import type { words as english } from '../en/shell.ts';
import type { Translation } from '../message.ts';

/** Only what differs from the spec's spelling. */
export const words: Partial<Translation<typeof english>> = {
  'title.adminHome': 'Dashboard · Perfume Warehouse',
  'title.addItem': 'Create new item · Perfume Warehouse',
  'title.manageInventory': 'Manage inventory · Perfume Warehouse',
  'title.myItems': 'My items · Perfume Warehouse',
  'title.item': 'Update inventory · Perfume Warehouse',
  'title.analysetic': 'Analytics · Perfume Warehouse',

  'delete.question': 'Are you sure you want to delete this item?',

  'shell.title': 'Admin panel',
  'shell.homePage': 'Home page',
  'sidebar.heading': 'Manage your warehouse',
  'sidebar.adminHome': 'Dashboard',
  'sidebar.myItems': 'My items',
  'sidebar.manageInventory': 'Manage inventory',
  'sidebar.updateInventory': 'Update inventory',
  'sidebar.addItem': 'Add new item',
  'sidebar.analytics': 'Analytics',
  'adminHome.profile': 'My profile',
  'adminHome.totalDealers': 'Total dealers',
  'adminHome.totalDealers.figure': '2,000',
  'adminHome.newDealers': 'New dealers',
  'adminHome.week.note': '10% more this week',
  'adminHome.month.note': '14% more this month',
};
