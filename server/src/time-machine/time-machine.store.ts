import { type EditableField, type EditableItem, editableFields } from '@perfume/domain/edits';
import type { Item } from '@perfume/domain/items';
import type { SortOrder } from '@perfume/domain/list-filters';
import { BILLION, centsOf } from '@perfume/domain/money';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { reorderPointOf } from '../db/core/reorder-point.ts';
import { matches, wantedText } from '../db/core/search.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { toItem } from '../items/item-row.ts';
import { longRead, sortOf } from '../items/items.list.ts';

export type AsOfQuery = {
  house: number;
  at: number;
  limit: number;
  skip: number;
  sort: SortOrder;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
};

// $1 is the instant and $2 the house. The quantity at that instant is the one that the item's last movement up to then left.
const QUANTITY_THEN = `(select m.quantity_after from stock_movements m
  where m.item_id = items.id and m.at <= $1 order by m.seq desc limit 1)`;

// The items that were deleted at the instant, as one list: few items are ever deleted. `+ 0` keeps the planner from the
// index by time, which also has every edit. The second half covers deletions from the time before deletions were recorded
// as events.
const DELETED_THEN = `deleted_then as materialized (
  select item_id from (
    select e.item_id, e.kind, row_number() over (partition by e.item_id order by e.num desc) as back
    from item_events e where e.house = $2 and e.kind <> 'edited' and e.at + 0 <= $1) as changes
  where back = 1 and kind = 'deleted'
  union
  select id from items where house = $2 and deleted_at <= $1 and not exists (
    select 1 from item_events e where e.house = $2 and e.item_id = items.id and e.kind <> 'edited'))`;

const EXISTED = 'items.house = $2 and items.created_at <= $1 and items.id not in (select item_id from deleted_then)';

/**
 * SQL that selects columns of items, with the quantity each item had at the instant, looked up one item after another.
 * PostgreSQL reads the shared house faster with one pass over the ledger in the order of a covering index.
 */
function itemsThen({ dialect }: Db, house: number, columns: string, from: string, where: string[]): string {
  const there = where.join(' and ');
  if (dialect === 'sqlite' || house !== SHARED_HOUSE)
    return `select ${columns}, ${QUANTITY_THEN} as then_quantity from ${from} where ${there}`;
  return `select ${columns}, last_then.quantity_after as then_quantity from ${from} left join (
      select distinct on (item_id) item_id, quantity_after from stock_movements
      where at <= $1 order by item_id desc, seq desc
    ) last_then on last_then.item_id = items.id where ${there}`;
}

/** SQL for the reorder point that was in effect at the instant: the item's own of that time, or else the house's. */
function lowAtThen(db: Db): string {
  return `coalesce(${numberThen(db, 'reorderPoint', 'items.reorder_point')}, ${housePointThen(db)}) as low_at_then`;
}

/**
 * SQL for the number that a field of an item had at the instant, looked up one item after another. `now` is the column
 * that has it now. JSON has `null` for a reorder point that was not the item's own.
 */
function numberThen(db: Db, field: 'priceCents' | 'reorderPoint', now: string): string {
  const value = `(select ${OLD_VALUE} from ${firstChange(db, field, 'items.id')})`;
  return `cast(nullif(coalesce(${value}, cast(${now} as text)), 'null') as bigint)`;
}

/** SQL for the house's reorder point at the instant: what its first change since then changed it from. */
function housePointThen(db: Db): string {
  const changes = db.dialect === 'sqlite' ? 'changes' : 'changes::json';
  return `coalesce((select cast(${changes} -> 0 ->> 'from' as bigint) from settings_events
    where house = $2 and at > $1 and ${hasChanged(db, 'reorderPoint')} order by at, num limit 1), ${reorderPointOf('$2')})`;
}

/** Finding a page takes long, however short it is. But whole items may be long, so few are read at a time. */
const EXPORT_PAGE = 2_000;
const ITEMS_AT_ONCE = 100;

