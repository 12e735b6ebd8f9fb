import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';

const EVERY_MS = 10 * 60 * 1_000;
const UNPROVEN_KEPT_MS = 48 * 60 * 60 * 1_000;

/** Forgets what has run out: sign-ins, links, counters, and accounts whose address was not proven within two days. */
export async function tidyIdentity(db: Db, now: number): Promise<void> {
  await db.change(async (db) => {
    await deleteUnproven(db, now - UNPROVEN_KEPT_MS);
    await deleteSignIns(db, now);
    await deleteVerifications(db, now);
    await deleteAttempts(db, now);
  });
}

export function keepIdentityTidy(db: Db): () => void {
  const timer = setInterval(() => {
    // When the store is away, the next round comes in ten minutes.
    tidyIdentity(db, Date.now()).catch(() => {});
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const deleteUnproven = statement<never, [before: number]>(
  'delete from users where email_verified = 0 and created_at < $1',
);
const deleteSignIns = statement<never, [now: number]>('delete from sign_ins where expires_at <= $1');
const deleteVerifications = statement<never, [now: number]>('delete from verifications where expires_at <= $1');
const deleteAttempts = statement<never, [now: number]>('delete from attempts where until <= $1');
