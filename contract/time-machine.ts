import * as z from 'zod/mini';
import { endpointsOf, totalReplyHeaders } from './endpoint.ts';
import { instant } from './history.ts';
import { listQuery, wireItem } from './items.ts';

const endpoint = endpointsOf('Time machine');
const atQuery = { at: instant };

export const listAsOf = endpoint({
  method: 'GET',
  path: '/as-of',
  summary: 'All items as they were at an instant; search and order use their current texts',
  who: 'user',
  query: z.extend(z.omit(listQuery, { cursor: true }), atQuery),
  replyHeaders: totalReplyHeaders,
  replies: { 200: z.array(wireItem) },
  problems: ['invalid_query'],
});

export const figuresAsOf = endpoint({
  method: 'GET',
  path: '/as-of/figures',
  summary: 'Totals at an instant: items, units, value, and how many items were out of stock or low',
  who: 'user',
  query: z.object(atQuery),
  replies: {
    200: z.strictObject({
      at: z.string(),
      items: z.int(),
      units: z.int(),
      value: z.number(),
      out: z.int(),
      /** At or below the reorder point, including `out`. */
      low: z.int(),
    }),
  },
  problems: ['invalid_query'],
});

export const spanOfLedger = endpoint({
  method: 'GET',
  path: '/as-of/span',
  summary: 'The time of the first movement, and now',
  who: 'user',
  replies: { 200: z.strictObject({ from: z.nullable(z.string()), to: z.string() }) },
  problems: [],
});
