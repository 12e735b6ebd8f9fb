import type { SortOrder } from '@perfume/contract/items';
import type { Item } from '@perfume/domain/items';
import { LOW_STOCK_AT } from '@perfume/domain/stock';
import { foldForSearch, isSafeText } from '@perfume/domain/text';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { matches } from '../db/search.ts';
import type { Tables } from '../db/tables.ts';
import { toItem } from './items.store.ts';

export type ListRequest = {
  limit: number;
  sort: SortOrder;
  after: Cursor | null;
  q: string | null;
  stock: 'in' | 'low' | 'out' | null;
  emailKey: string | null;
};

/** The last row shown: its value in the sort order, and its number, which settles ties. */
export type Cursor = { value: string | number; num: number };
export type ItemPage = { items: Item[]; total: number; next: Cursor | null };

const columns = { newest: 'num', name: 'name_key', price: 'price_cents', quantity: 'quantity' } as const;

/**
 * A page of live items. Pages continue after a row, not at an offset, so items that come and go
 * make none appear twice and none be skipped.
 */
export async function listItems(db: Db, request: ListRequest): Promise<ItemPage> {
  const { column, descending } = order(request.sort);
  const direction = descending ? 'desc' : 'asc';
  let page = filtered(db, request).selectAll('items').orderBy(`items.${column}`, direction);
  if (column !== 'num') page = page.orderBy('items.num', direction);
  if (request.after) page = page.where(after(column, descending, request.after));
  const rows = await page.limit(request.limit + 1).execute();
  const shown = rows.slice(0, request.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    total: await countItems(db, request),
    next: last && rows.length > request.limit ? { value: last[column], num: last.num } : null,
  };
}

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

function order(sort: SortOrder) {
  const reversed = sort.startsWith('-');
  const key = sort.replace('-', '') as keyof typeof columns;
  // "newest" is itself the descending order of the numbers.
  return { column: columns[key], descending: key === 'newest' ? !reversed : reversed };
}

function filtered(db: Db, request: ListRequest) {
  let items = db.query.selectFrom('items').where('items.deleted_at', 'is', null);
  if (request.emailKey !== null) items = items.where('items.email_key', '=', request.emailKey);
  if (isSearch(request.q)) items = items.where(matches(db, request.q));
  return inStock(items, request.stock);
}

/** "in" is what the badge calls 'In Stock'; "low" is the part of it that wants reordering. */
function inStock<O>(items: SelectQueryBuilder<Tables, 'items', O>, stock: ListRequest['stock']) {
  if (stock === 'out') return items.where('items.quantity', '=', 0);
  if (stock === 'in') return items.where('items.quantity', '>', 0);
  if (stock === 'low') return items.where('items.quantity', '>', 0).where('items.quantity', '<=', LOW_STOCK_AT);
  return items;
}

function after(column: (typeof columns)[keyof typeof columns], descending: boolean, cursor: Cursor) {
  const than = sql.raw(descending ? '<' : '>');
  const field = sql.ref(`items.${column}`);
  return column === 'num'
    ? sql<boolean>`items.num ${than} ${cursor.num}`
    : sql<boolean>`(${field}, items.num) ${than} (${cursor.value}, ${cursor.num})`;
}

async function countItems(db: Db, request: ListRequest): Promise<number> {
  if (request.emailKey === null && request.stock === null && !isSearch(request.q)) {
    const tally = await db.query
      .selectFrom('item_tallies')
      .select((row) => row.fn.sum<number>('live').as('live'))
      .executeTakeFirstOrThrow();
    return Number(tally.live);
  }
  const counted = await filtered(db, request)
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}

function isSearch(q: string | null): q is string {
  return q !== null && foldForSearch(q) !== '';
}
