import type { Endpoints } from '@perfume/contract/endpoints';
import type { CountReason } from '@perfume/domain/ledger';
import { type ApiProblem, callerHeaders, type Input } from '../api/client.ts';
import { newIdempotencyKey } from '../api/retry.ts';

/** A request that changes stock. It is made once and stored with the change, so that a retry repeats the same bytes. */
export type StockRequest = {
  [R in 'PUT /inventory-items/:id' | 'POST /new-inventory-item' | 'POST /history/:id/undo']: { route: R } & Omit<
    Input<Endpoints[R]>,
    'signal' | 'query'
  >;
}['PUT /inventory-items/:id' | 'POST /new-inventory-item' | 'POST /history/:id/undo'];

export type ChangeMade =
  | { kind: 'move'; delta: number }
  /**
   * `seen` is the quantity on screen, `seenAt` when the item had changed last, and `after` has the ids of the changes
   * from this device that waited before the count.
   */
  | { kind: 'count'; counted: number; seen: number; seenAt: number; after: readonly string[]; reason: CountReason }
  | { kind: 'add' }
  /** `delta` is that of the undo, the opposite of the undone movement's. */
  | { kind: 'undo'; of: string; delta: number };

/** What happened to an item since it was counted without a connection. The person decides what the count means. */
export type ChangedSince = {
  quantity: number;
  version: number;
  movements: { by: string; at: string; delta: number }[];
};

/** A change of stock as it is stored on this device until the server has answered. */
export type StoredChange = {
  /** The order on this device. The store assigns it, because the clock of a device can jump. */
  num?: number;
  /** The idempotency key of the request, and the id of the movement or item that it makes. */
  id: string;
  /** The person who made the change. Nobody else sees or sends it. */
  userId: string;
  itemId: string;
  itemName: string;
  madeAt: number;
  made: ChangeMade;
  request: StockRequest;
  /** Whether it may have reached the server. It can then be undone, but no longer simply be dropped. */
  tried: boolean;
  /** True while the tab that made the change is sending it itself. */
  isSending: boolean;
  state: 'waiting' | 'refused' | 'undecided';
  problem?: Pick<ApiProblem, 'code' | 'status' | 'onHand'>;
  changedSince?: ChangedSince;
  /** True once the person has decided what a count means. It is then sent without another look. */
  isDecided?: boolean;
};

/** The difference that a change makes to the quantity. */
export function deltaOf(made: ChangeMade): number {
  if (made.kind === 'add') return 0;
  return made.kind === 'count' ? made.counted - made.seen : made.delta;
}

/** Returns the change as one of another item, for changes of a new item that was added again under another id. */
export function movedTo(change: StoredChange, itemId: string): StoredChange {
  const { request } = change;
  if (request.route !== 'PUT /inventory-items/:id') return { ...change, itemId };
  return { ...change, itemId, request: { ...request, params: { id: itemId } } };
}

/** Returns the change under another key, for a new attempt after the server has refused the first for good. */
export function withNewKey(change: StoredChange, id: string): StoredChange {
  const request = { ...change.request, headers: { ...change.request.headers, 'idempotency-key': id } } as StockRequest;
  return { ...change, id, request, tried: false };
}

/** Returns the request under another condition on the stock. Everything else about it stays, such as its house. */
export function withCondition(request: StockRequest, condition: StockCondition): StockRequest {
  const { 'if-match': _, 'stock-base': __, ...headers } = request.headers ?? {};
  return { ...request, headers: { ...headers, ...condition } } as StockRequest;
}

export type StockCondition = { 'stock-base': string } | { 'if-match': string };

/** Whether the change was made in another house than that of this page. It is sent, but cannot be decided here. */
export function isOfOtherHouse({ request }: StoredChange): boolean {
  const { house: here } = callerHeaders();
  const made = request.headers?.house;
  // Either is missing if the server had, or has, one house for everybody.
  return made !== undefined && here !== undefined && made !== here;
}

/** Whether the change undoes the one with this key. */
export function isUndoOf({ made }: StoredChange, id: string): boolean {
  return made.kind === 'undo' && made.of === id;
}

/**
 * Returns the undo of a change that has a new key. The server records nothing under the old one. An undo that may have
 * reached it gets a new key too, because a key always stands for the same request.
 */
export function undoUnderNewKey(undo: StoredChange, changed: StoredChange): StoredChange {
  const made = { kind: 'undo', of: changed.id, delta: -deltaOf(changed.made) } as const;
  const moved = { ...undo, made, request: { ...undo.request, params: { id: changed.id } } as StockRequest };
  return undo.tried ? withNewKey(moved, newIdempotencyKey()) : moved;
}
