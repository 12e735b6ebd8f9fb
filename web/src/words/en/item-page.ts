import type { Catalogue } from '../message.ts';

// The page of one item: deliver, restock, delete, and its reorder point.
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
  'stock.label': 'Print label',
  'stock.elsewhere': '{change} from another screen',

  'Sold out': 'Sold out',
  'Sold Available': 'Sold Available',
  Delivered: 'Delivered',
  'Sold Out': 'Sold Out',

  'restock.label': 'Restock the items',
  'restock.placeholder': 'Enter imported stock number',
  'restock.hint': 'Enter a whole number, 1 or more. It is added to the quantity on hand.',
  'restock.submit': 'Update Stock',
  'restock.empty': 'Please input stock number',
  'restock.notPositive': 'Input a positive value',

  'stock.unknown': 'This item does not exist. Check the link.',
  'stock.notChecked': 'This item could not be found. It may have been deleted. Checking again…',
  'stock.deleted': 'This item was deleted.',
  'stock.deletedNow': '{name} was deleted while you were viewing it.',
  'stock.restore': 'Restore',
  'stock.failed': 'Could not load the item.',

  'codes.sku': 'SKU',
  'codes.barcodes': 'Barcodes',
  'codes.copy': 'Copy {code}',
  'codes.copied': '{code} was copied',

  'reorder.label': 'Reorder point',
  'reorder.own': { one: 'Low stock at {count} unit or fewer', other: 'Low stock at {count} units or fewer' },
  'reorder.warehouse': {
    one: 'Low stock at {count} unit or fewer (warehouse setting)',
    other: 'Low stock at {count} units or fewer (warehouse setting)',
  },
  'reorder.change': 'Change',
  'reorder.useWarehouse': 'Use the warehouse setting',
  'reorder.cancel': 'Cancel',
  'reorder.saved': 'The reorder point of {name} was saved.',
  'reorder.notSaved': 'The reorder point of {name} was not saved.',
  'reorder.conflict': 'Someone else just changed the reorder point. Check the new value and try again.',
} as const satisfies Catalogue;
