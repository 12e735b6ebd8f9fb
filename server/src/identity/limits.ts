import { createHmac } from 'node:crypto';
import type { Db } from '../db/core/database.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import { isLoopback, networkOf } from '../http/network.ts';

const MINUTE_MS = 60 * 1_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** At most `max` attempts per `withinMs`. */
type Rule = { max: number; withinMs: number };

/**
 * Attempts are counted by IP address, by account, and by both together. The last rule is the strictest, so a single
 * attacker is stopped long before the account's own counter is full.
 */
type Rules = { byIp?: Rule; byAccount?: Rule; byBoth?: Rule };

export const limits = {
  signIn: {
    byIp: { max: 100, withinMs: 15 * MINUTE_MS },
    byAccount: { max: 50, withinMs: 15 * MINUTE_MS },
    byBoth: { max: 10, withinMs: 15 * MINUTE_MS },
  },
  signUp: { byIp: { max: 20, withinMs: 60 * MINUTE_MS }, byAccount: { max: 5, withinMs: 60 * MINUTE_MS } },
  requestReset: { byIp: { max: 20, withinMs: 60 * MINUTE_MS }, byAccount: { max: 5, withinMs: 60 * MINUTE_MS } },
  reset: { byIp: { max: 20, withinMs: 15 * MINUTE_MS } },
  resend: { byIp: { max: 20, withinMs: 60 * MINUTE_MS }, byAccount: { max: 5, withinMs: 60 * MINUTE_MS } },
  verify: { byIp: { max: 60, withinMs: 15 * MINUTE_MS } },
  social: { byIp: { max: 60, withinMs: 15 * MINUTE_MS } },
  /** Emails about new browsers. Without a limit by IP address, which somebody could use up to stay unnoticed. */
  newBrowserEmail: { byAccount: { max: 5, withinMs: 60 * MINUTE_MS } },
  profile: { byIp: { max: 60, withinMs: 15 * MINUTE_MS }, byAccount: { max: 30, withinMs: 15 * MINUTE_MS } },
  changePassword: {
    byIp: { max: 60, withinMs: 15 * MINUTE_MS },
    byAccount: { max: 10, withinMs: 15 * MINUTE_MS },
  },
  createHouse: { byIp: { max: 60, withinMs: 60 * MINUTE_MS }, byAccount: { max: 10, withinMs: 60 * MINUTE_MS } },
  /** Invitations into a house: each sends an email to an address that somebody typed. */
  invite: { byIp: { max: 200, withinMs: 60 * MINUTE_MS }, byAccount: { max: 60, withinMs: 60 * MINUTE_MS } },
  /** Changes of the owners of a house: each sends an email to every owner. */
  changeOwners: { byIp: { max: 60, withinMs: 60 * MINUTE_MS }, byAccount: { max: 20, withinMs: 60 * MINUTE_MS } },
  /** Invitations to one address, from whichever house. */
  invitationEmail: { byAccount: { max: 10, withinMs: DAY_MS } },
  invitation: { byIp: { max: 100, withinMs: 15 * MINUTE_MS } },
  createKey: { byIp: { max: 60, withinMs: 60 * MINUTE_MS }, byAccount: { max: 30, withinMs: 60 * MINUTE_MS } },
  /** Codes of authenticator apps: three of a million are valid at a time. */
  code: {
    byIp: { max: 60, withinMs: 15 * MINUTE_MS },
    byAccount: { max: 10, withinMs: 15 * MINUTE_MS },
    byBoth: { max: 10, withinMs: 15 * MINUTE_MS },
  },
  /** Codes of apps since the last right one. Stops guesses that are slow enough for the limit above. */
  codesOfDay: { byAccount: { max: 50, withinMs: DAY_MS } },
  /** Wrong codes before the owner gets an email, and those emails. */
  wrongCodes: { byAccount: { max: 4, withinMs: DAY_MS } },
  wrongCodesEmail: { byAccount: { max: 1, withinMs: DAY_MS } },
  passkey: { byIp: { max: 100, withinMs: 15 * MINUTE_MS } },
  prove: {
    byIp: { max: 100, withinMs: 15 * MINUTE_MS },
    byAccount: { max: 50, withinMs: 15 * MINUTE_MS },
    byBoth: { max: 10, withinMs: 15 * MINUTE_MS },
  },
  accountData: { byIp: { max: 60, withinMs: 60 * MINUTE_MS }, byAccount: { max: 10, withinMs: 60 * MINUTE_MS } },
  importFile: { byIp: { max: 300, withinMs: 60 * MINUTE_MS }, byAccount: { max: 30, withinMs: 60 * MINUTE_MS } },
  upload: { byIp: { max: 600, withinMs: 60 * MINUTE_MS }, byAccount: { max: 60, withinMs: 60 * MINUTE_MS } },
  /** Emails that a webhook was switched off, counted by webhook. */
  webhookOffEmail: { byAccount: { max: 1, withinMs: DAY_MS } },
  /** Pictures of an archive, which need not be converted. They count by the day, for the sake of the disk. */
  storedPicture: { byIp: { max: 10_000, withinMs: DAY_MS }, byAccount: { max: 2_000, withinMs: DAY_MS } },
} as const satisfies Record<string, Rules>;

