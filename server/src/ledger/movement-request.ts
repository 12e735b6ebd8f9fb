import type { Movement } from '@perfume/contract/ledger';
import type { Item } from '@perfume/domain/items';
import type { CountReason, Difference } from '@perfume/domain/ledger';
import type { Idempotency } from '../db/core/idempotency.ts';
import type { Actor } from '../items/item-events.ts';

/**
 * A requested change of stock: a difference, or a new count. If `ifVersion` is not null, the count applies only while
 * the item has one of these versions.
 */
export type StockChange =
  | Difference
  | { kind: 'correction'; target: number; ifVersion: number[] | null; reason: CountReason | null };

export type MovementRequest = {
  /** The request's idempotency key if it has one, so that a retried request is the same movement. */
  id: string;
  itemId: string;
  change: StockChange;
  actor: Actor;
  at: number;
  note: string | null;
  /** The id of the bulk action that the movement is part of. */
  batch: string | null;
  idempotency: Idempotency | null;
};

/**
 * A change that succeeded. `movement` is null if the item already had the requested quantity: nothing is recorded then.
 */
export type Recorded = { ok: true; item: Item; movement: Movement | null };
