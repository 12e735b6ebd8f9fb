import { DAY_MS, daysObserved, daysOfStockLeft, pacePerDay } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { rowsOf } from '../db/core/kept-query.ts';
import {
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
import { querySums, type SummedQuery } from './sums.store.ts';

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
  const ofSupplier = supplierCondition(supplierKey, '$5');
  const isFastest = order === 'fastest';
  // `+ 0` keeps SQLite from using the index on quantity, which would read the table in random order.
  const inStock = isFastest ? '' : 'and quantity + 0 > 0';
  const rows = rowsOf((which) => {
    const sold = soldOf(db.dialect, which, ofSupplier);
    return `${sold.with}, sold as materialized (
        select items.num, 0 as grp, ${sold.units} as units, quantity * price_cents as stock_value from ${sold.from}
        where items.house = $2 and deleted_at is null ${inStock}${ofSupplier}${which.where}
      ) select * from sold where ${isFastest ? 'units > 0' : 'true'}`;
  });
  const best = isFastest ? 'units desc, num' : 'units, stock_value desc, num';
  const kept: SummedQuery = {
    rows,
    columns: { grp: 'bigint', units: 'bigint', stock_value: 'bigint' },
    sums: [],
    page: pageSql(best, supplierKey === null ? '$5' : '$6', query),
    order: best,
    answer: topItems(best),
    anyBoundary: true,
  };
  const params = [from, to, ...supplierParams(supplierKey), limit];
  const sellers = await querySums<RankedRow & { units: number }>(db, house, now, kept, params);
  const until = Math.min(now, (to + 1) * DAY_MS);
  return sellers.map((row) => {
    const { units, quantity } = row;
    const days = daysObserved(from * DAY_MS, row.created_at, until);
    const pace = { perDay: pacePerDay(units, days), daysLeft: daysOfStockLeft(quantity, units, days) };
    return { ...toRankedItem(row), units, days, ...pace };
  });
}