export type LimitName = keyof typeof limits;

/** How many IP addresses over their limit one server remembers. */
const MAX_REMEMBERED = 10_000;

/** Raises the limit by IP address in the demo, where everyone comes from loopback and shares that limit. */
const DEMO_FACTOR = 50;

/**
 * Counts attempts and enforces the limits. The counters are in the database, so several servers share them. An attempt
 * is counted before it is carried out, so parallel guesses cannot slip through. IP addresses and accounts are stored as
 * keyed hashes. Each server remembers which IP addresses the database has refused, and until when: further attempts from
 * there cost no write, whatever accounts they name.
 */
export function attemptLimits(db: Db, secret: string, clock: () => number, demo: boolean) {
  const refusedUntil = new Map<string, number>();
  const keyOf = (...parts: string[]) => createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');

  /**
   * Counts an attempt. Returns the seconds to wait, or null if the attempt is allowed. `browserId` is set when this
   * browser has logged in to the account before.
   */
  async function spend(
    name: LimitName,
    who: { ip: string; account?: string; browserId?: string | null },
  ): Promise<number | null> {
    const rules: Rules = limits[name];
    const ip = networkOf(who.ip);
    const { account, browserId = null } = who;
    const counted: Counted[] = [];
    if (rules.byIp) {
      const subject = keyOf(name, 'ip', ip);
      const until = refusedUntil.get(subject) ?? 0;
      if (until > clock()) return secondsUntil(until, clock());
      refusedUntil.delete(subject);
      counted.push({ ...scaled(rules.byIp, demo && isLoopback(ip)), subject, isIp: true });
    }
    if (account !== undefined && rules.byAccount && browserId === null)
      counted.push({ ...rules.byAccount, subject: keyOf(name, 'account', account) });
    if (account !== undefined && rules.byBoth)
      counted.push({
        ...rules.byBoth,
        subject: browserId === null ? keyOf(name, 'both', account, ip) : keyOf(name, 'known', account, browserId),
      });
    return count(counted);
  }

  async function count(counted: Counted[]): Promise<number | null> {
    const now = clock();
    // Rows are always written in the same order, so two transactions cannot deadlock.
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
    const ruleOf = (row: { subject: string }) => sorted.find(({ subject }) => subject === row.subject);
    const full = rows.filter((row) => row.count > (ruleOf(row)?.max ?? 0));
    for (const row of full) if (ruleOf(row)?.isIp) rememberRefusal(row.subject, row.until);
    return full.length === 0 ? null : secondsUntil(Math.max(...full.map((row) => row.until)), now);
  }

  function rememberRefusal(subject: string, until: number): void {
    const [oldest = ''] = refusedUntil.keys();
    if (refusedUntil.size >= MAX_REMEMBERED) refusedUntil.delete(oldest);
    refusedUntil.set(subject, until);
  }

  /** Sets the counter of the account to zero. */
  async function reset(name: LimitName, account: string): Promise<void> {
    await db.change((db) => deleteSubject(db, keyOf(name, 'account', account)));
  }

  return { spend, reset };
}

const deleteSubject = statement<never, [subject: string]>('delete from attempts where subject = $1');

type Counted = Rule & { subject: string; isIp?: true };

function secondsUntil(until: number, now: number): number {
  return Math.max(1, Math.ceil((until - now) / 1_000));
}

function scaled(rule: Rule, generous: boolean): Rule {
  return generous ? { ...rule, max: rule.max * DEMO_FACTOR } : rule;
}
