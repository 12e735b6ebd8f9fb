import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { viewPages } from '@perfume/domain/views';
import * as z from 'zod/mini';
import { endpointsOf, keyScopes } from './endpoint.ts';
import { integer } from './fields.ts';
import { wireEntry } from './history.ts';

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

const alertChoices = z.strictObject({ mail, about, lastDailyEmailAt: z.nullable(z.string()) });

/** Everything that is stored about a user, without secrets. */
const accountData = z.strictObject({
  exportedAt: z.string(),
  account: z.strictObject({
    id: z.string(),
    mark: z.string(),
    email: z.string(),
    name: z.string(),
    image: z.nullable(z.string()),
    emailVerified: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
  /** `accountAtProvider` is the id of the user at the provider; null for a password. */
  logins: z.array(
    z.strictObject({ provider: z.string(), accountAtProvider: z.nullable(z.string()), since: z.string() }),
  ),
  sessions: z.array(z.strictObject({ browser: z.nullable(z.string()), createdAt: z.string(), expiresAt: z.string() })),
  passkeys: z.array(z.strictObject({ name: z.string(), createdAt: z.string(), lastUsedAt: z.nullable(z.string()) })),
  /** Since when a one-time code is needed to log in; null if none is. */
  twoStepSince: z.nullable(z.string()),
  apiKeys: z.array(
    z.strictObject({
      name: z.string(),
      scope: z.enum(keyScopes),
      createdAt: z.string(),
      lastUsedAt: z.nullable(z.string()),
      expiresAt: z.nullable(z.string()),
    }),
  ),
  views: z.array(
    z.strictObject({
      name: z.string(),
      page: z.enum(viewPages),
      query: z.string(),
      shared: z.boolean(),
      pinned: z.boolean(),
      createdAt: z.string(),
      /** Kept for a day, for undo. */
      deletedAt: z.nullable(z.string()),
    }),
  ),
  /** The webhooks that the user made, without their secrets. */
  webhooks: z.array(
    z.strictObject({ url: z.string(), events: z.array(z.string()), active: z.boolean(), createdAt: z.string() }),
  ),
  /** The views about which the user gets an email when they are no longer empty. */
  viewEmails: z.array(z.strictObject({ view: z.string(), lastSentAt: z.nullable(z.string()) })),
  /** Null if the user has not chosen any. */
  alerts: z.nullable(alertChoices),
  renames: z.array(z.strictObject({ from: z.string(), to: z.string(), at: z.string() })),
  /** The items with the user's email address. */
  items: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** What the user did, newest first. */
  history: z.array(wireEntry),
  /** What the user counted in count sessions. */
  counts: z.array(
    z.strictObject({
      count: z.string(),
      itemId: z.string(),
      kind: z.enum(['add', 'set', 'undo']),
      units: z.int(),
      at: z.string(),
    }),
  ),
});
export type AccountData = z.output<typeof accountData>;

export const readAccountData = endpointsOf('Accounts and sessions')({
  method: 'GET',
  path: '/account/data',
  summary: 'Everything that is stored about the logged-in user, as a file',
  who: 'signed-in',
  replyHeaders: { 'content-disposition': 'The name of the file' },
  replies: { 200: accountData },
  problems: ['too_many'],
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
  description:
    'A new reorder point applies to all items without a reorder point of their own. It is an entry in the history, which can be undone.',
  who: 'user',
  headers: { 'idempotency-key': 'A UUID that the client creates for this request; it becomes the id of the entry' },
  body: settingsBody,
  replies: {
    /** `entryId`: the history entry of a new reorder point, for undo; null if the point stayed as it was. */
    200: z.extend(wireSettings, { entryId: z.nullable(z.string()) }),
  },
  problems: ['invalid_header', 'invalid_input', 'key_reused'],
});
