import { parseDay, steps } from '@perfume/domain/insights';
import { isSafeLine } from '@perfume/domain/safe-text';
import * as z from 'zod/mini';
import { endpointsOf, readReplyHeaders } from './endpoint.ts';
import { cents, count, limitUpTo, parsedText, searchText, wholeNumber } from './fields.ts';
import { exportedTable, exportFormat } from './transfer.ts';

const endpoint = endpointsOf('Insights');

/** Units in a period, and in the period of the same length before it. */
const comparison = z.strictObject({ units: count, before: count });

export const readFigures = endpoint({
  method: 'GET',
  path: '/insights/figures',
  summary: 'Stock on hand now, and units delivered and restocked in the last 7 and 30 days',
  description: 'Days are UTC days and include today, as in `/insights/series`. Undone movements do not count.',
  who: 'user',
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      asOf: z.string(),
      items: count,
      unitsOnHand: count,
      valueCents: cents,
      out: count,
      /** Items at or below their reorder point, including those that are out of stock. */
      low: count,
      delivered: z.strictObject({ week: comparison, month: comparison }),
      restocked: z.strictObject({ week: comparison, month: comparison }),
    }),
  },
  problems: [],
});

const day = parsedText(
  parseDay,
  { code: 'not_a_date' },
  { type: 'string', format: 'date', maxLength: 10, description: 'A day in UTC, inclusive' },
);
const supplier = searchText(isSafeLine);

export const MAX_ROWS = 200;
const limit = limitUpTo(MAX_ROWS);
const period = { from: z.optional(day), to: z.optional(day) };
const periodReply = { from: z.string(), to: z.string() };

export const readSeries = endpoint({
  method: 'GET',
  path: '/insights/series',
  summary: 'Stock by day, week or month: units and value at the end of each period, and how many units moved',
  who: 'user',
  query: z.object({
    ...period,
    step: z.optional(z.enum(steps)),
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
          unitsOnHand: count,
          valueCents: cents,
          delivered: count,
          restocked: count,
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
  onHand: count,
};
export const sellerOrders = ['fastest', 'slowest'] as const;

export const readSellers = endpoint({
  method: 'GET',
  path: '/insights/sellers',
  summary: 'The fastest or slowest sellers, with units per day and how many days the stock will last',
  who: 'user',
  query: z.object({
    ...period,
    supplier: z.optional(supplier),
    order: z.optional(z.enum(sellerOrders)),
    limit,
  }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...periodReply,
      items: z.array(
        z.strictObject({
          ...rankedItem,
          /** `perDay` is `delivered` ÷ `days`. */
          delivered: count,
          days: z.number().check(z.minimum(0)),
          perDay: z.number().check(z.minimum(0)),
          /** How long the stock will last: onHand × days ÷ delivered; null when nothing was delivered. */
          daysLeft: z.nullable(count),
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});

const supplierSums = { items: count, unitsOnHand: count, valueCents: cents, delivered: count };

export const readSuppliers = endpoint({
  method: 'GET',
  path: '/insights/suppliers',
  summary: 'Suppliers by the value of their stock, the highest first, with units delivered',
  who: 'user',
  query: z.object({ ...period, limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      ...periodReply,
      total: z.strictObject({ suppliers: count, ...supplierSums }),
      suppliers: z.array(z.strictObject({ suplierName: z.string(), ...supplierSums })),
    }),
  },
  problems: ['invalid_query'],
});

export const MAX_DAYS = 3_660;

export const readDeadStock = endpoint({
  method: 'GET',
  path: '/insights/dead-stock',
  summary: 'Items in stock without a delivery for a given number of days, the most valuable first',
  who: 'user',
  query: z.object({ days: z.optional(wholeNumber(1, MAX_DAYS)), supplier: z.optional(supplier), limit }),
  replyHeaders: readReplyHeaders,
  replies: {
    200: z.strictObject({
      days: count,
      total: z.strictObject({ items: count, unitsOnHand: count, valueCents: cents }),
      items: z.array(
        z.strictObject({
          ...rankedItem,
          valueCents: cents,
          lastDelivered: z.nullable(z.string()),
          idleDays: count,
        }),
      ),
    }),
  },
  problems: ['invalid_query'],
});

const file = { ...exportedTable, problems: ['invalid_query'] } as const;
/** A file has all rows. */
const exported = { format: exportFormat };

export const exportSeries = endpoint({
  ...file,
  path: '/exports/series',
  summary: 'Stock by day, week or month, as a file',
  query: z.extend(readSeries.query, exported),
});

export const exportSellers = endpoint({
  ...file,
  path: '/exports/sellers',
  summary: 'The fastest or slowest sellers, as a file',
  query: z.extend(z.omit(readSellers.query, { limit: true }), exported),
});

export const exportSuppliers = endpoint({
  ...file,
  path: '/exports/suppliers',
  summary: 'Suppliers by the value of their stock, as a file',
  query: z.extend(z.omit(readSuppliers.query, { limit: true }), exported),
});

export const exportDeadStock = endpoint({
  ...file,
  path: '/exports/dead-stock',
  summary: 'Items in stock without a delivery for a given number of days, as a file',
  query: z.extend(z.omit(readDeadStock.query, { limit: true }), exported),
});
