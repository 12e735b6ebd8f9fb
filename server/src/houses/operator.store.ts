import type { WireOperatorHouse, WirePerson } from '@perfume/contract/houses';
import type { Db } from '../db/core/database.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import { deleteInvitationsBy, deleteOtherSignIns } from '../identity/identity.store.ts';
import type { Action } from '../items/item-events.ts';
import { recordHouseEvent } from './house-events.store.ts';
import { announce } from './members.store.ts';

export async function isOperator(db: Queries, userId: string): Promise<boolean> {
  return (await selectOperator(db, userId)).length > 0;
}

/** Makes a verified account the only operator. Returns the addresses of former ones, or null if the account may not be it. */
export async function appointOperator(db: Db, userId: string): Promise<{ former: string[] } | null> {
  return db.change(async (db) => {
    if ((await selectUsable(db, userId)).length === 0) return null;
    const former = await clearOtherOperators(db, userId);
    await markOperator(db, userId);
    return { former: former.map(({ email }) => email) };
  });
}

/** Returns whether the account was the operator. */
export async function dismissOperator(db: Db, userId: string): Promise<boolean> {
  return db.change(async (db) => (await clearOperator(db, userId)).length > 0);
}

/** A page of all houses. `after` is the number of the last house of the page before. */
export async function listAllHouses(
  db: Queries,
  { limit, after }: { limit: number; after: number },
): Promise<{ houses: WireOperatorHouse[]; next: number | null }> {
  const rows = await selectHouses(db, after, limit + 1);
  const shown = rows.slice(0, limit);
  return { houses: shown.map(toWireHouse), next: rows.length > limit ? (shown.at(-1)?.num ?? null) : null };
}

