import type { SortOrder } from '@perfume/contract/items';
import type { EditableItem } from '@perfume/domain/edits';
import type { Item } from '@perfume/domain/items';
import { BILLION, centsOf } from '@perfume/domain/money';
import { foldForSearch } from '@perfume/domain/text';
import type { Selectable } from 'kysely';
import type { Db } from '../db/core/database.ts';
import { matches } from '../db/core/search.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import type { FieldChange } from '../items/item-events.ts';
import { toItem } from '../items/item-row.ts';
import { sortOf } from '../items/items.list.ts';

export type AsOfQuery = {
  at: number;
  limit: number;
  skip: number;
  sort: SortOrder;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
};

// $1 is the instant. The quantity at that instant is the one that the item's last movement up to then left.
const QUANTITY_THEN = `(select m.quantity_after from stock_movements m
  where m.item_id = items.id and m.at <= $1 order by m.seq desc limit 1)`;

// The items that were deleted at the instant, as one list: few items are ever deleted. The second half covers deletions
// made before they were recorded as events.
const DELETED_THEN = `deleted_then as materialized (
  select item_id from (
    select e.item_id, e.kind, row_number() over (partition by e.item_id order by e.num desc) as back
    from item_events e where e.kind in ('deleted', 'restored') and e.at <= $1) as changes
  where back = 1 and kind = 'deleted'
  union
  select id from items where deleted_at <= $1 and not exists (
    select 1 from item_events e where e.item_id = items.id and e.kind in ('deleted', 'restored')))`;

const EXISTED = 'items.created_at <= $1 and items.id not in (select item_id from deleted_then)';

/**
 * Columns of items with the quantity each had at the instant. SQLite looks up one item after another; PostgreSQL is faster
 * with one pass over the ledger in the order of a covering index.
 */
function itemsThen({ dialect }: Db, columns: string, from: string, where: string[]): string {
  const there = where.join(' and ');
  if (dialect === 'sqlite') return `select ${columns}, ${QUANTITY_THEN} as then_quantity from ${from} where ${there}`;
  return `select ${columns}, last_then.quantity_after as then_quantity from ${from} left join (
      select distinct on (item_id) item_id, quantity_after from stock_movements
      where at <= $1 order by item_id desc, seq desc
    ) last_then on last_then.item_id = items.id where ${there}`;
}

/** A page of the items as they were. */
export async function listAsOf(db: Db, query: AsOfQuery): Promise<{ items: Item[]; total: number }> {
  const { column, descending } = sortOf(query.sort);
  const direction = descending ? 'desc' : 'asc';
  const params: unknown[] = [query.at];
  const where = [EXISTED];
  let from = 'items';
  const wanted = query.q === null ? '' : foldForSearch(query.q);
  if (wanted !== '') {
    const search = await matches(db, wanted, params);
    from = search.from;
    where.push(search.condition);
  }
  const paged = `limit $${params.push(query.limit)} offset $${params.push(query.skip)}`;
  const inOrder = (by: string) => `order by ${by} ${direction}${by === 'num' ? '' : `, num ${direction}`}`;
  // The quantity of every item is needed only when it filters or sorts the list.
  const needsAllQuantities = query.stock !== null || column === 'quantity';
  const then = column === 'quantity' ? 'then_quantity' : column;
  const filter = query.stock ? `where ${stockConditionsThen[query.stock]}` : '';
  const select = needsAllQuantities
    ? `select * from (${itemsThen(db, 'items.*', from, where)}) as was ${filter} ${inOrder(then)} ${paged}`
    : `select items.*, ${QUANTITY_THEN} as then_quantity
       from (select items.* from ${from} where ${where.join(' and ')} ${inOrder(column)} ${paged}) as items
       ${inOrder(column)}`;
  const rows = await db.longQuery<Selectable<ItemRow> & { then_quantity: number }>(
    `with ${DELETED_THEN} ${select}`,
    params,
  );
  const isComplete = query.skip === 0 && rows.length < query.limit;
  const total = isComplete ? rows.length : await countAsOf(db, query, from, where, params.slice(0, -2));
  const items = await withFieldsThen(
    db,
    query.at,
    rows.map((row) => ({ ...toItem(row), quantity: row.then_quantity })),
  );
  return { items, total };
}

