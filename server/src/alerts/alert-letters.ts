import type { AlertChoices } from '@perfume/contract/settings';
import { lastDigestTime, stillNews } from '@perfume/domain/alerts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { statement } from '../db/core/statement.ts';
import { emails, type StockLinks, type StockList, type StockNews } from '../mail/emails.ts';
import type { Mailer } from '../mail/mailer.ts';
import { anyUntold, takeUntold, type UntoldAlert } from './alerts.store.ts';
import { claimDigests, readDigest } from './digest.store.ts';

export type LetterParts = { db: Db; mailer: Mailer; address: () => string; clock: () => number };

const MOST_ALERTS = 2_000;
export const MOST_LINES = 30;

/**
 * Writes to whoever wants to know at once of what has crossed since the last round, one letter a person. The alerts are
 * taken in the database first, so of several servers one writes; should it die before the letters have left, they are
 * not written again. Answers whether there may be more.
 */
export async function writeAtOnce({ db, mailer, address, clock }: LetterParts): Promise<boolean> {
  if ((await anyUntold(db.query)).length === 0) return false;
  const { taken, people } = await db.change(async (db) => ({
    taken: await takeUntold(db, newId(clock()), MOST_ALERTS),
    people: await selectWhoWantsToKnow(db),
  }));
  for (const { email, emailKey, about } of people) {
    const theirs = taken.filter((alert) => about === 'all' || alert.emailKey === emailKey);
    const told = stillNews(theirs).filter(({ holds }) => holds === 1);
    if (told.length > 0) mailer.send(emails.stockAlert(email, newsOf(told, address()), linksAt(address())));
  }
  return taken.length === MOST_ALERTS;
}

/** Writes some of the digests that are due; answers how many people were looked at, so 0 is the end of it. */
export async function writeDigests({ db, mailer, address, clock }: LetterParts): Promise<number> {
  const now = clock();
  const due = await claimDigests(db, { now, since: lastDigestTime(now) });
  for (const person of due) {
    const { out, low, recovered } = await readDigest(db.query, person, { until: now, most: MOST_LINES });
    if (out.total + low.total + recovered.total === 0) continue;
    const home = address();
    const news = { out: withLinks(out, home), low: withLinks(low, home), recovered: withLinks(recovered, home) };
    mailer.send(emails.stockDigest(person.email, news, linksAt(home)));
  }
  return due.length;
}

export type Line = { itemId: string; name: string; quantity: number };

function newsOf(alerts: UntoldAlert[], home: string): StockNews {
  const list = (kind: UntoldAlert['kind']) => {
    const all = alerts.filter((alert) => alert.kind === kind);
    return withLinks({ lines: all.slice(0, MOST_LINES), total: all.length }, home);
  };
  return { out: list('out'), low: list('low'), recovered: list('recovered') };
}

function withLinks({ lines, total }: { lines: Line[]; total: number }, home: string): StockList {
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

const selectWhoWantsToKnow = statement<{ email: string; emailKey: string; about: AlertChoices['about'] }, []>(
  `select u.email, u.email_key as "emailKey", c.about from alert_choices c join users u on u.id = c.user_id
   where c.mail = 'at_once' and u.email_verified = 1 and u.email_key is not null`,
);
