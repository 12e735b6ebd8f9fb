import {
  checkWebhookUrl,
  failures,
  MAX_SHARED_WEBHOOKS,
  MAX_WEBHOOKS,
  offReasons,
  WEBHOOK_URL_MAX,
  webhookEvents,
} from '@perfume/domain/webhooks';
import * as z from 'zod/mini';
import { endpointsOf, pageReplyHeaders } from './endpoint.ts';
import { count, field, idParams, limitUpTo, textLike } from './fields.ts';
import { wireActor } from './identity.ts';

const endpoint = endpointsOf('Webhooks');

const url = field(checkWebhookUrl, {
  type: 'string',
  format: 'uri',
  maxLength: WEBHOOK_URL_MAX,
  description: 'An https address that is reachable from the internet, without a user name and a password',
});
const events = z.array(z.enum(webhookEvents)).check(z.minLength(1), z.maxLength(webhookEvents.length));

const webhookFields = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  active: z.boolean(),
  /** Why it is switched off: by somebody, because nothing arrived, because the receiver answered 410, … */
  offReason: z.nullable(z.enum(offReasons)),
  /** Who made it; null if the account was removed. */
  by: z.nullable(wireActor),
  createdAt: z.string(),
  /** When something last arrived. */
  deliveredAt: z.nullable(z.string()),
  /** Since when every attempt has failed; null if the last one succeeded. */
  failingSince: z.nullable(z.string()),
  /** How many events wait to be sent. */
  waiting: count,
  /** Until when the replaced secret signs too. */
  oldSecretUntil: z.nullable(z.string()),
};
export const wireWebhook = z.strictObject(webhookFields);
export type WireWebhook = z.output<typeof wireWebhook>;

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export const wireDelivery = z.strictObject({
  /** The same as the header `webhook-id` of every attempt. */
  id: z.string(),
  type: z.enum([...webhookEvents, 'webhook.test']),
  itemId: z.nullable(z.string()),
  state: z.enum(deliveryStates),
  attempts: count,
  /** The status of the last answer; null if there was none. */
  status: z.nullable(z.int()),
  /** Why the last attempt failed. */
  reason: z.nullable(z.enum(failures)),
  /** When the event happened. */
  at: z.string(),
  triedAt: z.nullable(z.string()),
  /** When it is tried next; null if it is not, or not before an earlier event of the same item. */
  nextAt: z.nullable(z.string()),
});
export type WireDelivery = z.output<typeof wireDelivery>;

const secret = z.string();
const deliveryParams = z.object({ id: z.string(), delivery: z.string() });

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhooks',
  summary: 'The webhooks of the house, oldest first; without their secrets',
  who: 'user',
  keyScope: 'full',
  replies: { 200: z.array(wireWebhook) },
  problems: [],
});

export const createWebhook = endpoint({
  method: 'POST',
  path: '/webhooks',
  summary: 'Send events to an address; the response is the only one that contains the secret',
  description: `At most ${MAX_WEBHOOKS} webhooks per house; with \`ACCESS=open\` per person, and ${MAX_SHARED_WEBHOOKS} of all. Requests follow the Standard Webhooks convention: a POST of \`{"type", "timestamp", "data"}\` with the headers \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`, which is \`v1,\` and the base64 of the HMAC-SHA256 of \`id.timestamp.body\` under the secret. \`data.item\` is the item as it is when the event is first sent; \`data.movement\`, \`data.entry\` or \`data.alert\` is what happened. Any 2xx answer within 10 seconds counts as received; redirects are not followed. Events of one item arrive in their order, each at least once: the same event has the same \`webhook-id\`. What fails is repeated for a day. A webhook for which nothing arrived for three days is switched off; what happens while it is off is not sent.`,
  who: 'user',
  body: z.strictObject({ url, events }),
  replies: { 201: z.strictObject({ ...webhookFields, secret }) },
  problems: ['invalid_input', 'too_many_webhooks', 'too_many'],
});

export const changeWebhook = endpoint({
  method: 'PUT',
  path: '/webhooks/:id',
  summary: 'Change the address or the events of a webhook, or switch it on or off',
  description:
    'Fields that are missing stay as they are. Switched off, it forgets what waits; switched on again, it gets what happens from then on.',
  who: 'user',
  params: idParams,
  body: z.strictObject({
    url: z.optional(url),
    events: z.optional(events),
    active: z.optional(z.boolean()),
  }),
  replies: { 200: wireWebhook },
  problems: ['invalid_input', 'webhook_not_found', 'too_many'],
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Delete a webhook with its deliveries, at once and for good',
  who: 'user',
  params: idParams,
  replies: { 200: z.strictObject({ id: z.string() }) },
  problems: ['webhook_not_found'],
});

export const rotateSecret = endpoint({
  method: 'POST',
  path: '/webhooks/:id/secret',
  summary: 'Replace the secret of a webhook; the response is the only one that contains the new one',
  description:
    'For 24 hours every request has two signatures, separated by a space: one under the new secret, one under the old.',
  who: 'user',
  params: idParams,
  replies: { 200: z.strictObject({ ...webhookFields, secret }) },
  problems: ['webhook_not_found', 'too_many'],
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Send an event of the type `webhook.test`',
  who: 'user',
  params: idParams,
  replies: { 201: wireDelivery },
  problems: ['webhook_not_found', 'webhook_off', 'too_many'],
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'What was sent to a webhook and what waits, newest first',
  description: 'Kept for 30 days, and at most the last 5,000 that arrived and the last 5,000 that failed.',
  who: 'user',
  keyScope: 'full',
  params: idParams,
  query: z.object({
    state: z.optional(z.enum(deliveryStates)),
    limit: limitUpTo(200),
    cursor: z.optional(textLike(/^[1-9][0-9]{0,14}$/, { code: 'not_a_cursor' })),
  }),
  replyHeaders: pageReplyHeaders,
  replies: { 200: z.array(wireDelivery) },
  problems: ['invalid_query', 'webhook_not_found'],
});

export const replayDelivery = endpoint({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery/replay',
  summary: 'Send an event again, under the same `webhook-id`',
  who: 'user',
  params: deliveryParams,
  replies: { 200: wireDelivery },
  problems: ['webhook_not_found', 'delivery_not_found', 'webhook_off', 'delivery_waiting', 'too_many'],
});
