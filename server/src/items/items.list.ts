import type { SortOrder } from '@perfume/contract/items';
import type { Item } from '@perfume/domain/items';
import { foldForSearch, isSafeText } from '@perfume/domain/text';
import type { Selectable } from 'kysely';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { matches } from '../db/core/search.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { toItem } from './item-row.ts';

export type ListRequest = {
  limit: number;
  sort: SortOrder;
  after: Cursor | null;
  /** How many rows to pass over first; 0 with a cursor. */
  skip: number;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
  emailKey: string | null;
};

/** The last row shown: its value in the sort order, and its number, which settles ties. */
export type Cursor = { value: string | number; num: number };
export type ItemPage = { items: Item[]; total: number; next: Cursor | null };

const columns = { newest: 'num', name: 'name_key', price: 'price_cents', quantity: 'quantity' } as const;

/**
 * Makes an answer, or gives the one made before as long as no item has come, gone or been edited since; by its name. Only
 * for what quantities do not decide.
 */
type Keep = <T>(name: string, make: () => Promise<T>) => Promise<T>;

/**
 * The state is taken before anything is looked for: what is committed meanwhile may not have reached the index of texts,
 * and an answer without it must not be taken for one of the state that has it.
 */
export function keepingAsOfNow(db: Db, cache: Cache): Keep | null {
  if (!db.itemsVersion) return null;
  const state = db.itemsVersion();
  return (name, make) =>
    cache.getOrLoad(
      () => state,
      name,
      make,
      (kept) => name.length + JSON.stringify(kept).length,
    );
}

/**
 * A page of live items. Pages that continue after a row show none twice and skip none while items come and go;
 * pages at an offset are for tables that one can jump about in and that hear of every change.
 */
export async function listItems(db: Db, request: ListRequest, keep: Keep | null = null): Promise<ItemPage> {
  const { limit, after, skip, stock, q, emailKey } = request;
  const filter = await filterOf(db, request);
  const { column } = order(request.sort);
  // A delivery changes what stands in a row, not which rows a search finds, and finding them is the dear part.
  const isSteady = stock === null && column !== 'quantity';
  const found = keep && isSteady && filter.isSearch ? await foundBefore(db, request, filter, keep) : null;
  const rows = found ?? (await select<Selectable<ItemRow>>(db, 'items.*', request, filter));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = last && rows.length > limit ? { value: last[column], num: last.num } : null;
  const count = () => countItems(db, request, filter);
  // A first page that holds everything has counted it already.
  if (!next && !after && skip === 0) return { items: shown.map(toItem), total: shown.length, next };
  const total = keep && stock === null ? await keep(`total ${JSON.stringify([q, emailKey])}`, count) : await count();
  return { items: shown.map(toItem), total, next };
}

async function select<Row>(db: Db, columns: string, request: ListRequest, filter: Filter): Promise<Row[]> {
  const { column, descending } = order(request.sort);
  const direction = descending ? 'desc' : 'asc';
  const by = column === 'num' ? filter.num : `items.${column}`;
  const params = [...filter.params];
  const where = [...filter.where];
  if (request.after) where.push(continuing(by, filter.num, descending, request.after, params));
  const limit = `limit $${params.push(request.limit + 1)}`;
  const offset = request.skip > 0 ? `offset $${params.push(request.skip)}` : '';
  return queryRows<Row>(
    db.query,
    `select ${columns} from ${filter.from} where ${where.join(' and ')}
     order by ${by} ${direction}${column === 'num' ? '' : `, items.num ${direction}`} ${limit} ${offset}`,
    params,
  );
}

/** Searched for once, and read as they are now. Null when one of them has been deleted a moment ago. */
async function foundBefore(
  db: Db,
  request: ListRequest,
  filter: Filter,
  keep: Keep,
): Promise<Selectable<ItemRow>[] | null> {
  const nums = await keep(`page ${JSON.stringify(request)}`, async () => {
    const found = await select<{ num: number }>(db, 'items.num', request, filter);
    return found.map(({ num }) => num);
  });
  const rows = new Map((await selectByNum(db.query, JSON.stringify(nums))).map((row) => [row.num, row]));
  return rows.size === nums.length ? nums.flatMap((num) => rows.get(num) ?? []) : null;
}

const selectByNum = statement<Selectable<ItemRow>, [nums: string]>(
  'select * from items where num in (select value from json_each($1)) and deleted_at is null',
);

export function cursorText(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.value, cursor.num])).toString('base64url');
}

/** A cursor that came back from outside; null unless it can belong to this order. */
export function readCursor(text: string, sort: SortOrder): Cursor | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 2) return null;
  const [value, num] = parts as unknown[];
  const fits = order(sort).column === 'name_key' ? isKeyText(value) : Number.isSafeInteger(value);
  return fits && Number.isSafeInteger(num) ? ({ value, num } as Cursor) : null;
}

function isKeyText(value: unknown): boolean {
  return typeof value === 'string' && isSafeText(value);
}

export function order(sort: SortOrder) {
  const reversed = sort.startsWith('-');
  const key = sort.replace('-', '') as keyof typeof columns;
  // "newest" is itself the descending order of the numbers.
  return { column: columns[key], descending: key === 'newest' ? !reversed : reversed };
}

type Filter = { from: string; where: string[]; num: string; params: unknown[]; isSearch: boolean };

// Few shapes of SQL come out of this, all made of our own words; what people typed travels as parameters.
async function filterOf(db: Db, { emailKey, q, stock }: ListRequest): Promise<Filter> {
  const filter: Filter = {
    from: 'items',
    where: ['items.deleted_at is null'],
    num: 'items.num',
    params: [],
    isSearch: false,
  };
  if (emailKey !== null) filter.where.push(`items.email_key = $${filter.params.push(emailKey)}`);
  const wanted = q === null ? '' : foldForSearch(q);
  if (wanted !== '') {
    const search = await matches(db, wanted, filter.params);
    filter.from = search.from;
    filter.num = search.num;
    filter.isSearch = true;
    filter.where.push(search.condition);
  }
  if (stock) filter.where.push(inStock[stock]);
  return filter;
}

/** "in" is what the badge calls 'In Stock'; "low" is what wants reordering, first of all what is sold out. */
const inStock = {
  out: 'items.quantity = 0',
  low: 'items.quantity <= items.low_at',
  in: 'items.quantity > 0',
} as const;

function continuing(by: string, num: string, descending: boolean, cursor: Cursor, params: unknown[]): string {
  const than = descending ? '<' : '>';
  if (by === num) return `${num} ${than} $${params.push(cursor.num)}`;
  return `(${by}, items.num) ${than} ($${params.push(cursor.value)}, $${params.push(cursor.num)})`;
}

async function countItems(db: Db, request: ListRequest, filter: Filter): Promise<number> {
  const isEverything = filter.where.length === 1;
  const [counted] = isEverything
    ? await tally(db.query)
    : await queryRows<{ total: number }>(
        db.query,
        `select count(*) as total from ${filter.from} where ${filter.where.join(' and ')}`,
        filter.params,
      );
  return Number(counted?.total ?? request.limit);
}

const tally = statement<{ total: number }, []>('select sum(live) as total from item_tallies');
