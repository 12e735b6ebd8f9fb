import { alertsToSend, lastDigestTime } from '@perfume/domain/alerts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import type { Queries } from '../db/core/statement.ts';
import { emails, type StockLinks, type StockList, type StockNews } from '../mail/emails.ts';
import type { Email, Mailer } from '../mail/mailer.ts';
import { anyUnsent, claimUnsent, type UnsentAlert } from './alerts.store.ts';
import {
  claimDigests,
  type DigestList,
  type DigestReader,
  readDigest,
  readHeldBack,
  releaseDigests,
  type StockLists,
} from './digest.store.ts';
import {
  anyHeldDue,
  countEmail,
  forgetHeldBack,
  holdBack,
  type InstantReader,
  instantReaders,
} from './instant-readers.store.ts';
import type { Access } from './people.ts';

export type AlertEmailDeps = { db: Db; access: Access; mailer: Mailer; address: () => string; clock: () => number };

const MAX_ALERTS = 2_000;
const MAX_LINES = 30;

/**
 * Sends one email to each person who chose instant alerts and has new ones. The alerts are claimed in the database
 * first, so only one of several servers sends them; if that server crashes before sending, they are not sent at all.
 * A person who has had too many emails lately gets the rest in one email later. Returns whether there may be more.
 */
export async function sendInstantAlerts({ db, access, mailer, address, clock }: AlertEmailDeps): Promise<boolean> {
  const now = clock();
  const isIdle = (await anyUnsent(db.query)).length === 0 && !(await anyHeldDue(db.query, access, now));
  if (isIdle) return false;
  const home = address();
  const { claimed, written } = await db.change(async (db) => {
    const claimed = await claimUnsent(db, newId(now), MAX_ALERTS);
    const written: Email[] = [];
    for (const reader of await instantReaders(db, access, now)) {
      const theirs = claimed.filter(
        ({ house, emailKey }) => house === reader.house && (reader.about === 'all' || emailKey === reader.emailKey),
      );
      const email = await alertEmail(db, reader, theirs, { now, home });
      if (email) written.push(email);
    }
    return { claimed, written };
  });
  for (const email of written) mailer.send(email);
  return claimed.length === MAX_ALERTS;
}

/** Returns the email about new alerts and those that were held back, or null if there is none to send now. */
async function alertEmail(
  db: Queries,
  reader: InstantReader,
  alerts: UnsentAlert[],
  { now, home }: { now: number; home: string },
): Promise<Email | null> {
  const { userId, house, houseName, email, heldFrom, mayGetEmail } = reader;
  const current = alertsToSend(alerts).filter(({ isCurrent }) => isCurrent === 1);
  if (current.length === 0 && heldFrom === null) return null;
  if (mayGetEmail === 1) {
    const held = heldFrom === null ? null : await readHeldBack(db, { ...reader, heldFrom }, MAX_LINES);
    if (held && isEmpty(held)) {
      await forgetHeldBack(db, userId, house, heldFrom ?? 0);
      return null;
    }
    const news = held ? withAllLinks(held, home) : newsOf(current, home);
    const isSent = await countEmail(db, reader, now);
    if (isSent) return emails.stockAlert(email, news, linksAt(home), { isCollected: held !== null, house: houseName });
  }
  if (current.length > 0) await holdBack(db, userId, house, Math.min(...current.map(({ num }) => num)));
  return null;
}

/**
 * Sends some of the digests that are due. Returns how many people it processed; 0 means none are left. Digests that
 * cannot be read, for example because too many long queries are waiting, stay due; throws if that is all of them.
 */
export async function sendDigests({ db, access, mailer, address, clock }: AlertEmailDeps): Promise<number> {
  const now = clock();
  const due = await claimDigests(db, access, { now, since: lastDigestTime(now) });
  const failed: DigestReader[] = [];
  let problem: unknown;
  for (const person of due) {
    try {
      const lists = await readDigest(db, person, { until: now, maxLines: MAX_LINES });
      if (isEmpty(lists)) continue;
      const home = address();
      mailer.send(emails.stockDigest(person.email, withAllLinks(lists, home), linksAt(home), person.houseName));
    } catch (error) {
      failed.push(person);
      problem = error;
    }
  }
  if (failed.length > 0) await releaseDigests(db, failed, now);
  if (failed.length > 0 && failed.length === due.length) throw problem;
  return due.length - failed.length;
}

function newsOf(alerts: UnsentAlert[], home: string): StockNews {
  const list = (kind: UnsentAlert['kind']) => {
    const all = alerts.filter((alert) => alert.kind === kind);
    return withLinks({ lines: all.slice(0, MAX_LINES), total: all.length }, home);
  };
  return { out: list('out'), low: list('low'), recovered: list('recovered') };
}

function isEmpty({ out, low, recovered }: StockLists): boolean {
  return out.total + low.total + recovered.total === 0;
}

function withAllLinks({ out, low, recovered }: StockLists, home: string): StockNews {
  return { out: withLinks(out, home), low: withLinks(low, home), recovered: withLinks(recovered, home) };
}

function withLinks({ lines, total }: DigestList, home: string): StockList {
  const linked = lines.map(({ itemId, name, quantity }) => ({
    name,
    quantity,
    url: `${home}/dashboard/inventory/${itemId}`,
  }));
  return { lines: linked, total };
}

function linksAt(home: string): StockLinks {
  return { lowStock: `${home}/dashboard/manage-inventory?stock=low`, settings: `${home}/dashboard/settings` };
}
