import { type Checked, invalid, valid } from './field-errors.ts';
import { checkLine } from './items.ts';
import { isUrl } from './safe-text.ts';

/** What a webhook can be told about. */
export const webhookEvents = [
  'stock.changed',
  'item.created',
  'item.edited',
  'item.deleted',
  'item.restored',
  'alert.raised',
  'alert.cleared',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** The event that somebody sends to try a webhook. Every webhook gets it. */
export type DeliveryType = WebhookEvent | 'webhook.test';

/** Why a webhook was switched off: by a person, or by the server. */
export const offReasons = ['by_hand', 'failing', 'gone', 'behind', 'restored'] as const;
export type OffReason = (typeof offReasons)[number];

/** Why an attempt did not succeed. Nothing of what the receiver answered is in it. */
export const failures = ['status', 'redirect', 'timeout', 'unreachable', 'secret_lost', 'switched_off'] as const;
export type Failure = (typeof failures)[number];

export const WEBHOOK_URL_MAX = 2_000;
/**
 * How many webhooks a house has at most, and a person where all share one stock; and how many all of these have together,
 * because each of them gets every change of everybody. `too_many_webhooks` says the same.
 */
export const MAX_WEBHOOKS = 10;
export const MAX_SHARED_WEBHOOKS = 50;
/** A replaced secret signs too for this long, so that the receiver has time to learn the new one. */
export const OLD_SECRET_MS = 24 * 60 * 60 * 1_000;
/** A webhook for which nothing has arrived for this long is switched off. */
export const SWITCH_OFF_AFTER_MS = 3 * 24 * 60 * 60 * 1_000;

/** Checks the form of an address. Where it may lead is for the server to decide. */
export function checkWebhookUrl(input: unknown): Checked<string> {
  const line = checkLine(input, WEBHOOK_URL_MAX);
  if (!line.ok) return line;
  // The URL parser accepts "https:host" and stray spaces, so these are refused first.
  if (!/^https?:\/\/[^\s/\\]/i.test(line.value) || /[\s<>"`\\]/.test(line.value) || !isUrl(line.value))
    return invalid({ code: 'not_a_web_address' });
  const { href, username, password, hash } = new URL(line.value);
  return username === '' && password === '' && hash === '' ? valid(href) : invalid({ code: 'not_a_web_address' });
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses after the first attempt, the second, … Together they are about a day. */
const PAUSES = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  10 * HOUR,
];

/**
 * How long to wait after so many failed attempts; null if it was the last one. `random` (0 to 1) makes each pause up to
 * a fifth longer or shorter, so that a receiver that is back is not met by everything at once.
 */
export function pauseAfter(attempts: number, random: number): number | null {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? null : Math.round(pause * (0.8 + 0.4 * random));
}
