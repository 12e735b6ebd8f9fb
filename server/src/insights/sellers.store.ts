import { DAY_MS, daysObserved, daysOfStockLeft, pacePerDay } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import {
  isRow,
  pageSql,
  type RankedItem,
  type RankedPage,
  type RankedRow,
  supplierCondition,
  supplierParams,
  topItems,
  toRankedItem,
} from './ranked-items.ts';
import { soldOf } from './sold.ts';
import { querySums } from './sums.store.ts';

/** An item's sales pace, and what it is computed from: units delivered in a number of days. */
export type Seller = RankedItem & { units: number; days: number; perDay: number; daysLeft: number | null };

export type SellersQuery = {
  from: number;
  to: number;
  order: 'fastest' | 'slowest';
  supplierKey: string | null;
} & RankedPage;

/**
 * Ranks items by units delivered. Fastest: items that sold, most units first. Slowest: items in stock, fewest units
 * first, then the most valuable stock.
 */
export async function readSellers(db: Db, house: number, now: number, query: SellersQuery): Promise<Seller[]> {
  const { from, to, order, supplierKey, limit } = query;
  const ofSupplier = supplierCondition(supplierKey, '$6');
  const page = pageSql('$5', query);
  const sold = soldOf(db.dialect, ofSupplier);
  // `+ 0` keeps SQLite from using the index on quantity, which would read the table in random order.
  const inStock = order === 'slowest' ? 'and quantity + 0 > 0' : '';
  const text = `${sold.with}, sold as materialized (
      select num, ${sold.units} as units, quantity * price_cents as stock_value from ${sold.from}
      where items.house = $2 and deleted_at is null ${inStock}${ofSupplier}
    ) ${order === 'fastest' ? topItems('sold where units > 0', 'units desc, num', page) : topItems('sold', 'units, stock_value desc, num', page)}`;
  const sql = { text, params: [from, to, limit, ...supplierParams(supplierKey)], order: 'place' };
  const rows = await querySums<RankedRow & { units: number }>(db, house, now, sql, true);
  const until = Math.min(now, (to + 1) * DAY_MS);
  return rows.filter(isRow).map((row) => {
    const { units, quantity } = row;
    const days = daysObserved(from * DAY_MS, row.created_at, until);
    const pace = { perDay: pacePerDay(units, days), daysLeft: daysOfStockLeft(quantity, units, days) };
    return { ...toRankedItem(row), units, days, ...pace };
  });
}
