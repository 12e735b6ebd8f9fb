import type { WireMember } from '@perfume/contract/houses';
import type { User, WireUser } from '@perfume/contract/identity';
import type { HouseRole } from '@perfume/domain/houses';
import { personMark } from '@perfume/domain/person-mark';
import { insertChange } from '../db/core/changes.ts';
import type { Db } from '../db/core/database.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { Action } from '../items/item-events.ts';
import { recordHouseEvent } from './house-events.store.ts';

export type Membership = { house: number; role: HouseRole };

/** Finds what a person is in a house, by its id or, without one, in the house they work in. */
export async function findMembership(db: Queries, userId: string, houseId: string | null): Promise<Membership | null> {
  const [found] = await (houseId === null ? selectCurrent(db, userId) : selectById(db, userId, houseId));
  return found ?? null;
}

/**
 * Finds the house that a person works in, as their account shows it: null if they have left all houses, undefined if
 * they were never in one.
 */
export async function findHouseOf(db: Queries, userId: string): Promise<WireUser['house']> {
  const [found] = await selectHouseOf(db, userId);
  return found ?? ((await wasInHouse(db, userId)) ? null : undefined);
}

/** Finds what a person is in the house with this number. */
export async function findMembershipIn(db: Queries, userId: string, house: number): Promise<Membership | null> {
  const [found] = await selectByNum(db, userId, house);
  return found ?? null;
}

/** Whether the person is or was a member of a house. */
export async function wasInHouse(db: Queries, userId: string): Promise<boolean> {
  const [person] = await selectPerson(db, userId);
  return person?.house !== null;
}

export async function listMembers(db: Queries, house: number): Promise<WireMember[]> {
  return (await selectMembers(db, house)).map(toWireMember);
}

export async function findMember(db: Queries, house: number, userId: string): Promise<WireMember | null> {
  const [found] = await selectMember(db, house, userId);
  return found ? toWireMember(found) : null;
}

type MemberRefusal = { ok: false; reason: 'member_not_found' | 'last_owner' };

/** Gives a member another role. A house always keeps an owner. What only owners can make ends with the role. */
export async function changeRole(
  db: Db,
  { house, userId, role, action }: { house: number; userId: string; role: HouseRole; action: Action },
): Promise<{ ok: true; member: WireMember } | MemberRefusal> {
  return db.change(async (db) => {
    const [member] = await lockMember(db, house, userId);
    if (!member) return { ok: false, reason: 'member_not_found' };
    if (member.role === 'owner' && role !== 'owner' && !(await hasOtherOwner(db, house, userId)))
      return { ok: false, reason: 'last_owner' };
    if (member.role !== role) {
      await updateRole(db, house, userId, role);
      await endKeysWithoutOwner(db, house, userId);
      await endInvitationsWithoutOwner(db, house, userId);
      await recordHouseEvent(db, house, action, {
        kind: 'role',
        person: userId,
        changes: [{ field: 'role', from: member.role, to: role }],
      });
      await announce(db, house, action.at);
    }
    const changed = await findMember(db, house, userId);
    if (!changed) throw new Error('the member is locked');
    return { ok: true, member: changed };
  });
}

/** Removes a member, or lets them leave. Their API keys and views of this house and the invitations they sent end with it. */
export async function removeMember(
  db: Db,
  { house, userId, action }: { house: number; userId: string; action: Action },
): Promise<{ ok: true } | MemberRefusal> {
  return db.change(async (db) => {
    const [member] = await lockMember(db, house, userId);
    if (!member) return { ok: false, reason: 'member_not_found' };
    if (member.role === 'owner' && !(await hasOtherOwner(db, house, userId)))
      return { ok: false, reason: 'last_owner' };
    await deleteMember(db, house, userId);
    await deleteKeys(db, house, userId);
    await deleteViewEmails(db, house, userId);
    if ((await deleteViews(db, house, userId)).length > 0) await insertChange(db, house, '', 'view', action.at);
    await endInvitationsWithoutOwner(db, house, userId);
    await leaveHouse(db, userId, house);
    const kind = action.actor.id === userId ? 'left' : 'removed';
    await recordHouseEvent(db, house, action, { kind, person: userId, changes: [] });
    await announce(db, house, action.at);
    return { ok: true };
  });
}

/** Makes a person a member and lets them work in the house. Who is a member already keeps their role. */
export async function addMember(db: Queries, house: number, user: Pick<User, 'id'>, role: HouseRole, at: number) {
  await insertMember(db, house, user.id, role, at);
  await setCurrent(db, user.id, house);
  await announce(db, house, at);
}

