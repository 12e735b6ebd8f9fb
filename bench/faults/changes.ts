import type { Action, Attempt } from './history.ts';

/** A change that somebody wanted once: all attempts under one key, however often it was sent. */
export type Change = {
  key: string;
  action: Action;
  /** The earliest time at which the change could have happened. */
  firstSentAt: number;
  /** The time by which the change had happened; Infinity if it was never acknowledged. */
  acknowledgedAt: number;
  acknowledgement: Attempt | null;
  /** An attempt that was finally refused, if there was one. */
  refusal: Attempt | null;
  /** Whether every attempt got the response "Nothing was changed". */
  saidUnchanged: boolean;
  attempts: Attempt[];
};

export function changesOf(attempts: Attempt[]): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const attempt of attempts) {
    if (attempt.key === null) continue;
    const known = changes.get(attempt.key);
    if (known) known.attempts.push(attempt);
    else changes.set(attempt.key, newChange(attempt.key, attempt));
  }
  for (const change of changes.values()) summarise(change);
  return changes;
}

function newChange(key: string, first: Attempt): Change {
  return {
    key,
    action: first.action,
    firstSentAt: Number.POSITIVE_INFINITY,
    acknowledgedAt: Number.POSITIVE_INFINITY,
    acknowledgement: null,
    refusal: null,
    saidUnchanged: true,
    attempts: [first],
  };
}

function summarise(change: Change): void {
  for (const attempt of change.attempts) {
    change.firstSentAt = Math.min(change.firstSentAt, attempt.sentAt);
    const answeredAt = attempt.answeredAt ?? Number.POSITIVE_INFINITY;
    if (isDone(attempt) && answeredAt < change.acknowledgedAt) {
      change.acknowledgedAt = answeredAt;
      change.acknowledgement = attempt;
    }
    if (isRefused(attempt)) change.refusal ??= attempt;
    if (!saysUnchanged(attempt)) change.saidUnchanged = false;
  }
}

export function isDone({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

const REFUSALS = new Set([404, 409, 412]);

/** Whether the refusal is final: the same key will never succeed. */
export function isRefused({ status }: Attempt): boolean {
  return status !== null && REFUSALS.has(status);
}

const RETRYABLE = new Set([429, 502, 503, 504]);

/** Whether a server or a load balancer answered "try again", with or without a statement about the outcome. */
export function isRetryable({ status }: Attempt): boolean {
  return status !== null && RETRYABLE.has(status);
}

/**
 * Whether the server said that nothing was changed. Only an explicit statement counts: `outcome_unknown`, a load
 * balancer's response and no response say nothing.
 */
function saysUnchanged(attempt: Attempt): boolean {
  return isRetryable(attempt) && (bodyOf<{ detail?: string }>(attempt)?.detail ?? '').includes('Nothing was changed');
}

export function bodyOf<T>({ body }: Attempt): T | null {
  try {
    return JSON.parse(body ?? '') as T;
  } catch {
    return null;
  }
}

export function describeChange({ key, action }: Change): string {
  const item = 'item' in action ? ` of item ${action.item}` : '';
  return `${action.what}${'delta' in action ? ` ${action.delta}` : ''}${item} under key ${key}`;
}
