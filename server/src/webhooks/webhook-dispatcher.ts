import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import type { Identity } from '../identity/identity.ts';
import { emails } from '../mail/emails.ts';
import type { Mailer } from '../mail/mailer.ts';
import {
  claimDue,
  type Delivery,
  endAttempt,
  type Outcome,
  pruneDeliveries,
  tidyStep,
  webhooksDue,
} from './deliveries.store.ts';
import { eventBody } from './event-body.ts';
import { newProgress, planStep, stopFollowing } from './plan-deliveries.ts';
import { receivers } from './receivers.ts';
import { type Secrets, webhookSecrets } from './secrets.ts';
import { sendRequest } from './send-request.ts';
import { findOn, isAnyOn, readersOf, type Webhook, webhooksOn } from './webhooks.store.ts';

/**
 * What is sent at the same time: by this server, to one receiver, to all receivers whose last answer was slow or no
 * success, and to one of these. So those never take the places of the others.
 */
const MAX_SENDING = { all: 48, receiver: 4, troubled: 16, troubledReceiver: 1 };
const SLOW_MS = 3_000;
/** Finds what is due again, what another server planned or left, and whether a webhook was made elsewhere. */
const CHECK_EVERY_MS = 1_000;
/** Changes that are committed within this time are planned together. */
const DEBOUNCE_MS = 20;
const MAX_PAUSE_MS = 200;
/** Old deliveries are removed, and alerts are looked for in every house, at the first of so many checks. */
const CHECKS_PER_PRUNING = 600;
/** How long a server that stops waits for answers, so that fewer events are sent twice. */
const STOP_WAIT_MS = 1_000;

export type DispatcherDeps = {
  config: Config;
  db: Db;
  clock: () => number;
  attempts: Identity['attempts'];
  mailer: Mailer;
  address: () => string;
};
export type Dispatcher = { secrets: Secrets; wake(): void };

/**
 * Follows what is committed and sends it to webhooks, from the moment the server listens until it closes. Several servers
 * may share one database: it decides which one sends a delivery. The requests that change something do nothing for this.
 */
