import type { Item } from '@perfume/domain/items';
import type { SortOrder } from '@perfume/domain/list-filters';
import { isSafeText } from '@perfume/domain/safe-text';
import type { Selectable } from 'kysely';
import type { Cache, DataVersion } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { rowsOf } from '../db/core/kept-query.ts';
import { itemsNumbered, MANY_ITEMS, matches, wantedText } from '../db/core/search.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import type { ItemRow } from '../db/core/tables.ts';
import { farPage } from './far-page.ts';
import { toItem } from './item-row.ts';
import { readEdits, readTally } from './item-tallies.ts';
import { sortOf } from './sort-column.ts';

export type ListRequest = {
  /** The number of a house, or all houses that visitors see. */
  house: number | 'published';
  limit: number;
  sort: SortOrder;
  after: PageCursor | null;
  /** How many rows to skip; 0 with a cursor. */
  skip: number;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
  emailKey: string | null;
  /** The list is for visitors: the search leaves out the codes. */
  isPublic?: boolean;
};

/** The last row of a page: its value in the sort order, and its number, which breaks ties. */
export type PageCursor = { value: string | number; num: number };
export type ItemPage = { items: Item[]; total: number; next: PageCursor | null };

/**
 * Loads a result, or returns the cached one if no item was created, deleted, restored or edited since. Only for results
 * that do not depend on quantities.
 */
type CachedUntilEdit = <T>(key: string, load: () => Promise<T>) => Promise<T>;

/**
 * Caches results until `readEdits` changes. Which edits there are is read before the search runs: a change
 * committed meanwhile may not be in the search index yet, and a result without that change must not be cached with it.
 */
export function cacheUntilEdit(
  db: Db,
  cache: Cache,
  version: DataVersion,
  { house }: Pick<ListRequest, 'house'>,
): CachedUntilEdit {
  const edits = () =>
    cache.getOrLoad(
      version,
      `edits ${house}`,
      () => readEdits(db.query, house),
      (read) => read.length,
    );
  return (key, load) => cache.getOrLoad(edits, key, load, (cached) => key.length + JSON.stringify(cached).length);
}

const EXPORT_PAGE = 500;

/** All items that match, page by page: what a file of them is made of. */
export async function* eachPage(db: Db, query: Omit<ListRequest, 'limit' | 'after' | 'skip'>): AsyncGenerator<Item[]> {
  const filter = await filterOf(db, query);
  for (let after: PageCursor | null = null, isEnd = false; !isEnd; ) {
    const places = await selectPlaces(db, { ...query, limit: EXPORT_PAGE, skip: 0, after }, filter);
    yield* itemsAt(db, places.slice(0, EXPORT_PAGE));
    isEnd = places.length <= EXPORT_PAGE;
    after = places[EXPORT_PAGE - 1] ?? null;
    await new Promise(setImmediate);
  }
}

/** So many items are read and written as JSON without a pause: their texts may be long, and SQLite queries are synchronous. */
export const ITEMS_AT_ONCE = 50;

/** Reads items in steps, with other requests between them. Leaves out those that were deleted meanwhile. */
async function* itemsAt(
  { query, dialect }: Pick<Db, 'query' | 'dialect'>,
  places: PageCursor[],
): AsyncGenerator<Item[]> {
  for (let at = 0; at < places.length; at += ITEMS_AT_ONCE) {
    if (at > 0) await new Promise(setImmediate);
    const nums = places.slice(at, at + ITEMS_AT_ONCE).map(({ num }) => num);
    const rows = new Map((await selectByNum[dialect](query, JSON.stringify(nums))).map((row) => [row.num, row]));
    yield nums.flatMap((num) => rows.get(num) ?? []).map(toItem);
  }
}

/** A page whose items are read in steps. `isLong`: in several. */
export type PageInSteps = Omit<ItemPage, 'items'> & { steps: AsyncIterable<Item[]>; isLong: boolean };

/** Finds a page and reads all of it. */
export async function listItems(
  db: Db,
  request: ListRequest,
  cached: CachedUntilEdit | null = null,
): Promise<ItemPage> {
  const { steps, total, next } = await findPage(db, request, cached);
  const items: Item[] = [];
  for await (const some of steps) items.push(...some);
  return { items, total, next };
}

/**
 * A page of the items that are not deleted. Pages by cursor show no item twice and skip none while items are added and
 * deleted. Pages by offset can do both; they are for tables with a scroll bar, which also receive every change.
 */
