import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { idParams, uuid } from './fields.ts';
import { problems } from './problems.ts';

const endpoint = endpointsOf('Stock');

const MAX_IDS = 200;

/** The result for one item: done, or why not. */
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
  summary: 'Deliver one unit of each, delete or restore many items; each item succeeds or fails by itself',
  who: 'user',
  headers: { 'idempotency-key': 'A UUID made for this request; repeating the request changes nothing again' },
  body: z.strictObject({
    batch: uuid,
    action: z.enum(['deliver', 'delete', 'restore'], 'One of deliver, delete, restore'),
    ids: z
      .array(uuid, 'A list of ids')
      .check(z.minLength(1, 'At least one id'), z.maxLength(MAX_IDS, `At most ${MAX_IDS} ids`)),
  }),
  replies: { 200: z.strictObject({ results: z.array(bulkResult) }) },
  problems: ['invalid_header', 'invalid_input'],
});

export const findBatch = endpoint({
  method: 'GET',
  path: '/batches/:id',
  summary: 'How many history entries a bulk action made, and how many of them are not undone',
  who: 'user',
  params: idParams,
  replies: {
    200: z.strictObject({
      entries: z.int(),
      standing: z.int(),
      /** The sum of all its stock movements, in units; null if it made none. */
      delta: z.nullable(z.int()),
    }),
  },
  problems: ['entry_not_found'],
});

export const undoBatch = endpoint({
  method: 'POST',
  path: '/batches/:id/undo',
  summary: 'Undo a bulk action, 100 entries per call. Call again with `after` while the response has a `next`',
  who: 'user',
  params: idParams,
  query: z.object({ after: z.optional(uuid) }),
  replies: {
    200: z.strictObject({
      /** The id of this undo as a batch of its own; undoing it restores the first. */
      batch: z.string(),
      next: z.nullable(z.string()),
      results: z.array(bulkResult),
    }),
  },
  problems: ['invalid_query', 'entry_not_found'],
});