export function webhookDispatcher(app: FastifyInstance, deps: DispatcherDeps): Dispatcher {
  const { config, db, clock, attempts, mailer, address } = deps;
  const secrets = webhookSecrets(config);
  const allowed = receivers(config);
  const progress = newProgress();
  /** Webhooks that may have something due. */
  const ready = new Set<string>();
  /** How many requests are under way to each webhook, and whether its last answer was slow or no success. */
  const sending = new Map<string, number>();
  const troubled = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let isFollowing = false;
  /** Until the server listens, and when it stops. */
  let isStopped = true;
  let running: Promise<void> | null = null;
  let again = false;
  let debounce: NodeJS.Timeout | undefined;
  let stop = async () => {};

  function wake(): void {
    if (isStopped) return;
    isFollowing = true;
    debounce ??= setTimeout(() => {
      debounce = undefined;
      run();
    }, DEBOUNCE_MS).unref();
  }

  function run(): void {
    again = true;
    running ??= runAll().finally(() => {
      running = null;
    });
  }

  async function runAll(): Promise<void> {
    while (again && !isStopped) {
      again = false;
      try {
        await plan();
        await send();
      } catch (error) {
        // The next check tries again.
        app.log.warn({ err: error }, 'webhooks could not be served');
      }
    }
  }

  async function plan(): Promise<void> {
    while (isFollowing && !isStopped) {
      const startedAt = performance.now();
      const planned = await planStep(db, progress, clock());
      isFollowing = planned !== null;
      for (const id of planned?.webhooks ?? []) ready.add(id);
      for (const webhook of planned?.stopped ?? []) await tellSwitchedOff(webhook);
      if (!planned?.hasMore) return;
      await send();
      // Planning takes at most half of the time, however much there is to plan.
      await pause(Math.min(performance.now() - startedAt, MAX_PAUSE_MS));
    }
  }

  /** Starts what is due, as far as there is room. Nobody waits for the answers. */
  async function send(): Promise<void> {
    for (const id of [...ready]) {
      const room = roomFor(id);
      if (room <= 0 || isStopped) continue;
      const due = await claimDue(db, id, clock(), room);
      // Those that end call this again. One with more to send goes to the end of the line.
      ready.delete(id);
      if (due.length === room) ready.add(id);
      for (const delivery of due) start(delivery);
    }
  }

  function roomFor(id: string): number {
    const all = [...sending.values()].reduce((sum, count) => sum + count, 0);
    const own = sending.get(id) ?? 0;
    if (!troubled.has(id)) return Math.min(MAX_SENDING.all - all, MAX_SENDING.receiver - own);
    const allTroubled = [...troubled].reduce((sum, one) => sum + (sending.get(one) ?? 0), 0);
    return Math.min(MAX_SENDING.all - all, MAX_SENDING.troubled - allTroubled, MAX_SENDING.troubledReceiver - own);
  }

  function start(delivery: Delivery): void {
    const { webhook_id: id } = delivery;
    sending.set(id, (sending.get(id) ?? 0) + 1);
    const attempt = deliver(delivery)
      .catch((error) => app.log.warn({ err: error, webhookId: id }, 'a webhook could not be called'))
      .finally(() => {
        const left = (sending.get(id) ?? 1) - 1;
        if (left > 0) sending.set(id, left);
        else sending.delete(id);
        underWay.delete(attempt);
        ready.add(id);
        run();
      });
    underWay.add(attempt);
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const webhook = await findOn(db.query, delivery.webhook_id);
    if (!webhook) return void troubled.delete(delivery.webhook_id);
    const body = delivery.body ?? (await eventBody(db.query, delivery));
    const startedAt = performance.now();
    const outcome = await attempt(webhook, delivery, body);
    if (outcome.ok && performance.now() - startedAt < SLOW_MS) troubled.delete(webhook.id);
    else troubled.add(webhook.id);
    const isOff = await endAttempt(db, delivery, { outcome, body, now: clock(), random: Math.random() });
    if (isOff) await tellSwitchedOff(webhook);
  }

  async function attempt(webhook: Webhook, { id }: Delivery, body: string): Promise<Outcome> {
    const at = clock();
    const keys = secrets.of(webhook, at);
    if (keys.length === 0) return { ok: false, status: null, reason: 'secret_lost' };
    return sendRequest(webhook.url, { id, at, body, secrets: keys }, { receivers: allowed });
  }

  async function tellSwitchedOff(webhook: Webhook): Promise<void> {
    troubled.delete(webhook.id);
    // Somebody may switch it on again and again.
    if ((await attempts.spend('webhookOffEmail', { ip: '', account: webhook.id })) !== null) return;
    const settings = `${address()}/dashboard/settings/webhooks`;
    for (const email of await readersOf(db.query, webhook))
      mailer.send(emails.webhookOff(email, new URL(webhook.url).host, settings));
  }

  async function check(count: number): Promise<void> {
    if (isStopped) return;
    try {
      isFollowing = await isAnyOn(db.query);
      if (isFollowing) {
        if (count % CHECKS_PER_PRUNING === 0)
          for (const { id } of await webhooksOn(db.query)) progress.alertsDue.add(id);
        for (const id of await webhooksDue(db.query, clock())) ready.add(id);
        run();
      } else await stopFollowing(db);
      while (!isStopped && (await tidyStep(db)));
      if (count % CHECKS_PER_PRUNING === 0) await pruneDeliveries(db, clock());
    } catch {
      // The database is unavailable. The next check is in a second.
    }
  }

  app.addHook('onListen', async () => {
    isStopped = false;
    let count = 0;
    let checking = config.previousSecret === null ? Promise.resolve() : secrets.adoptCurrent(db).catch(() => {});
    const checkNext = () => {
      checking = checking.then(() => check(count++));
    };
    const stopListening = db.onCommit(() => isFollowing && wake());
    const checks = setInterval(checkNext, CHECK_EVERY_MS).unref();
    checkNext();
    stop = async () => {
      isStopped = true;
      stopListening();
      clearInterval(checks);
      clearTimeout(debounce);
      await checking;
      await running;
      // What has no answer yet is sent again by the next server.
      await Promise.race([Promise.all(underWay), new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref())]);
    };
  });
  app.addHook('preClose', () => stop());
  return { secrets, wake };
}
