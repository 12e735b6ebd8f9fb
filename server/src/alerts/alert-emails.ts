import type { AlertChoices } from '@perfume/contract/settings';
import { alertsToSend, lastDigestTime } from '@perfume/domain/alerts';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { statement } from '../db/core/statement.ts';
import { emails, type StockLinks, type StockList, type StockNews } from '../mail/emails.ts';
import type { Mailer } from '../mail/mailer.ts';
import { anyUnsent, claimUnsent, type UnsentAlert } from './alerts.store.ts';
import { claimDigests, type DigestList, readDigest } from './digest.store.ts';

export type AlertEmailDeps = { db: Db; mailer: Mailer; address: () => string; clock: () => number };

const MAX_ALERTS = 2_000;
const MAX_LINES = 30;

/**
 * Sends one email to each person who chose instant alerts and has new ones. The alerts are claimed in the database
 * first, so only one of several servers sends them; if that server crashes before sending, they are not sent at all.
 * Returns whether there may be more.
 */
export async function sendInstantAlerts({ db, mailer, address, clock }: AlertEmailDeps): Promise<boolean> {
  if ((await anyUnsent(db.query)).length === 0) return false;
  const { claimed, people } = await db.change(async (db) => ({
    claimed: await claimUnsent(db, newId(clock()), MAX_ALERTS),
    people: await selectInstantReaders(db),
  }));
  for (const { email, emailKey, about } of people) {
    const theirs = claimed.filter((alert) => about === 'all' || alert.emailKey === emailKey);
    const alerts = alertsToSend(theirs).filter(({ isCurrent }) => isCurrent === 1);
    if (alerts.length > 0) mailer.send(emails.stockAlert(email, newsOf(alerts, address()), linksAt(address())));
  }
  return claimed.length === MAX_ALERTS;
}

/** Sends some of the digests that are due. Returns how many people it processed; 0 means none are left. */
export async function sendDigests({ db, mailer, address, clock }: AlertEmailDeps): Promise<number> {
  const now = clock();
  const due = await claimDigests(db, { now, since: lastDigestTime(now) });
  for (const person of due) {
    const { out, low, recovered } = await readDigest(db.query, person, { until: now, maxLines: MAX_LINES });
    if (out.total + low.total + recovered.total === 0) continue;
    const home = address();
    const news = { out: withLinks(out, home), low: withLinks(low, home), recovered: withLinks(recovered, home) };
    mailer.send(emails.stockDigest(person.email, news, linksAt(home)));
  }
  return due.length;
}

function newsOf(alerts: UnsentAlert[], home: string): StockNews {
  const list = (kind: UnsentAlert['kind']) => {
    const all = alerts.filter((alert) => alert.kind === kind);
    return withLinks({ lines: all.slice(0, MAX_LINES), total: all.length }, home);
  };
  return { out: list('out'), low: list('low'), recovered: list('recovered') };
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

const selectInstantReaders = statement<{ email: string; emailKey: string; about: AlertChoices['about'] }, []>(
  `select u.email, u.email_key as "emailKey", c.about from alert_choices c join users u on u.id = c.user_id
   where c.mail = 'at_once' and u.email_verified = 1 and u.email_key is not null`,
);
