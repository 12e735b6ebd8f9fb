import type { Catalogue } from '../message.ts';

// Deliver, receive and count, on every page that does it.
export const words = {
  'stock.outOfStock.desktop': "Item's out of stock",
  'stock.outOfStock.phone': 'No Items In stock',
  'stock.delivered': 'Delivered {units} × {name}',
  'stock.restocked': 'Restocked {units} × {name}',
  'stock.notDelivered': '{name} was not delivered.',
  'stock.notRestocked': '{name} was not restocked.',
  'stock.noAnswer': 'The server did not answer. If the change did go through, the quantity will update.',
  'stock.counted': 'Corrected {name}: {before} → {after}',
  'stock.confirmed': 'Quantity confirmed: {count} × {name}',
  'stock.tooFew': '{name} was not delivered: only {count} on hand.',
  'stock.notCounted': 'The count of {name} was not saved.',

  'reason.breakage': 'Breakage',
  'reason.tester': 'Tester',
  'reason.theft': 'Theft',
  'reason.miscount': 'Miscount',
  'reason.other': 'Other',
} as const satisfies Catalogue;
