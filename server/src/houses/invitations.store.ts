import { hash, randomBytes } from 'node:crypto';
import { MAX_HOUSES, MAX_MEMBERS, type WireInvitation } from '@perfume/contract/houses';
import type { User } from '@perfume/contract/identity';
import { emailKey } from '@perfume/domain/email';
import type { HouseRole } from '@perfume/domain/houses';
import type { Db } from '../db/core/database.ts';
import { newId } from '../db/core/ids.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { HouseInvitations } from '../identity/identity.store.ts';
import type { Action } from '../items/item-events.ts';
import { recordHouseEvent } from './house-events.store.ts';
import { addMember, findMembershipIn, type Membership } from './members.store.ts';

const INVITATION_LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Invites an address, and returns the invitation and the token for its link. Only the hash of the token is stored. An
 * address that is already invited gets a new link; the old one ends.
 */
export async function inviteMember(
  db: Db,
  { house, email, role, action }: { house: number; email: string; role: HouseRole; action: Action },
): Promise<
  { ok: true; invitation: WireInvitation; token: string } | { ok: false; reason: 'already_member' | 'too_many_members' }
> {
  const { actor, at } = action;
  const [id, token, key] = [newId(at), randomBytes(32).toString('base64url'), emailKey(email)];
  const expiresAt = at + INVITATION_LIFETIME_MS;
  return db.change(async (db) => {
    // One after the other, so that the house cannot grow past its limit.
    await lockHouse(db, house);
    if ((await selectMemberByEmail(db, house, key)).length > 0) return { ok: false, reason: 'already_member' };
    await deleteInvitationOf(db, house, key);
    await deleteExpired(db, house, at);
    const [people] = await countPeople(db, house);
    if (!people || people.count >= MAX_MEMBERS) return { ok: false, reason: 'too_many_members' };
    await insertInvitation(db, id, house, email, key, role, hashOf(token), actor.id, at, expiresAt);
    await recordHouseEvent(db, house, action, {
      kind: 'invited',
      person: null,
      changes: [
        { field: 'email', from: null, to: email },
        { field: 'role', from: null, to: role },
      ],
    });
    return { ok: true, token, invitation: toWire({ id, email, role, created_at: at, expires_at: expiresAt }) };
  });
}

export async function listInvitations(db: Queries, house: number, now: number): Promise<WireInvitation[]> {
  return (await selectInvitations(db, house, now)).map(toWire);
}

/** The house of an invitation; null if there is no such invitation. */
export async function houseOfInvitation(db: Queries, id: string): Promise<number | null> {
  const [found] = await selectHouseOf(db, id);
  return found?.house ?? null;
}

export async function withdrawInvitation(db: Db, id: string, action: Action): Promise<boolean> {
  return db.change(async (db) => {
    const [gone] = await deleteInvitation(db, id);
    if (!gone) return false;
    const changes = [{ field: 'email', from: gone.email, to: null }];
    await recordHouseEvent(db, gone.house, action, { kind: 'withdrawn', person: null, changes });
    return true;
  });
}

export type OpenInvitation = {
  house: number;
  house_name: string;
  email: string;
  email_key: string;
  role: HouseRole;
  inviter: string | null;
};

/** Finds the invitation of a link that nobody has used yet. */
export async function findInvitation(db: Queries, token: string, now: number): Promise<OpenInvitation | null> {
  const [found] = await selectByToken(db, hashOf(token), now);
  return found ?? null;
}

type Accepted = ({ ok: true } & Membership) | { ok: false; reason: 'invalid_link' | 'too_many_houses' };

/** Uses an invitation up. Who is a member of the house already keeps their role. */
export async function acceptInvitation(
  db: Db,
  { token, user, action }: { token: string; user: User; action: Action },
): Promise<Accepted> {
  return db
    .change<Accepted>(async (db) => {
      const joined = await join(db, token, user, action);
      return joined ? { ok: true, ...joined } : { ok: false, reason: 'invalid_link' };
    })
    .catch((error: unknown) => {
      if (error instanceof TooManyHouses) return { ok: false, reason: 'too_many_houses' };
      throw error;
    });
}

