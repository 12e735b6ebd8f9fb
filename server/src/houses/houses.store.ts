import { MAX_HOUSES, type WireHouse } from '@perfume/contract/houses';
import type { User } from '@perfume/contract/identity';
import type { HouseRole } from '@perfume/domain/houses';
import { foldForSearch } from '@perfume/domain/text';
import type { Db } from '../db/core/database.ts';
import { type Idempotency, type KeyReused, type Replayed, runIdempotent } from '../db/core/idempotency.ts';
import { newId } from '../db/core/ids.ts';
import { lockItems } from '../db/core/lock-items.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { type Queries, statement } from '../db/core/statement.ts';
import type { Action } from '../items/item-events.ts';
import { propagateFirst, propagatePublished, publishItems } from '../items/published.store.ts';
import { recordHouseEvent } from './house-events.store.ts';
import { addMember, announce, findMembership, type Membership } from './members.store.ts';

const MAX_SLUG = 60;

export async function listHouses(db: Queries, userId: string): Promise<WireHouse[]> {
  const current = await findMembership(db, userId, null);
  return (await selectHouses(db, userId)).map((row) => toWireHouse(row, row.num === current?.house));
}

/** The house that everybody shares with `ACCESS=open`, where visitors see all items. */
export async function sharedHouse(db: Queries): Promise<WireHouse> {
  const [row] = await selectHouse(db, SHARED_HOUSE);
  if (!row) throw new Error('the migration made this house');
  return toWireHouse({ ...row, published: 1, role: 'manager' }, true);
}

export async function findHouse(db: Queries, { house, role }: Membership, userId: string): Promise<WireHouse> {
  const [row] = await selectHouse(db, house);
  if (!row) throw new Error('a house of a member is never removed');
  const current = await findMembership(db, userId, null);
  return toWireHouse({ ...row, role }, current?.house === house);
}

type Creation = { name: string; at: number; onlyAsFirst?: boolean };
type Created =
  | { ok: true; num: number; house: WireHouse }
  | ({ ok: false; reason: 'too_many_houses' | 'not_signed_in' } & Replayed);

/**
 * Creates a house and makes the person its owner, who works in it from now on. With `onlyAsFirst`, nothing happens if
 * the person was ever a member of a house.
 */
export async function createHouse(
  db: Db,
  user: Pick<User, 'id' | 'name'>,
  creation: Creation,
): Promise<Membership | 'too_many_houses' | null> {
  const created = await createHouseOnce(db, user, creation, null);
  if (created.ok) return { house: created.num, role: 'owner' };
  return created.reason === 'too_many_houses' ? created.reason : null;
}

/** The same for a request that may be repeated. If two houses get the same address at once, the second takes another. */
export function createHouseOnce(
  db: Db,
  user: Pick<User, 'id' | 'name'>,
  { name, at, onlyAsFirst = false }: Creation,
  idempotency: Idempotency | null,
): Promise<Created | KeyReused> {
  return runIdempotent<Created>(db, idempotency, async (db) => {
    // Two requests at once wait for each other here, so a person does not get two first houses, nor one too many.
    const [person] = await lockUser(db, user.id);
    if (!person || (onlyAsFirst && person.house !== null)) return { ok: false, reason: 'not_signed_in' };
    const [own] = await countHouses(db, user.id);
    if (!own || own.count >= MAX_HOUSES) return { ok: false, reason: 'too_many_houses' };
    const num = await createHouseIn(db, user, { name, at });
    return { ok: true, num, house: await findHouse(db, { house: num, role: 'owner' }, user.id) };
  });
}

/** The same within a transaction, whatever the person already has. Returns the number of the house. */
export async function createHouseIn(
  db: Queries,
  user: Pick<User, 'id' | 'name'>,
  { name, at }: { name: string; at: number },
): Promise<number> {
  const id = newId(at);
  const [house] = await insertHouse(db, id, name, await freeSlug(db, name, id), at);
  if (!house) throw new Error('an insert returns its row');
  const action = { id: newId(at), actor: user, at, batch: null, undoes: null };
  await recordHouseEvent(db, house.num, action, {
    kind: 'created',
    person: null,
    changes: [{ field: 'name', from: null, to: name }],
  });
  await addMember(db, house.num, user, 'owner', at);
  return house.num;
}

