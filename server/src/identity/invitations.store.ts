import { emailKey } from '@perfume/domain/email';
import type { Db } from '../db/core/database.ts';
import { statement } from '../db/core/statement.ts';

export const INVITATION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1_000;

/** Invites an address. An address that is already invited gets another 14 days. */
export async function inviteAddress(db: Db, email: string, now: number): Promise<void> {
  await db.change(async (db) => {
    await upsertInvitation(db, emailKey(email), now);
  });
}

export async function isInvited(db: Db, email: string, now: number): Promise<boolean> {
  const rows = await selectInvitation(db.query, emailKey(email), now - INVITATION_LIFETIME_MS);
  return rows.length > 0;
}

/** Returns the invitations that were neither used nor have expired, oldest first. */
export async function openInvitations(db: Db, now: number): Promise<{ email_key: string; invited_at: number }[]> {
  return selectInvitations(db.query, now - INVITATION_LIFETIME_MS);
}

/** Uses up the invitation of an address, if there is one. */
export async function useInvitation(db: Db, email: string): Promise<void> {
  await db.change(async (db) => {
    await deleteInvitation(db, emailKey(email));
  });
}

const upsertInvitation = statement<never, [emailKey: string, now: number]>(
  `insert into invitations (email_key, invited_at) values ($1, $2)
   on conflict (email_key) do update set invited_at = excluded.invited_at`,
);
const selectInvitation = statement<{ email_key: string }, [emailKey: string, after: number]>(
  'select email_key from invitations where email_key = $1 and invited_at > $2',
);
const selectInvitations = statement<{ email_key: string; invited_at: number }, [after: number]>(
  'select email_key, invited_at from invitations where invited_at > $1 order by invited_at, email_key',
);
export const deleteInvitation = statement<never, [emailKey: string]>('delete from invitations where email_key = $1');
