import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { itemId } from './items.ts';
import { problems } from './problems.ts';

const endpoint = endpointsOf('Stock');

const MOST_IDS = 200;
const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const uuid = z.string('Invalid id').check(z.regex(UUID, 'Invalid id'));

/** One row of a bulk action: done, or why not. */
export const bulkResult = z.union([
  z.strictObject({ _id: z.string(), ok: z.literal(true), movementId: z.nullable(z.string()) }),
  z.strictObject({
    _id: z.string(),
    ok: z.literal(false),
    code: z.enum(Object.keys(problems) as [keyof typeof problems]),
    onHand: z.optional(z.int()),
  }),
]);
export type BulkResult = z.output<typeof bulkResult>;

export const bulk = endpoint({
  method: 'POST',
  path: '/bulk',
  summary: 'Deliver one of each, delete or restore many items; each row succeeds or fails by itself',
  who: 'user',
  headers: { 'idempotency-key': 'A UUID made for this request; repeated, it does nothing twice' },
  body: z.strictObject({
    batch: uuid,
    action: z.enum(['deliver', 'delete', 'restore'], 'One of deliver, delete, restore'),
    ids: z
      .array(uuid, 'A list of ids')
      .check(z.minLength(1, 'At least one id'), z.maxLength(MOST_IDS, `At most ${MOST_IDS} ids`)),
  }),
  replies: { 200: z.strictObject({ results: z.array(bulkResult) }) },
  problems: ['invalid_header', 'invalid_input'],
});

export const findBatch = endpoint({
  method: 'GET',
  path: '/batches/:id',
  summary: 'How many entries of the history a bulk action made, and how many of them are not undone',
  who: 'user',
  params: itemId,
  replies: {
    200: z.strictObject({
      entries: z.int(),
      standing: z.int(),
      /** By how many units all of its entries together changed the stock; null if it changed none. */
      delta: z.nullable(z.int()),
    }),
  },
  problems: ['entry_not_found'],
});

export const undoBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/undo',
  summary: 'Undo a bulk action as one, a portion a call: ask again with `after` while the answer names a `next`',
  who: 'user',
  params: itemId,
  query: z.object({ after: z.optional(uuid) }),
  replies: {
    200: z.strictObject({
      /** The batch of what was done now: undoing that one brings the first back. */
      batch: z.string(),
      next: z.nullable(z.string()),
      results: z.array(bulkResult),
    }),
  },
  problems: ['invalid_query', 'entry_not_found'],
});
