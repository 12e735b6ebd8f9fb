import { parseDay } from '@perfume/domain/insights';
import * as z from 'zod/mini';
import { endpointsOf, keyScopes } from './endpoint.ts';
import { idParams, parsedText } from './fields.ts';
import { nameField } from './identity.ts';

const endpoint = endpointsOf('API keys');

/** How many keys a person can have, expired ones included. `too_many_keys` says the same number. */
export const MAX_KEYS = 20;
/** How far ahead a key can expire. */
export const MAX_KEY_YEARS = 5;

const scope = z.enum(keyScopes);
const lastDay = parsedText(
  parseDay,
  { code: 'not_a_date' },
  { type: 'string', format: 'date', maxLength: 10, description: 'The last day, in UTC, on which the key works' },
);

export const wireKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope,
  /** The last day on which the key works, in UTC; null if it never expires. */
  expiresOn: z.nullable(z.string()),
  isExpired: z.boolean(),
  createdAt: z.string(),
  /** Up to a minute old where several servers run; null if the key was never used. */
  lastUsedAt: z.nullable(z.string()),
});
export type WireKey = z.output<typeof wireKey>;

export const createKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  summary: 'Make an API key; the response is the only one that contains it',
  description: `The key does what its owner may do, within its scope. At most ${MAX_KEYS} keys per person. Without \`expiresOn\` the key never expires; at most ${MAX_KEY_YEARS} years ahead. The owner gets an email.`,
  who: 'user',
  proof: true,
  body: z.strictObject({ name: nameField, scope, expiresOn: z.optional(lastDay) }),
  replies: { 201: z.strictObject({ id: z.string(), key: z.string() }) },
  problems: ['invalid_input', 'too_many_keys', 'too_many'],
});

export const listKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  summary: 'Your own API keys, newest first; without the keys themselves',
  who: 'user',
  replies: { 200: z.array(wireKey) },
  problems: [],
});

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/:id',
  summary: 'Revoke an API key of your own, at once and for good',
  who: 'user',
  params: idParams,
  replies: { 200: z.strictObject({ id: z.string() }) },
  problems: ['key_not_found'],
});
