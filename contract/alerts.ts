import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { limitUpTo } from './fields.ts';

const endpoint = endpointsOf('Alerts');

/** An item at or below its reorder point, sold out, or above the point again. */
export const wireAlert = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  itemName: z.string(),
  kind: z.enum(['low', 'out', 'recovered']),
  /** The current quantity, and the reorder point in effect. */
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
    "Low-stock alerts that are still true, newest first, for the reader's own items or all (`X-Alerts-About`). `X-Unseen-Count` counts to 100 at most; send `X-Alerts-Up-To` back to mark all as seen",
  who: 'user',
  query: z.object({
    limit: limitUpTo(100),
    cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Not a valid cursor'))),
  }),
  replyHeaders: {
    ...pageReplyHeaders,
    'x-alerts-about': 'Whose items they are about: `mine` or `all`',
    'x-unseen-count': 'How many the reader has not seen, 100 at most',
    'x-alerts-up-to': 'Send this to `/alerts/seen` to mark all as seen',
  },
  replies: { 200: z.array(wireAlert) },
  problems: ['invalid_query'],
});

export const seeAlerts = endpoint({
  method: 'POST',
  path: '/alerts/seen',
  summary: 'Mark every alert up to a position as seen',
  who: 'user',
  body: z.strictObject({
    upTo: z
      .string('This field is required')
      .check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Send the value of `X-Alerts-Up-To`')),
  }),
  replies: { 200: z.strictObject({ unseen: z.int() }) },
  problems: ['invalid_input'],
});
