import { insertChange } from '../db/core/changes.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { type Queries, queryRows, statement } from '../db/core/statement.ts';
import { createHouseIn } from './houses.store.ts';

/**
 * Where items go. `all`: those of the shared house into this one. `email`: those of the shared house to whoever has the
 * verified account with the item's email address, and those without such an account to `rest`. `open`: those of all
 * houses into the shared one.
 */
export type Assignment = { to: 'all'; house: number } | { to: 'email'; rest: number | null } | { to: 'open' };

type Counted = 'items' | 'movements' | 'events' | 'alerts' | 'counts';
/** What goes into one house. */
export type Moved = { name: string; slug: string } & Record<Counted, number>;
export type Assigned = {
  ok: true;
  moved: Moved[];
  /** How many houses were made for people who owned none. */
  created: number;
  /** Count sessions and API keys that stay in the shared house, where nobody finds them with `ACCESS=houses`. */
  left: { counts: number; keys: number };
};
/** `house` is where the item is now. */
export type SameCode = { code: string; house: string; itemId: string; itemName: string };
export type Refused =
  | { ok: false; reason: 'open_counts'; names: string[] }
  | { ok: false; reason: 'no_account'; items: number }
  | { ok: false; reason: 'same_code'; items: SameCode[] };

/** The tables that people and servers must not change meanwhile. */
export const assignedTables = [
  'houses',
  'members',
  'items',
  'stock_movements',
  'item_events',
  'stock_alerts',
  'count_sessions',
  'views',
  'stock_summed',
];

/** How many items with the same codes, or open count sessions, are listed. */
const MAX_LISTED = 100;

/**
 * Assigns items to houses, with their movements, events, alerts, price changes and closed count sessions. Runs in the
 * transaction of `db`, which the caller rolls back after a refusal.
 */
export async function assignHouses(db: Queries, assignment: Assignment, at: number): Promise<Assigned | Refused> {
  const open = await selectOpenCounts(db, assignment.to === 'open' ? 1 : 0);
  if (open.length > 0) return { ok: false, reason: 'open_counts', names: open.map(({ name }) => name) };
  const created = assignment.to === 'email' ? await createFirstHouses(db, at) : 0;
  const target = targetOfItem(assignment);
  const homeless = await countRows(db, `items i where ${target} is null`);
  if (homeless > 0) return { ok: false, reason: 'no_account', items: homeless };
  const items = await queryRows<SameCode>(db, sameCodes(target), []);
  if (items.length > 0) return { ok: false, reason: 'same_code', items };

  const moved = new Map<number, Record<Counted, number>>();
  const concerned = new Set<number>();
  // The items first: what belongs to them follows them.
  for (const { table, counted, to } of [{ table: 'items', counted: 'items', to: target }, ...followersOf(assignment)]) {
    const moves = await queryRows<Move>(db, selectMoves(table, to), []);
    await queryRows(db, `update ${table} as i set house = ${to} where i.house <> ${to}`, []);
    for (const { source, target, rows } of moves) {
      concerned.add(source).add(target);
      const sums = moved.get(target) ?? { items: 0, movements: 0, events: 0, alerts: 0, counts: 0 };
      moved.set(target, sums);
      if (counted !== null) sums[counted as Counted] += rows;
    }
  }
  for (const house of concerned) await refreshHouse(db, house, at);
  if (assignment.to !== 'open') for (const house of concerned) await copyAlertChoices(db, house);
  return {
    ok: true,
    moved: await Promise.all([...moved].map(async ([house, sums]) => ({ ...(await nameOf(db, house)), ...sums }))),
    created,
    left:
      assignment.to === 'open'
        ? { counts: 0, keys: 0 }
        : {
            counts: await countRows(db, `count_sessions where house = ${SHARED_HOUSE}`),
            keys: await countRows(db, `api_keys where house = ${SHARED_HOUSE}`),
          },
  };
}

/** Finds a house by its id or the last part of the address of its public page. */
export async function findTarget(db: Queries, idOrSlug: string): Promise<number | null> {
  const [house] = await selectTarget(db, idOrSlug);
  return house?.num ?? null;
}

type Move = { source: number; target: number; rows: number };

/** Everything else with a house. In `to`, `i` is the row. */
function followersOf(assignment: Assignment): { table: string; counted: Counted | null; to: string }[] {
  const ofItem = '(select items.house from items where items.id = i.item_id)';
  return [
    { table: 'stock_movements', counted: 'movements', to: ofItem },
    { table: 'item_events', counted: 'events', to: ofItem },
    { table: 'stock_alerts', counted: 'alerts', to: ofItem },
    { table: 'shelf_changes', counted: null, to: '(select items.house from items where items.num = i.item)' },
    { table: 'count_sessions', counted: 'counts', to: targetOfCount(assignment) },
    { table: 'api_keys', counted: null, to: targetOfKey(assignment) },
    { table: 'views', counted: null, to: targetOfView(assignment) },
  ];
}

/** Null for an item that has nowhere to go. */
function targetOfItem(assignment: Assignment): string {
  if (assignment.to === 'open') return String(SHARED_HOUSE);
  const target =
    assignment.to === 'all'
      ? String(assignment.house)
      : `coalesce(${houseOf('users.email_key = i.email_key and users.email_verified = 1')}, ${assignment.rest})`;
  return fromShared(target);
}

