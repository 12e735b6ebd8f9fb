import { MAX_QUANTITY } from '@perfume/domain/quantity';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { integer } from './fields.ts';

const endpoint = endpointsOf('Settings');

export const mailChoices = ['off', 'at_once', 'daily'] as const;
export const aboutChoices = ['mine', 'all'] as const;
/** How a user is told about low stock, and whether about their own items or all items. */
export type AlertChoices = { mail: (typeof mailChoices)[number]; about: (typeof aboutChoices)[number] };

const mail = z.enum(mailChoices);
const about = z.enum(aboutChoices);
const units = integer(0, MAX_QUANTITY);

/** The reorder point of the warehouse, shared by everyone, and the user's own alert settings. */
export const wireSettings = z.strictObject({ reorderPoint: units, alerts: z.strictObject({ mail, about }) });
export type WireSettings = z.output<typeof wireSettings>;

export const settingsBody = z.strictObject({
  reorderPoint: z.optional(units),
  alerts: z.optional(z.strictObject({ mail: z.optional(mail), about: z.optional(about) })),
});

export const getSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: "The warehouse's reorder point, and how the user is told about low stock",
  who: 'user',
  replies: { 200: wireSettings },
  problems: [],
});

export const putSettings = endpoint({
  method: 'PUT',
  path: '/settings',
  summary: 'Change some of the settings; omitted settings stay as they are',
  description: 'A new reorder point applies to all items without a reorder point of their own.',
  who: 'user',
  body: settingsBody,
  replies: { 200: wireSettings },
  problems: ['invalid_input'],
});
