import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { limitUpTo } from './fields.ts';

const endpoint = endpointsOf('Alerts');

/** What holds of an item since it last changed: at or below its reorder point, sold out, or above the point again. */
export const wireAlert = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  itemName: z.string(),
  kind: z.enum(['low', 'out', 'recovered']),
  /** What is on hand now, and the reorder point that counts. */
  quantity: z.int(),
  lowAt: z.int(),
  at: z.string(),
  mine: z.boolean(),
  seen: z.boolean(),
});
export type WireAlert = z.output<typeof wireAlert>;

export const listAlerts = endpoint({
  method: 'GET',
  path: '/alerts',
  summary:
    "Low-stock alerts that still hold, newest first, about the reader's own items or all, as they chose (`X-Alerts-About`). `X-Unseen-Count` counts to 100 at most; `X-Alerts-Up-To` is what to send when all have been seen",
  who: 'user',
  query: z.object({
    limit: limitUpTo(100),
    cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Not a valid cursor'))),
  }),
  replyHeaders: {
    ...pageReplyHeaders,
    'x-alerts-about': 'Whose items they are about: `mine` or `all`',
    'x-unseen-count': 'How many the reader has not seen, 100 at most',
    'x-alerts-up-to': 'What to send when all have been seen',
  },
  replies: { 200: z.array(wireAlert) },
  problems: ['invalid_query'],
});

export const seeAlerts = endpoint({
  method: 'POST',
  path: '/alerts/seen',
  summary: 'The reader has seen every alert up to here',
  who: 'user',
  body: z.strictObject({
    upTo: z
      .string('This field is required')
      .check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'What `X-Alerts-Up-To` said, when the alerts were read')),
  }),
  replies: { 200: z.strictObject({ unseen: z.int() }) },
  problems: ['invalid_input'],
});