/** All items that match, as they were, some at a time: what a file of them is made of. */
export async function* eachPageAsOf(db: Db, query: Omit<AsOfQuery, 'limit' | 'skip'>): AsyncGenerator<Item[]> {
  for (let skip = 0, total = 1; skip < total; skip += EXPORT_PAGE) {
    const page = await findAsOf(db, { ...query, limit: EXPORT_PAGE, skip });
    total = page.total;
    for (let at = 0; at < page.found.length; at += ITEMS_AT_ONCE)
      yield await itemsAsOf(db, query, page.found.slice(at, at + ITEMS_AT_ONCE));
  }
}

/** A page of the items as they were at an instant. */
export async function listAsOf(db: Db, query: AsOfQuery): Promise<{ items: Item[]; total: number }> {
  const { found, total } = await findAsOf(db, query);
  return { items: await itemsAsOf(db, query, found), total };
}

type Found = { id: string; then_quantity: number; house_point: number };

/** Which items are on a page, with the quantity of each and the house's reorder point at the instant. */
async function findAsOf(db: Db, query: AsOfQuery): Promise<{ found: Found[]; total: number }> {
  const { column, descending } = sortOf(query.sort);
  const direction = descending ? 'desc' : 'asc';
  const params: unknown[] = [query.at, query.house];
  const where = [EXISTED];
  let from = 'items';
  let num = 'items.num';
  const wanted = wantedText(query.q);
  if (wanted !== '') {
    const search = await matches(db, query.house, wanted, params, { inLongQuery: true });
    from = search.from;
    num = search.num;
    where.push(search.condition);
  }
  const read = longRead(db, { isSearch: wanted !== '' });
  const paged = `limit $${params.push(query.limit)} offset $${params.push(query.skip)}`;
  const inOrder = (by: string, num = 'num') =>
    `order by ${by === 'num' ? '' : `${by} ${direction}, `}${num} ${direction}`;
  // The quantity of every item is needed only when it filters or sorts the list.
  const needsAllQuantities = query.stock !== null || column === 'quantity';
  const then = column === 'quantity' ? 'then_quantity' : column;
  const filter = query.stock ? `where ${stockConditionsThen[query.stock]}` : '';
  const isLow = query.stock === 'low';
  const sorted = ['items.id', 'items.num', ...(column === 'num' ? [] : [`items.${column}`])].join(', ');
  const housePoint = `${housePointThen(db)} as house_point`;
  const columns = `${sorted}, ${housePoint}${isLow ? `, ${lowAtThen(db)}` : ''}`;
  const select = needsAllQuantities
    ? `select id, then_quantity, house_point from (${itemsThen(db, query.house, columns, from, where)}) as was
       ${filter} ${inOrder(then)} ${paged}`
    : `select id, ${QUANTITY_THEN} as then_quantity, ${housePoint}
       from (select ${sorted} from ${from} where ${where.join(' and ')} ${inOrder(column, num)} ${paged}) as items
       ${inOrder(column)}`;
  const found = await read<Found>(`with ${DELETED_THEN} ${select}`, params);
  const isComplete = query.skip === 0 && found.length < query.limit;
  const total = isComplete ? found.length : await countAsOf(db, query, read, from, where, params.slice(0, -2));
  return { found, total };
}

const stockConditionsThen = {
  out: 'then_quantity = 0',
  low: 'then_quantity <= low_at_then',
  in: 'then_quantity > 0',
} as const;

async function countAsOf(
  db: Db,
  { house, stock }: AsOfQuery,
  read: Db['longQuery'],
  from: string,
  where: string[],
  params: unknown[],
): Promise<number> {
  const counted = stock
    ? `select count(*) as total from (${itemsThen(db, house, stock === 'low' ? lowAtThen(db) : 'items.num', from, where)}) as was
       where ${stockConditionsThen[stock]}`
    : `select count(*) as total from ${from} where ${where.join(' and ')}`;
  const [row] = await read<{ total: number }>(`with ${DELETED_THEN} ${counted}`, params);
  return Number(row?.total ?? 0);
}

export type FiguresThen = { items: number; units: number; valueCents: number; out: number; low: number };

