import { MAX_QUANTITY } from './quantity.ts';

/** `opening` is an item's first movement, `correction` a new count, `undo` the opposite of another movement. */
export type MovementKind = 'opening' | 'deliver' | 'restock' | 'correction' | 'undo';

/** Why a count differs from the recorded quantity. Only a correction has a reason. */
export const countReasons = ['breakage', 'tester', 'theft', 'miscount', 'other'] as const;
export type CountReason = (typeof countReasons)[number];

export type Difference =
  | { kind: 'deliver' | 'restock'; delta: number }
  | { kind: 'correction'; delta: number; reason: CountReason | null };

/**
 * Turns a new quantity into a difference: somebody who saw `base` wants `target`. The difference can be applied to the
 * current quantity, whatever it is. With a reason it is a correction; units that broke were not delivered.
 */
export function differenceSeen(target: number, base: number, reason: CountReason | null = null): Difference {
  const delta = target - base;
  if (reason !== null) return { kind: 'correction', delta, reason };
  return { kind: delta < 0 ? 'deliver' : 'restock', delta };
}

export type Fits = { ok: true; after: number } | { ok: false; reason: 'out_of_stock' | 'over_full' };

/** Adds a difference to a quantity, or refuses: a quantity is never below zero and never above the maximum. */
export function applyDelta(onHand: number, delta: number): Fits {
  const after = onHand + delta;
  if (after < 0) return { ok: false, reason: 'out_of_stock' };
  if (after > MAX_QUANTITY) return { ok: false, reason: 'over_full' };
  return { ok: true, after };
}
