import { type EditableField, type EditableItem, editableFields } from '@perfume/domain/edits';
import type { Item } from '@perfume/domain/items';
import type { SortOrder } from '@perfume/domain/list-filters';
import { BILLION, centsOf } from '@perfume/domain/money';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { ALL_ITEMS, asOneStatement, rowsOf, type Which } from '../db/core/kept-query.ts';
import { reorderPointOf } from '../db/core/reorder-point.ts';
import { matches, wantedText } from '../db/core/search.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { farPage } from '../items/far-page.ts';
import { toItem } from '../items/item-row.ts';
import { sortOf } from '../items/sort-column.ts';

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
// index by time, which also has every edit.
const deletedThen = (which: Which) => `deleted_then as materialized (
  select item_id from (
    select e.item_id, e.kind, row_number() over (partition by e.item_id order by e.num desc) as back
    from item_events e where e.house = $2 and e.kind <> 'edited' and e.at + 0 <= $1${which.id('e.item_id')}) as changes
  where back = 1 and kind = 'deleted')`;

// The last part covers deletions from the time before deletions were recorded as events.
const EXISTED = `items.house = $2 and items.created_at <= $1 and items.id not in (select item_id from deleted_then)
  and (items.deleted_at is null or items.deleted_at > $1 or exists (
    select 1 from item_events e where e.house = $2 and e.item_id = items.id and e.kind <> 'edited'))`;

/**
 * SQL that selects columns of items, with the quantity each item had at the instant, looked up one item after another.
 * PostgreSQL reads all of the shared house faster with one pass over the ledger in the order of a covering index.
 */
function itemsThen(
  { dialect }: Db,
  house: number,
  which: Which,
  { columns, from = which.items, there }: { columns: string; from?: string; there: string },
): string {
  if (dialect === 'sqlite' || house !== SHARED_HOUSE || which !== ALL_ITEMS)
    return `select ${columns}, ${QUANTITY_THEN} as then_quantity from ${from} where ${there}`;
  return `select ${columns}, last_then.quantity_after as then_quantity from ${from} left join (
      select distinct on (item_id) item_id, quantity_after from stock_movements
      where at <= $1 order by item_id desc, seq desc
    ) last_then on last_then.item_id = items.id where ${there}`;
}

/** SQL for the reorder point that was in effect at the instant: the item's own of that time, or else the house's, a parameter. */
function lowAtThen(db: Db, housePoint: string): string {
  return `coalesce(${numberThen(db, 'reorderPoint', 'items.reorder_point')}, cast(${housePoint} as bigint)) as low_at_then`;
}

/**
 * SQL for the number that a field of an item had at the instant, looked up one item after another. `now` is the column
 * that has it now. JSON has `null` for a reorder point that was not the item's own.
 */
function numberThen(db: Db, field: 'priceCents' | 'reorderPoint', now: string): string {
  const value = `(select ${OLD_VALUE} from ${firstChange(db, field, 'items.id')})`;
  return `cast(nullif(coalesce(${value}, cast(${now} as text)), 'null') as bigint)`;
}

/** The house's reorder point at the instant: what its first change since then changed it from. */
async function housePointAt(db: Db, house: number, at: number): Promise<number> {
  const changes = db.dialect === 'sqlite' ? 'changes' : 'changes::json';
  const [then] = await db.longQuery<{ point: number }>(
    `select coalesce((select cast(${changes} -> 0 ->> 'from' as bigint) from settings_events
      where house = $2 and at > $1 and ${hasChanged(db, 'reorderPoint')} order by at, num limit 1),
      ${reorderPointOf('$2')}) as point`,
    [at, house],
  );
  if (!then) throw new Error('a query without a table always has a row');
  return then.point;
}

/** Whole items may be long, so few are read at a time. */
const EXPORT_PAGE = 2_000;
const ITEMS_AT_ONCE = 100;

/** All items that match, as they were, some at a time: what a file of them is made of. */
export async function* eachPageAsOf(db: Db, query: Omit<AsOfQuery, 'limit' | 'skip'>): AsyncGenerator<Item[]> {
  for (let skip = 0, total = 1; skip < total; skip += EXPORT_PAGE) {
    const page = await findAsOf(db, { ...query, limit: EXPORT_PAGE, skip });
    total = page.total;
    for (let at = 0; at < page.found.length; at += ITEMS_AT_ONCE)
      yield await itemsAsOf(db, query, { ...page, found: page.found.slice(at, at + ITEMS_AT_ONCE) });
  }
}

/** A page of the items as they were at an instant. */
export async function listAsOf(db: Db, query: AsOfQuery): Promise<{ items: Item[]; total: number }> {
  const page = await findAsOf(db, query);
  return { items: await itemsAsOf(db, query, page), total: page.total };
}

type Found = { id: string; then_quantity: number };
type FoundPage = { found: Found[]; total: number; housePoint: number };