/** What signing up needs of invitations. */
export const houseInvitations: HouseInvitations = {
  async emailOf(db, token, now) {
    return (await findInvitation(db, token, now))?.email ?? null;
  },
  async accept(db, token, user, now) {
    const action = { id: newId(now), actor: user, at: now, batch: null, undoes: null };
    return (await join(db, token, user, action)) !== null;
  },
};

async function join(db: Queries, token: string, user: User, action: Action): Promise<Membership | null> {
  const [invitation] = await useInvitation(db, hashOf(token), action.at);
  if (!invitation) return null;
  const { house, role } = invitation;
  const known = await findMembershipIn(db, user.id, house);
  if (!known) {
    const [own] = await countHousesOf(db, user.id);
    if (!own || own.count >= MAX_HOUSES) throw new TooManyHouses();
    await recordHouseEvent(db, house, action, {
      kind: 'joined',
      person: user.id,
      changes: [{ field: 'role', from: null, to: role }],
    });
  }
  await addMember(db, house, user, role, action.at);
  return { house, role: known?.role ?? role };
}

/** Rolls the transaction back, so that the invitation stays usable. */
class TooManyHouses extends Error {}

function hashOf(token: string): string {
  return hash('sha256', `invitation ${token}`, 'base64url');
}

type InvitationFields = { id: string; email: string; role: HouseRole; created_at: number; expires_at: number };

function toWire({ id, email, role, created_at, expires_at }: InvitationFields): WireInvitation {
  const [invitedAt, expiresAt] = [created_at, expires_at].map((at) => new Date(at).toISOString());
  return { id, email, role, invitedAt: invitedAt ?? '', expiresAt: expiresAt ?? '' };
}

const lockHouse = statement<never, [house: number]>('update houses set name = name where num = $1');
const selectMemberByEmail = statement<{ id: string }, [house: number, emailKey: string]>(
  `select users.id from members join users on users.id = members.user_id
   where members.house = $1 and users.email_key = $2`,
);
const countPeople = statement<{ count: number }, [house: number]>(
  `select (select count(*) from members where house = $1)
     + (select count(*) from house_invitations where house = $1) as count`,
);
const countHousesOf = statement<{ count: number }, [userId: string]>(
  'select count(*) as count from members where user_id = $1',
);
const deleteInvitationOf = statement<never, [house: number, emailKey: string]>(
  'delete from house_invitations where house = $1 and email_key = $2',
);
const deleteExpired = statement<never, [house: number, now: number]>(
  'delete from house_invitations where house = $1 and expires_at <= $2',
);
const insertInvitation = statement<
  never,
  [
    id: string,
    house: number,
    email: string,
    emailKey: string,
    role: HouseRole,
    tokenHash: string,
    invitedBy: string,
    at: number,
    expiresAt: number,
  ]
>(
  `insert into house_invitations (id, house, email, email_key, role, token_hash, invited_by, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const selectInvitations = statement<InvitationFields, [house: number, now: number]>(
  `select id, email, role, created_at, expires_at from house_invitations where house = $1 and expires_at > $2
   order by created_at desc, id desc limit ${MAX_MEMBERS}`,
);
const selectHouseOf = statement<{ house: number }, [id: string]>('select house from house_invitations where id = $1');
const deleteInvitation = statement<{ house: number; email: string }, [id: string]>(
  'delete from house_invitations where id = $1 returning house, email',
);
const selectByToken = statement<OpenInvitation, [tokenHash: string, now: number]>(
  `select i.house, houses.name as house_name, i.email, i.email_key, i.role,
     (select users.name from users where users.id = i.invited_by) as inviter
   from house_invitations i join houses on houses.num = i.house
   where i.token_hash = $1 and i.expires_at > $2 and houses.deleted_at is null`,
);
const useInvitation = statement<{ house: number; role: HouseRole }, [tokenHash: string, now: number]>(
  'delete from house_invitations where token_hash = $1 and expires_at > $2 returning house, role',
);
