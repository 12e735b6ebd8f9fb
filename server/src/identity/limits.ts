import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Db } from '../db/core/database.ts';
import { queryRows } from '../db/core/statement.ts';

const MINUTE_MS = 60 * 1_000;

/** So many within so long. */
type Rule = { most: number; withinMs: number };

/**
 * By where it comes from; by whom it is about, from anywhere; by the two together, which is the strictest, so that one
 * guesser is stopped long before the account's own counter is full.
 */
type Rules = { byAddress: Rule; byAccount?: Rule; byBoth?: Rule };

export const limits = {
  signIn: {
    byAddress: { most: 100, withinMs: 15 * MINUTE_MS },
    byAccount: { most: 50, withinMs: 15 * MINUTE_MS },
    byBoth: { most: 10, withinMs: 15 * MINUTE_MS },
  },
  signUp: { byAddress: { most: 20, withinMs: 60 * MINUTE_MS }, byAccount: { most: 5, withinMs: 60 * MINUTE_MS } },
  requestReset: { byAddress: { most: 20, withinMs: 60 * MINUTE_MS }, byAccount: { most: 5, withinMs: 60 * MINUTE_MS } },
  reset: { byAddress: { most: 20, withinMs: 15 * MINUTE_MS } },
  resend: { byAddress: { most: 20, withinMs: 60 * MINUTE_MS }, byAccount: { most: 5, withinMs: 60 * MINUTE_MS } },
  verify: { byAddress: { most: 60, withinMs: 15 * MINUTE_MS } },
  social: { byAddress: { most: 60, withinMs: 15 * MINUTE_MS } },
  profile: { byAddress: { most: 60, withinMs: 15 * MINUTE_MS }, byAccount: { most: 30, withinMs: 15 * MINUTE_MS } },
  changePassword: {
    byAddress: { most: 60, withinMs: 15 * MINUTE_MS },
    byAccount: { most: 10, withinMs: 15 * MINUTE_MS },
  },
  upload: { byAddress: { most: 600, withinMs: 60 * MINUTE_MS }, byAccount: { most: 60, withinMs: 60 * MINUTE_MS } },
} as const satisfies Record<string, Rules>;

export type LimitName = keyof typeof limits;

/** In the demo everyone is this machine: the limit by address would be one limit for all. */
const DEMO_FACTOR = 50;

/**
 * Counters in the database, so that several servers count together. They count before the work is done: many guesses
 * at once count like many guesses. Subjects are stored as keyed hashes.
 */
export function attemptLimits(db: Db, secret: string, clock: () => number, demo: boolean) {
  const keyOf = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');

  /** Seconds to wait, or null: go on. `mark` is that of a browser from which the account has signed in before. */
  async function spend(
    name: LimitName,
    who: { address: string; account?: string; mark?: string | null },
  ): Promise<number | null> {
    const rules: Rules = limits[name];
    const address = networkOf(who.address);
    const { account, mark = null } = who;
    const counted: (Rule & { subject: string })[] = [
      { ...scaled(rules.byAddress, demo && isThisMachine(address)), subject: keyOf(name, 'address', address) },
    ];
    if (account !== undefined && rules.byAccount && mark === null)
      counted.push({ ...rules.byAccount, subject: keyOf(name, 'account', account) });
    if (account !== undefined && rules.byBoth)
      counted.push({
        ...rules.byBoth,
        subject: mark === null ? keyOf(name, 'both', account, address) : keyOf(name, 'known', account, mark),
      });
    return count(counted);
  }

  async function count(counted: (Rule & { subject: string })[]): Promise<number | null> {
    const now = clock();
    // One order for everyone, so that two counts never wait for each other in a circle.
    const sorted = counted.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
    const params: unknown[] = [now];
    const values = sorted.map(
      ({ subject, withinMs }) => `($${params.push(subject)}, 1, $${params.push(now + withinMs)})`,
    );
    const rows = await db.change((db) =>
      queryRows<{ subject: string; count: number; until: number }>(
        db,
        `insert into attempts (subject, count, until) values ${values.join(', ')}
         on conflict (subject) do update set
           count = case when attempts.until <= $1 then 1 else attempts.count + 1 end,
           until = case when attempts.until <= $1 then excluded.until else attempts.until end
         returning subject, count, until`,
        params,
      ),
    );
    const full = rows.filter((row) => row.count > (sorted.find(({ subject }) => subject === row.subject)?.most ?? 0));
    if (full.length === 0) return null;
    return Math.max(1, Math.ceil((Math.max(...full.map((row) => row.until)) - now) / 1_000));
  }

  return { spend };
}

function scaled(rule: Rule, generous: boolean): Rule {
  return generous ? { ...rule, most: rule.most * DEMO_FACTOR } : rule;
}

function isThisMachine(address: string): boolean {
  return address.startsWith('127.') || address === '0:0:0:0/64';
}

/** One household has a whole /64 of IPv6 addresses; they count as one. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}/64`;
}