/** Which items are on a page, with the quantity of each and the house's reorder point at the instant. */
async function findAsOf(db: Db, { house, at, limit, skip, sort, q, stock }: AsOfQuery): Promise<FoundPage> {
  const { column } = sortOf(sort);
  const housePoint = await housePointAt(db, house, at);
  const params: unknown[] = [at, house];
  const where = [EXISTED];
  let searched = '';
  const wanted = wantedText(q);
  if (wanted !== '') {
    const search = await matches(db, house, wanted, params, { inLongQuery: true });
    searched = search.from;
    where.push(search.condition);
  }
  // The quantity of every item is needed only when it filters or sorts the list.
  const needsQuantities = stock !== null || column === 'quantity';
  const quantity = needsQuantities ? ', then_quantity' : '';
  const low = stock === 'low' ? [lowAtThen(db, `$${params.push(housePoint)}`)] : [];
  const columns = ['items.num', `items.${column} as sorted`, ...low].join(', ');
  const { grp, order, ...far } = farPage(sort, `$${params.push(limit)}`, `$${params.push(skip)}`);
  const rows = rowsOf((which) => {
    const from = searched || which.items;
    const there = where.join(' and ') + which.where;
    const was = needsQuantities
      ? itemsThen(db, house, which, { columns, from, there })
      : `select ${columns} from ${from} where ${there}`;
    const sorted = column === 'quantity' ? 'then_quantity' : 'sorted';
    // Materialized, because SQLite would otherwise look up the quantity each time it is mentioned.
    return `with ${deletedThen(which)}, was as materialized (${was})
      select num, ${grp} as grp, sorted${quantity} from (
        select num, ${sorted} as sorted${quantity} from was where ${stock === null ? 'true' : stockConditionsThen[stock]}
      ) as listed`;
  });
  const answer = `select place, items.id, ${needsQuantities ? 'page.then_quantity' : QUANTITY_THEN} as then_quantity, total
    from (select coalesce(sum(n), 0) as total from sums) as counted
    left join (select row_number() over (order by ${order}) as place, page.* from page) as page on true
    left join items on items.num = page.num`;
  const query = {
    house,
    rows,
    ...far,
    columns: { ...far.columns, ...(needsQuantities && { then_quantity: 'bigint' as const }) },
    sums: [],
    shownSums: 'select sum(n) as n from sums',
    order,
    answer,
    params,
  };
  const found = await (wanted === ''
    ? db.keptQuery<PageRow>(query)
    : db.longSearch<PageRow>(asOneStatement(query), query.params));
  // After the last page, the total comes alone.
  return { found: found.filter(({ place }) => place !== null), total: Number(found[0]?.total ?? 0), housePoint };
}

type PageRow = Found & { place: number | null; total: number };

const stockConditionsThen = {
  out: 'then_quantity = 0',
  low: 'then_quantity <= low_at_then',
  in: 'then_quantity > 0',
} as const;

export type FiguresThen = { items: number; units: number; valueCents: number; out: number; low: number };

const SUMMED_THEN = ['units', 'worth_e9', 'worth', 'is_out', 'is_low'] as const;

/** The totals at an instant, at the prices of that time. */
export async function figuresAsOf(db: Db, house: number, at: number): Promise<FiguresThen> {
  const price = `${numberThen(db, 'priceCents', 'items.price_cents')} as price_cents`;
  const rows = rowsOf(
    (which) => `with ${deletedThen(which)}, was as materialized (
        ${itemsThen(db, house, which, { columns: `items.num, ${price}, ${lowAtThen(db, '$3')}`, there: EXISTED + which.where })}
      )
      select num, 0 as grp, then_quantity as units, then_quantity * price_cents / ${BILLION} as worth_e9,
        then_quantity * price_cents % ${BILLION} as worth, case when ${stockConditionsThen.out} then 1 else 0 end as is_out,
        case when ${stockConditionsThen.low} then 1 else 0 end as is_low
      from was`,
  );
  const [sum] = await db.keptQuery<Record<'n' | (typeof SUMMED_THEN)[number], number>>({
    house,
    rows,
    columns: {
      grp: 'bigint',
      units: 'bigint',
      worth_e9: 'bigint',
      worth: 'bigint',
      is_out: 'bigint',
      is_low: 'bigint',
    },
    sums: SUMMED_THEN,
    page: null,
    order: null,
    answer: 'select sums.*, 1 as place from sums',
    params: [at, house, await housePointAt(db, house, at)],
  });
  return {
    items: sum?.n ?? 0,
    units: sum?.units ?? 0,
    valueCents: sum ? centsOf(sum) : 0,
    out: sum?.is_out ?? 0,
    low: sum?.is_low ?? 0,
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
async function itemsAsOf(
  db: Db,
  { house, at }: Pick<AsOfQuery, 'house' | 'at'>,
  { found, housePoint }: FoundPage,
): Promise<Item[]> {
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
  return found.flatMap(({ id, then_quantity: quantity }) => {
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