/** The totals at an instant, at the prices of that time. */
export async function figuresAsOf(db: Db, house: number, at: number): Promise<FiguresThen> {
  const [sum] = await db.longQuery<
    Record<'items' | 'units' | 'worth_e9' | 'worth' | 'out' | 'low', number | string | null>
  >(
    `with ${DELETED_THEN},
     was as materialized (${itemsThen(
       db,
       house,
       `${numberThen(db, 'priceCents', 'items.price_cents')} as price_cents, ${lowAtThen(db)}`,
       'items',
       [EXISTED],
     )})
     select count(*) as items, sum(then_quantity) as units,
       sum(then_quantity * price_cents / ${BILLION}) as worth_e9, sum(then_quantity * price_cents % ${BILLION}) as worth,
       count(case when ${stockConditionsThen.out} then 1 end) as out,
       count(case when ${stockConditionsThen.low} then 1 end) as low
     from was`,
    [at, house],
  );
  return {
    items: Number(sum?.items ?? 0),
    units: Number(sum?.units ?? 0),
    valueCents: centsOf({ worth_e9: Number(sum?.worth_e9 ?? 0), worth: Number(sum?.worth ?? 0) }),
    out: Number(sum?.out ?? 0),
    low: Number(sum?.low ?? 0),
  };
}

/** SQL for the value (as JSON) that a field had at the instant $1, for each item in the table `ids` whose field was edited since. */
function fieldThen(db: Db, field: EditableField, ids: string): string {
  return `select ${ids}.id as item_id, '${field}' as field, ${OLD_VALUE} as value
    from ${ids} cross join ${firstChange(db, field, `${ids}.id`)}`;
}

const OLD_VALUE = `cast(change.value -> 'from' as text)`;

/**
 * SQL for the first change of a field after the instant $1, which says what the value was until then. Later edits are not
 * read, because anyone can make thousands of them.
 */
function firstChange(db: Db, field: EditableField, itemId: string): string {
  const firstEdit = `(select changes from item_events
    where house = $2 and item_id = ${itemId} and at > $1 and ${hasChanged(db, field)} order by at, num limit 1)`;
  const changes = db.dialect === 'sqlite' ? `json_each(${firstEdit})` : `json_array_elements(${firstEdit}::json)`;
  return `${changes} as change where change.value ->> 'field' = '${field}'`;
}

/**
 * SQL that tells whether an edit changed the field. It repeats the condition of the field's own index word for word,
 * because otherwise the planner does not use that index.
 */
function hasChanged({ dialect }: Db, field: EditableField): string {
  const name = `"field":"${field}"`;
  return dialect === 'sqlite' ? `changes glob '*${name}*'` : `strpos(changes, '${name}') > 0`;
}

/** Reads the items that were found. Every field that was edited since the instant gets the value it had then. */
async function itemsAsOf(db: Db, { house, at }: Pick<AsOfQuery, 'house' | 'at'>, found: Found[]): Promise<Item[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const oneOf = (first: number) => `id in (${ids.map((_, index) => `$${index + first}`).join(', ')})`;
  const rows = await db.longQuery<Selectable<ItemRow>>(`select * from items where ${oneOf(1)}`, ids);
  const edited = await db.longQuery<{ item_id: string; field: EditableField; value: string }>(
    `with shown as materialized (select id from items where ${oneOf(3)})
     ${editableFields.map((field) => fieldThen(db, field, 'shown')).join(' union all ')}`,
    [at, house, ...ids],
  );
  const before = new Map<string, Partial<Record<EditableField, unknown>>>();
  for (const { item_id: id, field, value } of edited)
    before.set(id, { ...before.get(id), [field]: JSON.parse(value) as unknown });
  const now = new Map(rows.map((row) => [row.id, toItem(row)]));
  return found.flatMap(({ id, then_quantity: quantity, house_point: housePoint }) => {
    const item = now.get(id);
    if (!item) return [];
    const then = { ...item, ...(before.get(id) as Partial<EditableItem> | undefined), quantity };
    return { ...then, lowAt: then.reorderPoint ?? housePoint };
  });
}

/** The time of the first movement of a house; null while there is none. */
export async function firstMovementAt(db: Db, house: number): Promise<number | null> {
  const [first] = await earliest(db.query, house);
  return first?.at ?? null;
}

const earliest = statement<{ at: number }, [house: number]>(
  'select at from stock_movements where house = $1 order by at, id limit 1',
);
