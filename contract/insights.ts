import { parseDay, steps } from '@perfume/domain/insights';
import { isSafeLine } from '@perfume/domain/text';
import * as z from 'zod/mini';
import { endpointsOf, readReplyHeaders } from './endpoint.ts';
import { limitUpTo, wholeNumber } from './fields.ts';

const endpoint = endpointsOf('Insights');

/** Units in a period, and in the one of the same length just before it. */
const against = z.strictObject({ units: z.int(), before: z.int() });

export const readFigures = endpoint({
  method: 'GET',
  path: '/insights/figures',
  summary:
    'The warehouse in figures: what is on hand now, and what moved in the last 7 and 30 days: today and the days before it, in UTC, as `/insights/series` shows them. What was undone does not count',
  who: 'user',
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      asOf: z.string(),
      items: z.int(),
      unitsOnHand: z.int(),
      /** Cents; beyond 2^53 rounded. */
      valueCents: z.number(),
      out: z.int(),
      /** At or below the reorder point, `out` included. */
      low: z.int(),
      delivered: z.strictObject({ week: against, month: against }),
      restocked: z.strictObject({ week: against, month: against }),
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

export const MOST_LINES = 200;
const limit = limitUpTo(MOST_LINES);
const period = { from: z.optional(day), to: z.optional(day) };
const shown = { from: z.string(), to: z.string() };

export const readSeries = endpoint({
  method: 'GET',
  path: '/insights/series',
  summary: 'The shelf over time, by day, week or month: units and worth at the end of each, and what moved',
  who: 'user',
  query: z.object({
    ...period,
    step: z.optional(z.enum(steps, `One of ${steps.join(', ')}`)),
    supplier: z.optional(supplier),
  }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...shown,
      step: z.enum(steps),
      points: z.array(
        z.strictObject({
          ...shown,
          unitsOnHand: z.int(),
          valueCents: z.number(),
          delivered: z.int(),
          restocked: z.int(),
          corrected: z.int(),
          /** Units that came or went in another way: with new, deleted and restored items, and with what was undone. */
          other: z.int(),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});

const line = {
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
      ...shown,
      items: z.array(
        z.strictObject({
          ...line,
          /** The parts of the sum: what was delivered, in how many days. */
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
  summary: 'Suppliers by the worth of their stock, and what was delivered of each',
  who: 'user',
  query: z.object({ ...period, limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...shown,
      total: z.strictObject({ suppliers: z.int(), ...supplierSums }),
      suppliers: z.array(z.strictObject({ suplierName: z.string(), ...supplierSums })),
    }),
  },
  problems: ['invalid_query'],
});

export const MOST_DAYS = 3_660;

export const readDeadStock = endpoint({
  method: 'GET',
  path: '/insights/dead-stock',
  summary: 'Items on the shelf of which nothing was delivered for some days, the most money first',
  who: 'user',
  query: z.object({ days: z.optional(wholeNumber(1, MOST_DAYS)), supplier: z.optional(supplier), limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      days: z.int(),
      total: z.strictObject({ items: z.int(), unitsOnHand: z.int(), valueCents: z.number() }),
      items: z.array(
        z.strictObject({
          ...line,
          valueCents: z.number(),
          lastDelivered: z.nullable(z.string()),
          idleDays: z.int(),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});
