import { fieldMessages } from '@perfume/domain/items';
import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { limitUpTo } from './fields.ts';

const endpoint = endpointsOf('Alerts');

export const mailChoices = ['off', 'at_once', 'daily'] as const;
export const aboutChoices = ['mine', 'all'] as const;
/** How one person hears of low stock, and of whose. */
export type AlertChoices = { mail: (typeof mailChoices)[number]; about: (typeof aboutChoices)[number] };

const mail = z.enum(mailChoices, `One of ${mailChoices.join(', ')}`);
const about = z.enum(aboutChoices, `One of ${aboutChoices.join(', ')}`);
const units = z
  .int(fieldMessages.quantity)
  .check(z.minimum(0, fieldMessages.quantity), z.maximum(1_000_000_000, fieldMessages.quantity));

/** The warehouse's reorder point, which all share, and the reader's own choices. */
export const wireSettings = z.strictObject({ reorderPoint: units, alerts: z.strictObject({ mail, about }) });
export type WireSettings = z.output<typeof wireSettings>;

export const settingsBody = z.strictObject({
  reorderPoint: z.optional(units),
  alerts: z.optional(z.strictObject({ mail: z.optional(mail), about: z.optional(about) })),
});

export const getSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: "The warehouse's reorder point, and how the reader hears of low stock",
  who: 'user',
  replies: { 200: wireSettings },
  problems: [],
});

export const putSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary:
    'Change any part of the settings; what is left out stays. All items without a reorder point of their own follow',
  who: 'user',
  body: settingsBody,
  replies: { 200: wireSettings },
  problems: ['invalid_input'],
});

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
    cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/, 'Not a cursor of ours'))),
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