export async function findPage(db: Db, request: ListRequest, cached: CachedUntilEdit | null): Promise<PageInSteps> {
  const { house, limit, after, skip, stock, q, emailKey, isPublic } = request;
  const { column } = sortOf(request.sort);
  // A delivery changes a row but not which rows a search finds, and the search is the expensive part.
  const dependsOnQuantity = stock !== null || column === 'quantity';
  const isSearch = wantedText(q) !== '';
  let filter: Promise<Filter> | null = null;
  // Looks into the search index, so not for a page and a total that are cached.
  const getFilter = () => {
    filter ??= filterOf(db, request);
    return filter;
  };
  // SQLite sorts a list of what is in stock. It must not carry whole rows along, with their descriptions.
  const isSorted = stock !== null && db.dialect === 'sqlite';
  const findPlaces = async () => selectPlaces(db, request, await getFilter());
  const places =
    cached && isSearch && !dependsOnQuantity
      ? await cached(`page ${JSON.stringify(request)}`, findPlaces)
      : isSorted || limit > ITEMS_AT_ONCE || isFar(request)
        ? await findPlaces()
        : null;
  const { steps, found } = places
    ? { steps: itemsAt(db, places.slice(0, limit)), found: places }
    : await selectItems(db, request, await getFilter());
  const last = found[limit - 1];
  const page = { steps, isLong: found.length > ITEMS_AT_ONCE + 1, next: last && found.length > limit ? last : null };
  const count = async () => countItems(db, request, await getFilter());
  // A first page that holds everything needs no count.
  if (!page.next && !after && skip === 0) return { ...page, total: found.length };
  const total =
    cached && stock === null && (isSearch || emailKey !== null)
      ? await cached(`total ${JSON.stringify([house, q, emailKey, isPublic])}`, count)
      : await count();
  return { ...page, total };
}

/** Reads a short page at once. `found`: the places of its items, and of one more if there are more. */
async function selectItems(
  db: Db,
  request: ListRequest,
  filter: Filter,
): Promise<{ steps: AsyncIterable<Item[]>; found: PageCursor[] }> {
  const { column } = sortOf(request.sort);
  const rows = await select<Selectable<ItemRow>>(db, 'items.*', request, filter);
  const items = rows.slice(0, request.limit).map(toItem);
  return { steps: asStep(items), found: rows.map((row) => ({ value: row[column], num: row.num })) };
}

async function* asStep(items: Item[]): AsyncGenerator<Item[]> {
  yield items;
}

/** Whether a list has any item. Not on the connection that answers requests, because it may look at all of them. */
export async function anyItem(db: Db, list: Pick<ListRequest, 'house' | 'emailKey' | 'q' | 'stock'>): Promise<boolean> {
  const filter = await filterOf(db, list);
  const { from, where, params } = filter;
  const found = await longRead(db, filter)(
    `select 1 as found from ${from} where ${where.join(' and ')} limit 1`,
    params,
  );
  return found.length > 0;
}

async function select<Row>(db: Db, columns: string, request: ListRequest, filter: Filter): Promise<Row[]> {
  if (filter.isNothing) return [];
  const { column, descending } = sortOf(request.sort);
  const direction = descending ? 'desc' : 'asc';
  const by = column === 'num' ? filter.num : `items.${column}`;
  const params = [...filter.params];
  const where = [...filter.where];
  if (request.after) where.push(afterCursor(by, filter.num, descending, request.after, params));
  const limit = `limit $${params.push(request.limit + 1)}`;
  const offset = request.skip > 0 ? `offset $${params.push(request.skip)}` : '';
  return read(db, isFar(request) ? { isLong: true } : filter)<Row>(
    `select ${columns} from ${filter.from} where ${where.join(' and ')}
     order by ${by} ${direction}${column === 'num' ? '' : `, items.num ${direction}`} ${limit} ${offset}`,
    params,
  );
}

/** Where the items are in the list, and the place of one more if there are more. */
function selectPlaces(db: Db, request: ListRequest, filter: Filter): Promise<PageCursor[]> {
  // The feed does not say which items come and go with a published house or with a new reorder point.
  const { house, stock } = request;
  if (isFar(request) && house !== 'published' && stock !== 'low' && !filter.isSearch)
    return selectFarPlaces(db, house, request, filter);
  return select(db, `items.${sortOf(request.sort).column} as value, items.num`, request, filter);
}

function selectFarPlaces(
  db: Db,
  house: number,
  { sort, limit, skip }: ListRequest,
  filter: Filter,
): Promise<PageCursor[]> {
  const params = [...filter.params];
  const placeholder = (value: number) => `$${params.push(value)}`;
  const [max, skipped] = [placeholder(limit + 1), placeholder(skip)];
  const { grp, columns, order, page, keptPage } = farPage(sort, max, skipped);
  const rows = rowsOf(
    (which) => `select num, ${grp} as grp, sorted from (
      select items.num, items.${sortOf(sort).column} as sorted from ${which.items}
      where ${filter.where.join(' and ')}${which.where}
    ) listed`,
  );
  const places = (from: string) =>
    `select sorted as value, num, row_number() over (order by ${order}) as place from ${from}`;
  // Skipping row by row takes a twentieth of a second for half a million of them, and keeping them a second, once.
  const otherwise = places(
    `(select sorted, num from (${rows.all}) listed order by ${order} limit ${max} offset ${skipped}) page`,
  );
  const answer = places('page');
  return db.keptSearch({ house, rows, columns, sums: [], page, keptPage, order, answer, otherwise, params });
}