/** A session with items of several houses stays in the shared one: a house must not see what another one counted. */
function targetOfCount(assignment: Assignment): string {
  if (assignment.to === 'open') return String(SHARED_HOUSE);
  if (assignment.to === 'all') return fromShared(String(assignment.house));
  return fromShared(
    `coalesce((select case when min(items.house) = max(items.house) then min(items.house) end
       from count_lines join items on items.id = count_lines.item_id where count_lines.session_id = i.id), i.house)`,
  );
}

/** A key follows its person into the house that they own. With `ACCESS=open` the house of a key does not matter. */
function targetOfKey(assignment: Assignment): string {
  if (assignment.to === 'open') return 'i.house';
  const only = assignment.to === 'all' ? `and members.house = ${assignment.house}` : '';
  return fromShared(`coalesce(${houseOf(`users.id = i.user_id ${only}`)}, i.house)`);
}

/** A view follows its person. Those of people who are not in the house stay, so that nobody sees what they filter by. */
function targetOfView(assignment: Assignment): string {
  if (assignment.to === 'open') return String(SHARED_HOUSE);
  const house =
    assignment.to === 'all'
      ? `(select members.house from members where members.house = ${assignment.house} and members.user_id = i.user_id)`
      : houseOf('users.id = i.user_id');
  return fromShared(`coalesce(${house}, i.house)`);
}

function fromShared(target: string): string {
  return `case when i.house = ${SHARED_HOUSE} then ${target} else i.house end`;
}

/** The house that a person owns: of several, the one they work in, or else the first. */
function houseOf(person: string): string {
  return `(select members.house from users join members on members.user_id = users.id and members.role = 'owner'
    join houses on houses.num = members.house and houses.deleted_at is null where ${person}
    order by case when users.house = members.house then 0 else 1 end, members.joined_at, members.house limit 1)`;
}

/** Makes a house for everybody with items in the shared house who owns none. */
async function createFirstHouses(db: Queries, at: number): Promise<number> {
  const people = await selectWithoutHouse(db);
  for (const person of people) {
    const house = await createHouseIn(db, person, { name: person.name, at });
    await copyReorderPoint(db, house, SHARED_HOUSE);
  }
  return people.length;
}

/** What is computed from the rows of a house is computed again: its sums by the next query, its low stock by a server. */
async function refreshHouse(db: Queries, house: number, at: number): Promise<void> {
  await dropItemDays(db, house);
  await dropHours(db, house);
  await dropBoundary(db, house);
  await applyReorderPoint(db, house);
  await insertChange(db, house, '', 'house', at);
}

async function countRows(db: Queries, from: string): Promise<number> {
  const [row] = await queryRows<{ count: number }>(db, `select count(*) as count from ${from}`, []);
  return row?.count ?? 0;
}

async function nameOf(db: Queries, house: number): Promise<{ name: string; slug: string }> {
  const [row] = await selectName(db, house);
  if (!row) throw new Error('houses are never removed');
  return row;
}

function selectMoves(table: string, to: string): string {
  return `select source, target, count(*) as rows from (select i.house as source, ${to} as target from ${table} i) as moves
    where source <> target group by source, target order by target, source`;
}

function sameCodes(target: string): string {
  return `select same.code, houses.name as house, same."itemId", same."itemName" from (
      select c.code_key as code, i.id as "itemId", i.name as "itemName", i.house as source, ${target} as target,
        count(*) over (partition by ${target}, c.code_key) as items
      from item_codes c join items i on i.id = c.item_id
    ) as same join houses on houses.num = same.source
    where same.items > 1 order by same.target, same.code, same."itemId" limit ${MAX_LISTED}`;
}

const selectOpenCounts = statement<{ name: string }, [ofAllHouses: 0 | 1]>(
  `select name from count_sessions
   where state in ('open', 'posting') and (house = ${SHARED_HOUSE} or cast($1 as bigint) = 1) order by num limit ${MAX_LISTED}`,
);
const selectWithoutHouse = statement<{ id: string; name: string }, []>(
  `select u.id, u.name from users u where u.email_verified = 1
     and u.email_key in (select email_key from items where house = ${SHARED_HOUSE})
     and ${houseOf('users.id = u.id')} is null order by u.id`,
);
const selectTarget = statement<{ num: number }, [idOrSlug: string]>(
  'select num from houses where (id = $1 or slug = $1) and deleted_at is null',
);
const selectName = statement<{ name: string; slug: string }, [house: number]>(
  'select name, slug from houses where num = $1',
);
const copyReorderPoint = statement<never, [house: number, from: number]>(
  'update houses set reorder_point = (select reorder_point from houses where num = $2) where num = $1',
);
const dropItemDays = statement<never, [house: number]>(
  'delete from item_days where item in (select num from items where house = $1)',
);
const dropHours = statement<never, [house: number]>('delete from stock_hours where house = $1');
const dropBoundary = statement<never, [house: number]>('delete from stock_summed where house = $1');
const applyReorderPoint = statement<never, [house: number]>(
  'update houses set applied_to = 0, apply_until = (select coalesce(max(num), 0) from items) where num = $1',
);
// People keep what they chose in the shared house, and what they have seen there is not new to them.
const copyAlertChoices = statement<never, [house: number]>(
  `insert into alert_choices (user_id, house, mail, about, seen_txid, seen_num, digest_at, digest_from)
   select c.user_id, members.house, c.mail, c.about, c.seen_txid, c.seen_num, c.digest_at, c.digest_from
   from alert_choices c join members on members.user_id = c.user_id and members.house = $1
   where c.house = ${SHARED_HOUSE}
   on conflict do nothing`,
);
