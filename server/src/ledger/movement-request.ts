import type { Movement } from '@perfume/contract/ledger';
import type { Item } from '@perfume/domain/items';
import type { Idempotency } from '../db/core/idempotency.ts';
import type { Actor } from '../items/item-events.ts';

/** Either a difference to apply, or a new count (only while the item's version is one of `ifVersion`). */
export type StockChange =
  | { kind: 'deliver' | 'restock' | 'correction'; delta: number }
  | { kind: 'correction'; target: number; ifVersion: number[] | null };

export type MovementRequest = {
  /** The idempotency key of the request, so a retried click is the same movement. */
  id: string;
  itemId: string;
  change: StockChange;
  actor: Actor;
  at: number;
  note: string | null;
  /** The bulk action that it is part of. */
  batch: string | null;
  idempotency: Idempotency | null;
};

/** `movement` is null when the quantity already was the requested one: nothing is recorded then. */
export type Recorded = { ok: true; item: Item; movement: Movement | null };
