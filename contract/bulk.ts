import type { FieldError } from '@perfume/domain/field-errors';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { count, idParams, integer, ownUuid, uuid } from './fields.ts';
import { problems } from './problems.ts';
import type { FromWireNames } from './wire-item.ts';

const endpoint = endpointsOf('Stock');

const MAX_IDS = 200;

/**
 * The result for one item: it was changed, or why it was not. `movementId` is the id of the history entry; null if
 * there was nothing to change, such as a reorder point that the item already had, or a code.
 */
export const bulkResult = z.union([
  z.strictObject({ _id: z.string(), ok: z.literal(true), movementId: z.nullable(z.string()) }),
  z.strictObject({
    _id: z.string(),
    ok: z.literal(false),
    code: z.enum(Object.keys(problems) as [keyof typeof problems]),
    onHand: z.optional(count),
  }),
]);
export type WireBulkResult = z.output<typeof bulkResult>;
export type BulkResult = FromWireNames<WireBulkResult>;

const notForAction: FieldError = { code: 'unknown' };
const missing: FieldError = { code: 'required' };
const movesStock = (action: string) => action === 'deliver' || action === 'restock';

export const bulk = endpoint({
  method: 'POST',
  path: '/bulk',
  summary:
    'Deliver or restock units of each item, set the reorder point of many items, give them codes, or delete or restore them',
  description:
    'Each item succeeds or fails on its own, and is never changed in part: an item with fewer than `units` on hand keeps them all. `deliver` and `restock` take `units`, 1 if missing. `setReorderPoint` takes `reorderPoint`, null for the one of the warehouse. `assignCode` gives each item that has neither SKU nor barcode a new EAN-13 that begins with 2.',
  who: 'user',
  // Bulk actions can delete items.
  keyScope: 'full',
  headers: {
    'idempotency-key': 'A UUID that the client creates for this request; repeating the request with it changes nothing',
  },
  body: z
    .strictObject({
      batch: ownUuid,
      action: z.enum(['deliver', 'restock', 'setReorderPoint', 'assignCode', 'delete', 'restore']),
      ids: z.array(uuid).check(z.minLength(1), z.maxLength(MAX_IDS)),
      units: z.optional(integer(1, MAX_QUANTITY)),
      reorderPoint: z.optional(z.nullable(integer(0, MAX_QUANTITY))),
    })
    .check(
      z.refine(({ action, units }) => units === undefined || movesStock(action), {
        params: notForAction,
        path: ['units'],
      }),
      z.refine(({ action, reorderPoint }) => reorderPoint === undefined || action === 'setReorderPoint', {
        params: notForAction,
        path: ['reorderPoint'],
      }),
      z.refine(({ action, reorderPoint }) => reorderPoint !== undefined || action !== 'setReorderPoint', {
        params: missing,
        path: ['reorderPoint'],
      }),
    ),
  replies: { 200: z.strictObject({ results: z.array(bulkResult) }) },
  problems: ['invalid_header', 'invalid_input'],
});

export const findBatch = endpoint({
  method: 'GET',
  path: '/batches/:id',
  summary: 'How many history entries a bulk action made, and how many of them have not been undone',
  who: 'user',
  params: idParams,
  replies: {
    200: z.strictObject({
      entries: count,
      standing: count,
      /** The units that the bulk action added to stock (negative: removed); null if it moved no stock. */
      delta: z.nullable(z.int()),
    }),
  },
  problems: ['entry_not_found'],
});

export const undoBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/undo',
  summary: 'Undo a bulk action, 100 entries per call',
  description: 'While the response has a `next`, call again with that value as `after`.',
  who: 'user',
  keyScope: 'full',
  params: idParams,
  query: z.object({ after: z.optional(uuid) }),
  replies: {
    200: z.strictObject({
      /** The id of the undo, which is a bulk action too: undoing this id redoes the original one. */
      batch: z.string(),
      next: z.nullable(z.string()),
      results: z.array(bulkResult),
    }),
  },
  problems: ['invalid_query', 'entry_not_found'],
});
