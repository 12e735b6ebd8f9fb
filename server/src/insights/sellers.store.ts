import { DAY_MS, daysObserved, daysOfStockLeft, pacePerDay } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { firstOf, given, type ItemLine, isRow, type LineRow, ofSupplier, toLine } from './item-lines.ts';
import { soldOf } from './sold.ts';
import { askSummed } from './sums.store.ts';

/** An item's pace, with the parts of the sum: what left, in how many days. */
export type Seller = ItemLine & { units: number; days: number; perDay: number; daysLeft: number | null };

export type SellersQuestion = {
  from: number;
  to: number;
  order: 'fastest' | 'slowest';
  supplierKey: string | null;
  limit: number;
};

/** Fastest: what sold, most units first. Slowest: what is on the shelf, fewest units first, then the most money bound. */
export async function readSellers(db: Db, now: number, question: SellersQuestion): Promise<Seller[]> {
  const { from, to, order, supplierKey, limit } = question;
  const theirs = ofSupplier(supplierKey, '$5');
  const sold = soldOf(db.dialect, theirs);
  // A sum keeps SQLite from walking the index of quantities, which leads all over the table.
  const onShelf = order === 'slowest' ? 'and quantity + 0 > 0' : '';
  const text = `${sold.with}, sold as materialized (
      select num, ${sold.units} as units, quantity * price_cents as bound from ${sold.from}
      where deleted_at is null ${onShelf}${theirs}
    ) ${order === 'fastest' ? firstOf('sold where units > 0', 'units desc, num', '$4') : firstOf('sold', 'units, bound desc, num', '$4')}`;
  const asked = { text, params: [from, to, limit, ...given(supplierKey)], order: 'place' };
  const rows = await askSummed<LineRow & { units: number }>(db, now, asked, true);
  const until = Math.min(now, (to + 1) * DAY_MS);
  return rows.filter(isRow).map((row) => {
    const { units, quantity } = row;
    const days = daysObserved(from * DAY_MS, row.created_at, until);
    const pace = { perDay: pacePerDay(units, days), daysLeft: daysOfStockLeft(quantity, units, days) };
    return { ...toLine(row), units, days, ...pace };
  });
}
