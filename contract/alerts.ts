import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { count, limitUpTo, textLike } from './fields.ts';

const endpoint = endpointsOf('Alerts');

const POSITION = /^[0-9]{1,15}-[0-9]{1,15}$/;

/** An alert: an item fell to its reorder point, sold out, or rose above its reorder point again. */
export const wireAlert = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  itemName: z.string(),
  kind: z.enum(['low', 'out', 'recovered']),
  /** The current quantity, and the reorder point in effect. */
  quantity: count,
  lowAt: count,
  at: z.string(),
  mine: z.boolean(),
  seen: z.boolean(),
});
export type WireAlert = z.output<typeof wireAlert>;

export const listAlerts = endpoint({
  method: 'GET',
  path: '/alerts',
  summary: 'Low-stock alerts that still apply, newest first',
  who: 'user',
  query: z.object({
    limit: limitUpTo(100),
    cursor: z.optional(textLike(POSITION, { code: 'not_a_cursor' })),
  }),
  replyHeaders: {
    ...pageReplyHeaders,
    'x-alerts-about': 'Whose items the alerts are about, as the user chose in the settings: `mine` or `all`',
    'x-unseen-count': 'How many alerts the user has not seen; 100 means 100 or more',
    'x-alerts-up-to': 'Send this value to `/alerts/seen` to mark all alerts as seen',
  },
  replies: { 200: z.array(wireAlert) },
  problems: ['invalid_query'],
});

export const seeAlerts = endpoint({
  method: 'POST',
  path: '/alerts/seen',
  summary: 'Mark all alerts up to a position as seen',
  who: 'user',
  body: z.strictObject({ upTo: textLike(POSITION, { code: 'not_a_position' }) }),
  replies: { 200: z.strictObject({ unseen: count }) },
  problems: ['invalid_input'],
});