/** Renames a house, or publishes its items. */
export async function changeHouse(
  db: Db,
  house: number,
  change: { name?: string | undefined; published?: boolean | undefined },
  action: Action,
): Promise<void> {
  const { dialect } = db;
  await db.change(async (db) => {
    if (change.published !== undefined) await lockItems(dialect, db);
    const [before] = await lockHouse(db, house);
    if (!before) throw new Error('a house of a member is never removed');
    const { name = before.name, published = before.published === 1 } = change;
    if (name !== before.name) {
      const changes = [{ field: 'name', from: before.name, to: name }];
      await recordHouseEvent(
        db,
        house,
        { ...action, id: newId(action.at) },
        { kind: 'renamed', person: null, changes },
      );
    }
    if (published !== (before.published === 1)) {
      const kind = published ? 'published' : 'unpublished';
      await recordHouseEvent(db, house, { ...action, id: newId(action.at) }, { kind, person: null, changes: [] });
      await publishItems(db, house, published);
    }
    await rename(db, house, name);
    await announce(db, house, action.at);
  });
  if (change.published === undefined) return;
  await propagateFirst(db, house);
  void propagatePublished(db).catch(() => {});
}

/** Closes a house: nobody is a member any more, and visitors no longer see it. */
export async function deleteHouse(db: Db, house: number, action: Action): Promise<void> {
  const { dialect } = db;
  await db.change(async (db) => {
    await lockItems(dialect, db);
    await recordHouseEvent(db, house, action, { kind: 'deleted', person: null, changes: [] });
    await markDeleted(db, house, action.at);
    await publishItems(db, house, false);
    await deleteMembers(db, house);
    await deleteInvitations(db, house);
    await deleteKeys(db, house);
    await deleteViews(db, house);
    await deleteWebhooks(db, house);
    await announce(db, house, action.at);
  });
  void propagatePublished(db).catch(() => {});
}

/** Returns an address that no other house has: the name, and if that is taken, with the beginning of the id. */
async function freeSlug(db: Queries, name: string, id: string): Promise<string> {
  const words = foldForSearch(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '');
  // Every path with /dashboard in it belongs to the dashboard.
  const slug = /^(?!dashboard)./.test(words) ? words : `house-${words}`.replace(/-$/, '');
  const [taken] = await selectSlug(db, slug);
  // The end of an id is random; its beginning is the time.
  return taken ? `${slug}-${id.slice(-8)}` : slug;
}

type HouseFields = { num: number; id: string; name: string; slug: string; published: 0 | 1; role: HouseRole };

function toWireHouse({ id, name, slug, published, role }: HouseFields, current: boolean): WireHouse {
  return { id, name, slug, published: published === 1, role, current };
}

const FIELDS = 'houses.num, houses.id, houses.name, houses.slug, houses.published';
const selectHouses = statement<HouseFields, [userId: string]>(
  `select ${FIELDS}, members.role from members join houses on houses.num = members.house
   where members.user_id = $1 and houses.deleted_at is null order by members.joined_at, houses.num limit ${MAX_HOUSES}`,
);
const selectHouse = statement<Omit<HouseFields, 'role'>, [house: number]>(
  `select ${FIELDS} from houses where num = $1 and deleted_at is null`,
);
const lockUser = statement<{ house: number | null }, [userId: string]>(
  'update users set updated_at = updated_at where id = $1 returning house',
);
const countHouses = statement<{ count: number }, [userId: string]>(
  'select count(*) as count from members where user_id = $1',
);
const selectSlug = statement<{ slug: string }, [slug: string]>('select slug from houses where slug = $1');
const insertHouse = statement<{ num: number }, [id: string, name: string, slug: string, at: number]>(
  'insert into houses (id, name, slug, created_at) values ($1, $2, $3, $4) returning num',
);
const lockHouse = statement<{ name: string; published: 0 | 1 }, [house: number]>(
  'update houses set name = name where num = $1 returning name, published',
);
const rename = statement<never, [house: number, name: string]>('update houses set name = $2 where num = $1');
const markDeleted = statement<never, [house: number, at: number]>('update houses set deleted_at = $2 where num = $1');
const deleteMembers = statement<never, [house: number]>('delete from members where house = $1');
const deleteInvitations = statement<never, [house: number]>('delete from house_invitations where house = $1');
const deleteKeys = statement<never, [house: number]>('delete from api_keys where house = $1');
const deleteViews = statement<never, [house: number]>('delete from views where house = $1');
const deleteWebhooks = statement<never, [house: number]>("update webhooks set state = 'deleted' where house = $1");
