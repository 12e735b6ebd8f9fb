import { toWireActor } from '@perfume/contract/identity';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateSecret,
  testWebhook,
  type WireDelivery,
  type WireWebhook,
} from '@perfume/contract/webhooks';
import type { WebhookEvent } from '@perfume/domain/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import * as deliveries from './deliveries.store.ts';
import { receivers } from './receivers.ts';
import type { Dispatcher } from './webhook-dispatcher.ts';
import * as store from './webhooks.store.ts';

const DEFAULT_LIMIT = 50;

export function webhookRoutes(app: FastifyInstance, deps: Deps & { config: Config; dispatcher: Dispatcher }): void {
  const { db, config, dispatcher } = deps;
  const { secrets } = dispatcher;
  const allowed = receivers(config);

  /** Where everybody shares one house, each person has webhooks of their own. */
  const scopeOf = ({ house, user }: { house: number; user: { id: string } }): store.Scope => ({
    house,
    ownerId: config.access === 'open' ? user.id : null,
  });
  const webhookId = (params: { id: string }) => idOf(params, 'webhook_not_found');

  async function requireWebhook(call: Parameters<typeof scopeOf>[0] & { params: { id: string } }): Promise<string> {
    const id = webhookId(call.params);
    return found(await store.findWebhook(db.query, scopeOf(call), id)).id;
  }

  function requireReachable(url: string | undefined): void {
    const code = url === undefined ? null : allowed.fault(new URL(url));
    if (code) throw new Problem('invalid_input', { fields: { url: { code } } });
  }

  serve(app, deps, listWebhooks, async (call) => {
    const webhooks = await store.listWebhooks(db.query, scopeOf(call));
    return sendJson(call.reply, 200, webhooks.map(toWireWebhook));
  });

  serve(app, deps, createWebhook, async (call) => {
    const { body, user, now, reply } = call;
    requireReachable(body.url);
    const id = newId(now);
    const { secret, sealed } = secrets.create(id);
    const made = { id, url: body.url, events: distinct(body.events), secret: sealed, actor: user, at: now };
    const webhook = await store.createWebhook(db, scopeOf(call), made);
    if (!webhook) throw new Problem('too_many_webhooks');
    dispatcher.wake();
    return sendJson(reply, 201, { ...toWireWebhook(webhook), secret });
  });

  serve(app, deps, changeWebhook, async (call) => {
    const { body, params, user, now, reply } = call;
    requireReachable(body.url);
    const change = { ...body, events: body.events && distinct(body.events) };
    const changed = await store.changeWebhook(db, scopeOf(call), webhookId(params), { change, actor: user, at: now });
    if (changed === 'busy') throw new Problem('unavailable');
    dispatcher.wake();
    return sendJson(reply, 200, toWireWebhook(found(changed)));
  });

  serve(app, deps, deleteWebhook, async (call) => {
    const { params, user, now, reply } = call;
    const id = webhookId(params);
    if (!(await store.deleteWebhook(db, scopeOf(call), id, { actor: user, at: now })))
      throw new Problem('webhook_not_found');
    return sendJson(reply, 200, { id });
  });

  serve(app, deps, rotateSecret, async (call) => {
    const { params, now, reply } = call;
    const id = webhookId(params);
    const { secret, sealed } = secrets.create(id);
    const webhook = found(await store.replaceSecret(db, scopeOf(call), id, { secret: sealed, at: now }));
    return sendJson(reply, 200, { ...toWireWebhook(webhook), secret });
  });

  serve(app, deps, testWebhook, async (call) => {
    const { now, reply } = call;
    const delivery = await deliveries.addTest(db, await requireWebhook(call), newId(now), now);
    if (!delivery) throw new Problem('webhook_off');
    dispatcher.wake();
    return sendJson(reply, 201, toWireDelivery(delivery));
  });

  serve(app, deps, listDeliveries, async (call) => {
    const { query, request, reply } = call;
    const id = await requireWebhook(call);
    const { state = null, cursor, limit = DEFAULT_LIMIT } = query;
    const before = cursor === undefined ? null : Number(cursor);
    const page = await deliveries.listDeliveries(db.query, id, { state, before, limit });
    if (page.next !== null) {
      const given = request.query as Record<string, string>;
      const next = new URLSearchParams({ ...given, cursor: String(page.next) });
      reply.header('link', `</webhooks/${id}/deliveries?${next}>; rel="next"`);
    }
    request.rowsRead = page.deliveries.length;
    return sendJson(reply, 200, page.deliveries.map(toWireDelivery));
  });

  serve(app, deps, replayDelivery, async (call) => {
    const { params, now, reply } = call;
    const id = await requireWebhook(call);
    const delivery = idOf({ id: params.delivery }, 'delivery_not_found');
    const again = await deliveries.replayDelivery(db, id, delivery, now);
    if (typeof again === 'string') throw new Problem(again);
    dispatcher.wake();
    return sendJson(reply, 200, toWireDelivery(again));
  });
}

function found(webhook: store.Webhook | null): store.Webhook {
  if (!webhook) throw new Problem('webhook_not_found');
  return webhook;
}

function distinct(events: WebhookEvent[]): WebhookEvent[] {
  return [...new Set(events)];
}

function toWireWebhook(webhook: store.Webhook): WireWebhook {
  const { id, url, state, made_by, maker } = webhook;
  return {
    id,
    url,
    events: JSON.parse(webhook.events) as WebhookEvent[],
    active: state === 'on',
    offReason: webhook.off_reason,
    by: made_by === null ? null : toWireActor(made_by, maker),
    createdAt: timeOf(webhook.created_at),
    deliveredAt: timeOrNull(webhook.delivered_at),
    failingSince: timeOrNull(webhook.failing_since),
    waiting: webhook.waiting,
    oldSecretUntil: timeOrNull(webhook.old_secret_until),
  };
}

function toWireDelivery({
  id,
  type,
  item_id,
  state,
  attempts,
  status,
  reason,
  ...times
}: deliveries.Delivery): WireDelivery {
  return {
    id,
    type,
    itemId: item_id,
    state,
    attempts,
    status,
    reason,
    at: timeOf(times.at),
    triedAt: timeOrNull(times.tried_at),
    nextAt: timeOrNull(times.due_at),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : timeOf(at);
}