const stockConditionsThen = {
  out: 'then_quantity = 0',
  low: 'then_quantity <= low_at',
  in: 'then_quantity > 0',
} as const;

async function countAsOf(
  db: Db,
  { stock }: AsOfQuery,
  from: string,
  where: string[],
  params: unknown[],
): Promise<number> {
  const counted = stock
    ? `select count(*) as total from (${itemsThen(db, 'items.low_at', from, where)}) as was where ${stockConditionsThen[stock]}`
    : `select count(*) as total from ${from} where ${where.join(' and ')}`;
  const [row] = await db.longQuery<{ total: number }>(`with ${DELETED_THEN} ${counted}`, params);
  return Number(row?.total ?? 0);
}

export type FiguresThen = { items: number; units: number; valueCents: number; out: number; low: number };

/** The totals at an instant, at the prices of that time. */
export async function figuresAsOf(db: Db, at: number): Promise<FiguresThen> {
  const [sum] = await db.longQuery<
    Record<'items' | 'units' | 'worth_e9' | 'worth' | 'out' | 'low', number | string | null>
  >(
    `with ${DELETED_THEN}, was as materialized (${itemsThen(db, 'items.price_cents, items.low_at', 'items', [EXISTED])})
     select count(*) as items, sum(then_quantity) as units,
       sum(then_quantity * price_cents / ${BILLION}) as worth_e9, sum(then_quantity * price_cents % ${BILLION}) as worth,
       count(case when ${stockConditionsThen.out} then 1 end) as out,
       count(case when ${stockConditionsThen.low} then 1 end) as low
     from was`,
    [at],
  );
  return {
    items: Number(sum?.items ?? 0),
    units: Number(sum?.units ?? 0),
    valueCents:
      centsOf({ worth_e9: Number(sum?.worth_e9 ?? 0), worth: Number(sum?.worth ?? 0) }) +
      (await valueOfPriceChanges(db, at)),
    out: Number(sum?.out ?? 0),
    low: Number(sum?.low ?? 0),
  };
}

/** How much the value at the instant differs because of later price changes. */
async function valueOfPriceChanges(db: Db, at: number): Promise<number> {
  const edits = await db.longQuery<{ item_id: string; changes: string; price_cents: number; quantity: number }>(
    `with ${DELETED_THEN} select e.item_id, e.changes, items.price_cents, ${QUANTITY_THEN} as quantity
     from item_events e join items on items.id = e.item_id
     where e.at > $1 and e.kind = 'edited' and e.changes like '%"priceCents"%' and ${EXISTED} order by e.num`,
    [at],
  );
  const seen = new Set<string>();
  let difference = 0;
  for (const edit of edits) {
    const price = (JSON.parse(edit.changes) as FieldChange[]).find(({ field }) => field === 'priceCents');
    // The first change after the instant names the price at the instant.
    if (!price || seen.has(edit.item_id)) continue;
    seen.add(edit.item_id);
    difference += (Number(price.from) - edit.price_cents) * edit.quantity;
  }
  return difference;
}

/** Reverts the edits made since. */
async function withFieldsThen(db: Db, at: number, items: Item[]): Promise<Item[]> {
  if (items.length === 0) return items;
  const placeholders = items.map((_, index) => `$${index + 2}`).join(', ');
  const edits = await queryRows<{ item_id: string; changes: string }>(
    db.query,
    `select item_id, changes from item_events
     where item_id in (${placeholders}) and at > $1 and kind = 'edited' order by num desc`,
    [at, ...items.map(({ id }) => id)],
  );
  const then = new Map(items.map((item) => [item.id, item]));
  for (const { item_id: id, changes } of edits) {
    const item = then.get(id);
    if (!item) continue;
    const before = Object.fromEntries((JSON.parse(changes) as FieldChange[]).map(({ field, from }) => [field, from]));
    then.set(id, { ...item, ...(before as Partial<EditableItem>) });
  }
  return items.map((item) => then.get(item.id) ?? item);
}

/** The time of the first movement; null while there is none. */
export async function firstMovementAt(db: Db): Promise<number | null> {
  const [first] = await earliest(db.query);
  return first?.at ?? null;
}

const earliest = statement<{ at: number }, []>('select at from stock_movements order by at, id limit 1');