const byNum = (dialect: Db['dialect']) =>
  statement<Selectable<ItemRow>, [nums: string]>(
    `select items.* from ${itemsNumbered('$1')[dialect]} where items.deleted_at is null`,
  );
const selectByNum = { sqlite: byNum('sqlite'), postgres: byNum('postgres') };

export function cursorText(cursor: PageCursor): string {
  return Buffer.from(JSON.stringify([cursor.value, cursor.num])).toString('base64url');
}

/** Decodes a cursor; null if the text is not a cursor of this sort order. */
export function readCursor(text: string, sort: SortOrder): PageCursor | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 2) return null;
  const [value, num] = parts as unknown[];
  const fits = sortOf(sort).column === 'name_key' ? isKeyText(value) : Number.isSafeInteger(value);
  return fits && Number.isSafeInteger(num) ? ({ value, num } as PageCursor) : null;
}

function isKeyText(value: unknown): boolean {
  return typeof value === 'string' && isSafeText(value);
}

export type Filter = {
  from: string;
  where: string[];
  num: string;
  params: unknown[];
  isSearch: boolean;
  /** Reads many texts: see `Matches`. */
  isLong: boolean;
  isNothing: boolean;
};

/** Whether so many rows are skipped that other requests must not wait for it. */
function isFar({ skip }: ListRequest): boolean {
  return skip > MANY_ITEMS;
}

function read(db: Db, { isLong }: Pick<Filter, 'isLong'>): Db['searchQuery'] {
  return isLong ? db.searchQuery : (text, params) => queryRows(db.query, text, params);
}

/** Runs queries over all items that match. */
export function longRead(db: Db, { isSearch }: Pick<Filter, 'isSearch'>): Db['longQuery'] {
  return isSearch ? db.longSearch : db.longQuery;
}

/** The items that match and are not deleted, as SQL. What people typed is always a parameter, never part of the SQL. */
export async function filterOf(
  db: Db,
  { house, emailKey, q, stock, isPublic }: Pick<ListRequest, 'house' | 'emailKey' | 'q' | 'stock' | 'isPublic'>,
): Promise<Filter> {
  const filter: Filter = {
    from: 'items',
    where: [house === 'published' ? IN_PUBLISHED_HOUSE : 'items.house = $1', 'items.deleted_at is null'],
    num: 'items.num',
    params: house === 'published' ? [] : [house],
    isSearch: false,
    isLong: false,
    isNothing: false,
  };
  if (emailKey !== null) filter.where.push(`items.email_key = $${filter.params.push(emailKey)}`);
  const wanted = wantedText(q);
  if (wanted !== '') {
    const search = await matches(db, house, wanted, filter.params, { isPublic });
    filter.from = search.from;
    filter.num = search.num;
    filter.isSearch = true;
    filter.isLong = search.isLong;
    filter.isNothing = search.isNothing ?? false;
    filter.where.push(search.condition);
  }
  if (stock) filter.where.push(stockConditions[stock]);
  return filter;
}

/**
 * SQL for items that visitors see. The second half hides the items of a house at once, while they are still leaving the
 * indexes; usually there is no such house.
 */
const IN_PUBLISHED_HOUSE = `items.published = 1
  and items.house not in (select num from houses where publish_below is not null and published = 0)`;

/**
 * SQL for the stock filter. `in` is what the badge calls 'In Stock'. `low` is what to reorder, so it includes items
 * that are out of stock.
 */
const stockConditions = {
  out: 'items.quantity = 0',
  low: 'items.quantity <= items.low_at',
  // Nearly all items are in stock. `+ 0` makes SQLite read them in the order of the list, not by quantity, and sort nothing.
  in: 'items.quantity + 0 > 0',
} as const;

function afterCursor(by: string, num: string, descending: boolean, cursor: PageCursor, params: unknown[]): string {
  const operator = descending ? '<' : '>';
  if (by === num) return `${num} ${operator} $${params.push(cursor.num)}`;
  return `(${by}, items.num) ${operator} ($${params.push(cursor.value)}, $${params.push(cursor.num)})`;
}

async function countItems(db: Db, { house, stock, emailKey }: ListRequest, filter: Filter): Promise<number> {
  if (filter.isNothing) return 0;
  if (emailKey === null && !filter.isSearch) {
    const { live, out, low } = await readTally(db.query, house);
    return { all: live, in: live - out, low, out }[stock ?? 'all'];
  }
  const [counted] = await read(db, filter)<{ total: number }>(
    `select count(*) as total from ${filter.from} where ${filter.where.join(' and ')}`,
    filter.params,
  );
  return Number(counted?.total);
}
