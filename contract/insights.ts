import { parseDay, steps } from '@perfume/domain/insights';
import { isSafeLine } from '@perfume/domain/text';
import * as z from 'zod/mini';
import { endpointsOf, readReplyHeaders } from './endpoint.ts';
import { limitUpTo, wholeNumber } from './fields.ts';

const endpoint = endpointsOf('Insights');

/** Units in a period, and in the period of the same length before it. */
const comparison = z.strictObject({ units: z.int(), before: z.int() });

export const readFigures = endpoint({
  method: 'GET',
  path: '/insights/figures',
  summary:
    'Stock on hand now, and units delivered and restocked in the last 7 and 30 days (today included, in UTC, as in `/insights/series`). Undone movements do not count',
  who: 'user',
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      asOf: z.string(),
      items: z.int(),
      unitsOnHand: z.int(),
      /** Cents, rounded beyond 2^53. */
      valueCents: z.number(),
      out: z.int(),
      /** At or below the reorder point, including `out`. */
      low: z.int(),
      delivered: z.strictObject({ week: comparison, month: comparison }),
      restocked: z.strictObject({ week: comparison, month: comparison }),
    }),
  },
  problems: [],
});

const DAY_MESSAGE = 'A date such as 2026-01-31';
const day = z.pipe(
  z.string().check(z.maxLength(10, DAY_MESSAGE)),
  z.transform((text, context) => {
    const parsed = parseDay(text);
    if (parsed === null) context.issues.push({ code: 'custom', message: DAY_MESSAGE, input: text });
    return parsed ?? 0;
  }),
);
z.globalRegistry.add(day, { type: 'string', format: 'date', description: 'A day in UTC, included' });

const supplier = z
  .string()
  .check(z.maxLength(200, 'At most 200 characters'), z.refine(isSafeLine, 'Search for text without hidden characters'));

export const MAX_ROWS = 200;
const limit = limitUpTo(MAX_ROWS);
const period = { from: z.optional(day), to: z.optional(day) };
const periodReply = { from: z.string(), to: z.string() };

export const readSeries = endpoint({
  method: 'GET',
  path: '/insights/series',
  summary: 'Stock over time, by day, week or month: units and value at the end of each, and what moved',
  who: 'user',
  query: z.object({
    ...period,
    step: z.optional(z.enum(steps, `One of ${steps.join(', ')}`)),
    supplier: z.optional(supplier),
  }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...periodReply,
      step: z.enum(steps),
      points: z.array(
        z.strictObject({
          ...periodReply,
          unitsOnHand: z.int(),
          valueCents: z.number(),
          delivered: z.int(),
          restocked: z.int(),
          corrected: z.int(),
          /** Other changes in units: new, deleted and restored items, and undos. */
          other: z.int(),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});

const rankedItem = {
  _id: z.string(),
  name: z.string(),
  suplierName: z.string(),
  img: z.string(),
  onHand: z.int(),
};
export const sellerOrders = ['fastest', 'slowest'] as const;

export const readSellers = endpoint({
  method: 'GET',
  path: '/insights/sellers',
  summary: 'The fastest or slowest sellers, each with its pace and the days its stock lasts at that pace',
  who: 'user',
  query: z.object({
    ...period,
    supplier: z.optional(supplier),
    order: z.optional(z.enum(sellerOrders, `One of ${sellerOrders.join(', ')}`)),
    limit,
  }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...periodReply,
      items: z.array(
        z.strictObject({
          ...rankedItem,
          /** What the pace is computed from: units delivered in this many days. */
          delivered: z.int(),
          days: z.number(),
          perDay: z.number(),
          /** onHand × days ÷ delivered; null when nothing was delivered. */
          daysLeft: z.nullable(z.int()),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});

const supplierSums = { items: z.int(), unitsOnHand: z.int(), valueCents: z.number(), delivered: z.int() };

export const readSuppliers = endpoint({
  method: 'GET',
  path: '/insights/suppliers',
  summary: 'Suppliers by the value of their stock, with the units delivered of each',
  who: 'user',
  query: z.object({ ...period, limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...periodReply,
      total: z.strictObject({ suppliers: z.int(), ...supplierSums }),
      suppliers: z.array(z.strictObject({ suplierName: z.string(), ...supplierSums })),
    }),
  },
  problems: ['invalid_query'],
});

export const MAX_DAYS = 3_660;

export const readDeadStock = endpoint({
  method: 'GET',
  path: '/insights/dead-stock',
  summary: 'Items in stock without deliveries for a number of days, the most valuable first',
  who: 'user',
  query: z.object({ days: z.optional(wholeNumber(1, MAX_DAYS)), supplier: z.optional(supplier), limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      days: z.int(),
      total: z.strictObject({ items: z.int(), unitsOnHand: z.int(), valueCents: z.number() }),
      items: z.array(
        z.strictObject({
          ...rankedItem,
          valueCents: z.number(),
          lastDelivered: z.nullable(z.string()),
          idleDays: z.int(),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});