/** Tells every server that the people or the name of a house have changed: streams of people who left are ended. */
export function announce(db: Queries, house: number, at: number): Promise<unknown> {
  return insertChange(db, house, '', 'house', at);
}

/** Locks all owners of the house, so that two of them cannot leave or demote each other at the same time. */
async function hasOtherOwner(db: Queries, house: number, userId: string): Promise<boolean> {
  return (await lockOwners(db, house)).some(({ user_id }) => user_id !== userId);
}

type MemberRow = {
  user_id: string;
  name: string;
  email: string;
  image: string | null;
  role: HouseRole;
  joined_at: number;
};

function toWireMember({ user_id: userId, name, email, image, role, joined_at }: MemberRow): WireMember {
  return { userId, name, email, image, mark: personMark(userId), role, joinedAt: new Date(joined_at).toISOString() };
}

const MEMBERSHIP = 'select members.house, members.role from members join houses on houses.num = members.house';
const LIVES = 'houses.deleted_at is null';

// If the current house is gone, the person works in the first one they joined.
const CURRENT = `join users on users.id = members.user_id
   where members.user_id = $1 and ${LIVES}
   order by case when users.house = members.house then 0 else 1 end, members.joined_at, members.house limit 1`;
const selectCurrent = statement<Membership, [userId: string]>(`${MEMBERSHIP} ${CURRENT}`);
const selectHouseOf = statement<NonNullable<WireUser['house']>, [userId: string]>(
  `select houses.id, houses.name, members.role from members join houses on houses.num = members.house ${CURRENT}`,
);
const selectById = statement<Membership, [userId: string, houseId: string]>(
  `${MEMBERSHIP} where members.user_id = $1 and houses.id = $2 and ${LIVES}`,
);
const selectByNum = statement<Membership, [userId: string, house: number]>(
  `${MEMBERSHIP} where members.user_id = $1 and members.house = $2 and ${LIVES}`,
);

const selectPerson = statement<{ house: number | null }, [userId: string]>('select house from users where id = $1');

const MEMBER = `select m.user_id, users.name, users.email, users.image, m.role, m.joined_at
  from members m join users on users.id = m.user_id where m.house = $1`;
const selectMembers = statement<MemberRow, [house: number]>(`${MEMBER} order by users.name, m.user_id limit 1000`);
const selectMember = statement<MemberRow, [house: number, userId: string]>(`${MEMBER} and m.user_id = $2`);
const lockMember = statement<{ role: HouseRole }, [house: number, userId: string]>(
  'update members set role = role where house = $1 and user_id = $2 returning role',
);
const lockOwners = statement<{ user_id: string }, [house: number]>(
  "update members set role = role where house = $1 and role = 'owner' returning user_id",
);
const updateRole = statement<never, [house: number, userId: string, role: HouseRole]>(
  'update members set role = $3 where house = $1 and user_id = $2',
);
const insertMember = statement<never, [house: number, userId: string, role: HouseRole, at: number]>(
  'insert into members (house, user_id, role, joined_at) values ($1, $2, $3, $4) on conflict do nothing',
);
const deleteMember = statement<never, [house: number, userId: string]>(
  'delete from members where house = $1 and user_id = $2',
);
const deleteKeys = statement<never, [house: number, userId: string]>(
  'delete from api_keys where house = $1 and user_id = $2',
);
const deleteViews = statement<{ id: string }, [house: number, userId: string]>(
  'delete from views where house = $1 and user_id = $2 returning id',
);
const deleteViewEmails = statement<never, [house: number, userId: string]>(
  'delete from view_emails where user_id = $2 and view_id in (select id from views where house = $1)',
);
const endKeysWithoutOwner = statement<never, [house: number, userId: string]>(
  `delete from api_keys where house = $1 and user_id = $2 and not exists (
     select 1 from members where house = $1 and user_id = $2 and role = 'owner')`,
);
const endInvitationsWithoutOwner = statement<never, [house: number, userId: string]>(
  `delete from house_invitations where house = $1 and invited_by = $2 and not exists (
     select 1 from members where house = $1 and user_id = $2 and role = 'owner')`,
);
export const setCurrent = statement<never, [userId: string, house: number]>(
  'update users set house = $2 where id = $1',
);
const leaveHouse = statement<never, [userId: string, house: number]>(
  `update users set house = coalesce(
     (select members.house from members where user_id = $1 order by joined_at, members.house limit 1), $2)
   where id = $1 and house = $2`,
);
