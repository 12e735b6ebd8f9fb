import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';
import { INVITATION_LIFETIME_MS } from './invitations.store.ts';

const INTERVAL_MS = 10 * 60 * 1_000;
const UNVERIFIED_LIFETIME_MS = 48 * 60 * 60 * 1_000;

/** Deletes expired sessions, links, invitations and counters, and accounts that were not verified within two days. */
export async function cleanUpIdentity(db: Db, now: number): Promise<void> {
  await db.change(async (db) => {
    await deleteUnverified(db, now - UNVERIFIED_LIFETIME_MS);
    await deleteSignIns(db, now);
    await deleteVerifications(db, now);
    await deleteInvitations(db, now - INVITATION_LIFETIME_MS);
    await deleteHouseInvitations(db, now);
    await deleteAttempts(db, now);
  });
}

export function scheduleIdentityCleanup(db: Db): () => void {
  const timer = setInterval(() => {
    // If the database is unavailable, the next run in ten minutes catches up.
    cleanUpIdentity(db, Date.now()).catch(() => {});
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const deleteUnverified = statement<never, [before: number]>(
  'delete from users where email_verified = 0 and created_at < $1',
);
const deleteSignIns = statement<never, [now: number]>('delete from sign_ins where expires_at <= $1');
const deleteVerifications = statement<never, [now: number]>('delete from verifications where expires_at <= $1');
const deleteInvitations = statement<never, [until: number]>('delete from invitations where invited_at <= $1');
const deleteHouseInvitations = statement<never, [now: number]>('delete from house_invitations where expires_at <= $1');
const deleteAttempts = statement<never, [now: number]>('delete from attempts where until <= $1');
