import * as z from 'zod/mini';
import { endpointsOf, totalReplyHeaders } from './endpoint.ts';
import { cents, count } from './fields.ts';
import { instant } from './history.ts';
import { listQuery, wireItem } from './items.ts';

const endpoint = endpointsOf('Time machine');
const atQuery = { at: instant };

export const listAsOf = endpoint({
  method: 'GET',
  path: '/as-of',
  summary: 'All items as they were at a point in time',
  description: 'Searching, and sorting by name or price, use the current values instead of those at that time.',
  who: 'user',
  query: z.extend(z.omit(listQuery, { cursor: true }), atQuery),
  replyHeaders: totalReplyHeaders,
  replies: { 200: z.array(wireItem) },
  problems: ['invalid_query'],
});

export const figuresAsOf = endpoint({
  method: 'GET',
  path: '/as-of/figures',
  summary: 'Totals at a point in time: items, units, value, and how many items were sold out or low',
  who: 'user',
  query: z.object(atQuery),
  replies: {
    200: z.strictObject({
      at: z.string(),
      items: count,
      units: count,
      valueCents: cents,
      out: count,
      /** Items at or below their reorder point, including those that were out of stock. */
      low: count,
    }),
  },
  problems: ['invalid_query'],
});

export const spanOfLedger = endpoint({
  method: 'GET',
  path: '/as-of/span',
  summary: 'The times the time machine can show: from the first movement until now',
  who: 'user',
  replies: { 200: z.strictObject({ from: z.nullable(z.string()), to: z.string() }) },
  problems: [],
});
