import { DAY_MS } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { factsBetween } from './facts.ts';

/** Parts of a statement about items: how many units left each from day $2 to day $3. */
export type Sold = { with: string; from: string; units: string };

/**
 * Of the days that are summed, and of what happened since $1. SQLite looks up the days of one item after another, in
 * the order in which they lie in the file; PostgreSQL adds them all up in one pass.
 */
export function soldOf(dialect: Db['dialect'], ofSupplier = ''): Sold {
  const fresh = `with fresh as materialized (
      select item, ${whole('sum(delivered)')} as units from (${factsBetween('$1', null)}) facts
      where at / ${DAY_MS} >= $2 and at / ${DAY_MS} <= $3 group by item
    )`;
  const during = 'day >= $2 and day <= $3';
  if (dialect === 'sqlite') {
    const summed = `(select sum(delivered) from item_days where item_days.item = items.num and ${during})`;
    return { with: fresh, from: FROM_FRESH, units: `coalesce(fresh.units, 0) + coalesce(${summed}, 0)` };
  }
  const only = ofSupplier === '' ? '' : `and item in (select num from items where true${ofSupplier})`;
  // Whole numbers are summed as wide decimals, at twice the price; a double holds these sums exactly, too.
  return {
    with: `${fresh}, summed as not materialized (
      select item, cast(sum(cast(delivered as double precision)) as bigint) as units
      from item_days where ${during} ${only} group by item)`,
    from: `${FROM_FRESH} left join summed on summed.item = items.num`,
    units: 'coalesce(fresh.units, 0) + coalesce(summed.units, 0)',
  };
}

const FROM_FRESH = 'items left join fresh on fresh.item = items.num';

/** PostgreSQL adds up whole numbers to something wider than they are. */
export function whole(sum: string): string {
  return `cast(coalesce(${sum}, 0) as bigint)`;
}
