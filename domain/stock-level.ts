/**
 * The reorder point if neither the warehouse nor the item sets another one. Stock is low at or below the reorder point.
 */
export const LOW_STOCK_AT = 10;

export type StockState = 'in' | 'low' | 'out';

export function stockState(quantity: number, lowAt = LOW_STOCK_AT): StockState {
  if (quantity <= 0) return 'out';
  return quantity <= lowAt ? 'low' : 'in';
}

// The spec has different words for the same status on each screen. These words are also the keys of the translation
// catalogues.

export function homeBadge(quantity: number): 'Stock Out' | 'In Stock' {
  return quantity === 0 ? 'Stock Out' : 'In Stock';
}

export function listBadge(quantity: number): 'Out of stock' | 'In Stock' {
  return quantity <= 0 ? 'Out of stock' : 'In Stock';
}

export function saleStatus(quantity: number): 'Sold out' | 'Sold Available' {
  return quantity === 0 ? 'Sold out' : 'Sold Available';
}

export function deliverLabel(quantity: number): 'Delivered' | 'Sold Out' {
  return quantity <= 0 ? 'Sold Out' : 'Delivered';
}
