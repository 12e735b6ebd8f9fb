import { MAX_QUANTITY } from './quantity.ts';

/** At or below this many units (but above none) stock is low, until the warehouse or the item says otherwise. */
export const LOW_STOCK_AT = 10;

export type StockState = 'in' | 'low' | 'out';

export function stockState(quantity: number, lowAt = LOW_STOCK_AT): StockState {
  if (quantity <= 0) return 'out';
  return quantity <= lowAt ? 'low' : 'in';
}

// The spec words one state in three ways, screen by screen. The words are the keys of the catalogues.

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

/** `opening` is an item's first row; `correction` a count that overruled the shelf; `undo` the mirror image of another row. */
export type MovementKind = 'opening' | 'deliver' | 'restock' | 'correction' | 'undo';

/** What a person means by setting `target` while looking at `base`: the difference, whatever is on the shelf by now. */
export function differenceSeen(target: number, base: number): { kind: 'deliver' | 'restock'; delta: number } {
  const delta = target - base;
  return { kind: delta < 0 ? 'deliver' : 'restock', delta };
}

export type Fits = { ok: true; after: number } | { ok: false; reason: 'out_of_stock' | 'over_full' };

/** The one rule of the shelf: never below zero, never beyond counting. */
export function applyDelta(onHand: number, delta: number): Fits {
  const after = onHand + delta;
  if (after < 0) return { ok: false, reason: 'out_of_stock' };
  if (after > MAX_QUANTITY) return { ok: false, reason: 'over_full' };
  return { ok: true, after };
}
