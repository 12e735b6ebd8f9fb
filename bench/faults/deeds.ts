import type { Ask, Attempt } from './history.ts';

/** All attempts under one key: what somebody wanted done once, however often they had to say so. */
export type Deed = {
  key: string;
  ask: Ask;
  /** When it could have happened at the earliest. */
  firstSentAt: number;
  /** When it had happened at the latest; Infinity when nobody was ever told so. */
  acknowledgedAt: number;
  acknowledgement: Attempt | null;
  /** A refusal that settles it. */
  refusal: Attempt | null;
  /** Every attempt was answered by "nothing was changed". */
  toldUnchanged: boolean;
  attempts: Attempt[];
};

export function deedsOf(attempts: Attempt[]): Map<string, Deed> {
  const deeds = new Map<string, Deed>();
  for (const attempt of attempts) {
    if (attempt.key === null) continue;
    const known = deeds.get(attempt.key);
    if (known) known.attempts.push(attempt);
    else deeds.set(attempt.key, newDeed(attempt.key, attempt));
  }
  for (const deed of deeds.values()) settle(deed);
  return deeds;
}

function newDeed(key: string, first: Attempt): Deed {
  return {
    key,
    ask: first.ask,
    firstSentAt: Number.POSITIVE_INFINITY,
    acknowledgedAt: Number.POSITIVE_INFINITY,
    acknowledgement: null,
    refusal: null,
    toldUnchanged: true,
    attempts: [first],
  };
}

function settle(deed: Deed): void {
  for (const attempt of deed.attempts) {
    deed.firstSentAt = Math.min(deed.firstSentAt, attempt.sentAt);
    const answeredAt = attempt.answeredAt ?? Number.POSITIVE_INFINITY;
    if (isDone(attempt) && answeredAt < deed.acknowledgedAt) {
      deed.acknowledgedAt = answeredAt;
      deed.acknowledgement = attempt;
    }
    if (isRefused(attempt)) deed.refusal ??= attempt;
    if (!saysUnchanged(attempt)) deed.toldUnchanged = false;
  }
}

export function isDone({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

const REFUSALS = new Set([404, 409, 412]);

/** A refusal for good: the same key will never be done. */
export function isRefused({ status }: Attempt): boolean {
  return status !== null && REFUSALS.has(status);
}

const NOT_NOW = new Set([429, 502, 503, 504]);

/** "Try again", with or without a word on what became of it, from a server or from a balancer before it. */
export function isNotNow({ status }: Attempt): boolean {
  return status !== null && NOT_NOW.has(status);
}

/** A server promises it in so many words; `outcome_unknown`, a balancer's own answer and silence promise nothing. */
function saysUnchanged(attempt: Attempt): boolean {
  return isNotNow(attempt) && (bodyOf<{ detail?: string }>(attempt)?.detail ?? '').includes('Nothing was changed');
}

export function bodyOf<T>({ body }: Attempt): T | null {
  try {
    return JSON.parse(body ?? '') as T;
  } catch {
    return null;
  }
}

export function named({ key, ask }: Deed): string {
  const item = 'item' in ask ? ` of item ${ask.item}` : '';
  return `${ask.what}${'delta' in ask ? ` ${ask.delta}` : ''}${item} under key ${key}`;
}
