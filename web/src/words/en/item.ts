import type { Catalogue } from '../message.ts';

// The screen of one item: deliver, restock, delete.
export const words = {
  'stock.caption': 'Stock of {name}',
  'stock.product': 'Product Info',
  'stock.price': 'Price',
  'stock.dealer': 'Dealer Info',
  'stock.manage': 'Stock Manage',
  'stock.id': 'ID',
  'stock.available': 'Available quantity',
  'stock.availableCount': 'Available: {count}',
  'stock.amount': '$ {price}',
  'stock.usd': 'USD',
  'stock.about': 'Product information',
  'stock.edit': 'Edit',
  'stock.elsewhere': '{change} from another screen',

  'Sold out': 'Sold out',
  'Sold Available': 'Sold Available',
  Delivered: 'Delivered',
  'Sold Out': 'Sold Out',
  'stock.outOfStock.desktop': "Item's out of stock",
  'stock.outOfStock.phone': 'No Items In stock',

  'stock.delivered': 'Delivered {units} × {name}',
  'stock.restocked': 'Restocked {units} × {name}',
  'stock.notDelivered': '{name} was not delivered.',
  'stock.notRestocked': '{name} was not restocked.',
  'stock.unanswered': 'The warehouse did not answer. Should it have been counted after all, the number will show it.',

  'restock.label': 'Restock the items',
  'restock.placeholder': 'Enter imported stock number',
  'restock.hint': 'A whole number of 1 or more. It is added to the quantity on hand.',
  'restock.submit': 'Update Stock',
  'restock.empty': 'Please input stock number',
  'restock.notPositive': 'Input a positive value',
  'restock.notWhole': 'Enter a whole number of 1 or more, without commas or points',
  'restock.tooMany': 'That is more than can be counted. At most {most} more fit.',

  'stock.unknown': 'There is no item at this place on the shelf.',
  'stock.notChecked': 'There is no item here now. Could not check whether it was deleted; checking again.',
  'stock.deleted': 'This item has been deleted.',
  'stock.deletedNow': '{name} was deleted while you were looking at it.',
  'stock.restore': 'Restore',
  'stock.failed': 'The item could not be loaded.',
  'stock.retry': 'Try again',
} as const satisfies Catalogue;