/** A page of all people. `after` is the id of the last person of the page before. */
export async function listAllPeople(
  db: Queries,
  { limit, after }: { limit: number; after: string },
): Promise<{ people: WirePerson[]; next: string | null }> {
  const rows = await selectPeople(db, after, limit + 1);
  const shown = rows.slice(0, limit);
  return { people: shown.map(toWirePerson), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Disables an account, or enables it again. Null: there is no such account. Otherwise, whether that changed it. */
export async function disablePerson(
  db: Db,
  { id, disabled, at }: { id: string; disabled: boolean; at: number },
): Promise<{ person: WirePerson; changed: boolean } | null> {
  return db.change(async (db) => {
    if ((await selectPerson(db, id)).length === 0) return null;
    const changed = (await (disabled ? markDisabled(db, id, at) : markEnabled(db, id))).length > 0;
    if (changed && disabled) {
      await switchOffWebhooks(db, id);
      await deleteInvitationsBy(db, id);
      await deleteOtherSignIns(db, id, '');
      // With ACCESS=open everybody follows the shared house.
      const houses = (await selectHousesOf(db, id)).map(({ house }) => house);
      for (const house of new Set([SHARED_HOUSE, ...houses])) await announce(db, house, at);
    }
    const [row] = await selectPerson(db, id);
    return row ? { person: toWirePerson(row), changed } : null;
  });
}

export type Given =
  | { ok: true; house: WireOperatorHouse; owner: { name: string; email: string }; formerOwners: string[] }
  | { ok: false; reason: 'house_not_found' | 'person_not_found' | 'has_owner' };

/** Within this time an owner who was disabled can object, and the operator cannot give their house away. */
const OWNER_LOST_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** Makes somebody the owner of a house in which no owner has been able to log in for seven days. */
export async function giveHouse(
  db: Db,
  { houseId, userId, action }: { houseId: string; userId: string; action: Action },
): Promise<Given> {
  return db.change(async (db) => {
    const [house] = await lockHouse(db, houseId);
    if (!house) return { ok: false, reason: 'house_not_found' };
    const [person] = await selectPerson(db, userId);
    if (!person || person.disabled_at !== null) return { ok: false, reason: 'person_not_found' };
    const owners = await selectOwners(db, house.num);
    const isLost = (disabledAt: number | null) => disabledAt !== null && disabledAt + OWNER_LOST_AFTER_MS <= action.at;
    if (!owners.every(({ disabled_at }) => isLost(disabled_at))) return { ok: false, reason: 'has_owner' };
    const [before] = await selectRole(db, house.num, userId);
    await upsertOwner(db, house.num, userId, action.at);
    await recordHouseEvent(db, house.num, action, {
      kind: before ? 'role' : 'joined',
      person: userId,
      changes: [{ field: 'role', from: before?.role ?? null, to: 'owner' }],
    });
    await announce(db, house.num, action.at);
    const [row] = await selectHouses(db, house.num - 1, 1);
    if (!row) throw new Error('the house is locked');
    return { ok: true, house: toWireHouse(row), owner: person, formerOwners: owners.map(({ email }) => email) };
  });
}

type HouseFields = {
  num: number;
  id: string;
  name: string;
  people: number;
  items: number;
  created_at: number;
  moved_at: number | null;
  edited_at: number | null;
  changed_at: number | null;
};

function toWireHouse({ id, name, people, items, ...row }: HouseFields): WireOperatorHouse {
  const lastChange = Math.max(row.moved_at ?? 0, row.edited_at ?? 0, row.changed_at ?? 0);
  return {
    id,
    name,
    people,
    items: Number(items),
    createdAt: new Date(row.created_at).toISOString(),
    lastChangeAt: lastChange === 0 ? null : new Date(lastChange).toISOString(),
  };
}

type PersonFields = {
  id: string;
  name: string;
  email: string;
  created_at: number;
  disabled_at: number | null;
  houses: number;
};

function toWirePerson({ id, name, email, created_at, disabled_at, houses }: PersonFields): WirePerson {
  return { id, name, email, createdAt: new Date(created_at).toISOString(), disabled: disabled_at !== null, houses };
}

const selectOperator = statement<{ id: string }, [userId: string]>(
  'select id from users where id = $1 and operator = 1',
);
const selectUsable = statement<{ id: string }, [userId: string]>(
  'select id from users where id = $1 and email_verified = 1 and disabled_at is null',
);
const clearOtherOperators = statement<{ email: string }, [userId: string]>(
  'update users set operator = 0 where operator = 1 and id <> $1 returning email',
);
const markOperator = statement<never, [userId: string]>('update users set operator = 1 where id = $1');
const clearOperator = statement<{ id: string }, [userId: string]>(
  'update users set operator = 0 where operator = 1 and id = $1 returning id',
);
const newest = (table: string) => `(select max(at) from ${table} where ${table}.house = h.num)`;
const selectHouses = statement<HouseFields, [after: number, limit: number]>(
  `select h.num, h.id, h.name, h.created_at, (select count(*) from members where members.house = h.num) as people,
     coalesce((select sum(live) from item_tallies where item_tallies.house = h.num), 0) as items,
     ${newest('stock_movements')} as moved_at, ${newest('item_events')} as edited_at,
     ${newest('settings_events')} as changed_at
   from houses h where h.num > $1 and h.deleted_at is null order by h.num limit $2`,
);
const PERSON = `select u.id, u.name, u.email, u.created_at, u.disabled_at,
    (select count(*) from members where members.user_id = u.id) as houses
  from users u where u.email_verified = 1 and u.email_key is not null`;
const selectPeople = statement<PersonFields, [after: string, limit: number]>(
  `${PERSON} and u.id > $1 order by u.id limit $2`,
);
const selectPerson = statement<PersonFields, [id: string]>(`${PERSON} and u.id = $1`);
const markDisabled = statement<{ id: string }, [id: string, at: number]>(
  'update users set disabled_at = $2 where id = $1 and disabled_at is null returning id',
);
const markEnabled = statement<{ id: string }, [id: string]>(
  'update users set disabled_at = null where id = $1 and disabled_at is not null returning id',
);
const selectHousesOf = statement<{ house: number }, [userId: string]>('select house from members where user_id = $1');
const lockHouse = statement<{ num: number }, [id: string]>(
  'update houses set name = name where id = $1 and deleted_at is null returning num',
);
const selectOwners = statement<{ email: string; disabled_at: number | null }, [house: number]>(
  `select users.email, users.disabled_at from members join users on users.id = members.user_id
   where members.house = $1 and members.role = 'owner'`,
);
const selectRole = statement<{ role: string }, [house: number, userId: string]>(
  'select role from members where house = $1 and user_id = $2',
);
const upsertOwner = statement<never, [house: number, userId: string, at: number]>(
  `insert into members (house, user_id, role, joined_at) values ($1, $2, 'owner', $3)
   on conflict (user_id, house) do update set role = 'owner'`,
);
/** Those of houses stay on: they are not the person's. */
const switchOffWebhooks = statement<never, [userId: string]>(
  `update webhooks set state = 'off', off_reason = 'by_hand', failing_since = null where owner_id = $1 and state = 'on'`,
);
