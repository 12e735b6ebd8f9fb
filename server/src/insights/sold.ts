import { DAY_MS } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { ALL_ITEMS, type Which } from '../db/core/kept-query.ts';
import { factsBetween } from './facts.ts';

/** Parts of an SQL statement that computes how many units of each item of the house $2 were delivered from day $3 to day $4. */
export type Sold = { with: string; from: string; units: string };

/**
 * Builds these parts. The units are those of the days already summed, plus those of the facts since the boundary. SQLite looks up
 * the days of one item after another, in the order of the file; PostgreSQL sums all items in one pass.
 */
export function soldOf(dialect: Db['dialect'], which: Which, supplierCondition = ''): Sold {
  const fresh = `with fresh as materialized (
      select item, ${asBigint('sum(delivered)')} as units
      from (${factsBetween('$2', BOUNDARY, null, which)}) facts
      where at / ${DAY_MS} >= $3 and at / ${DAY_MS} <= $4 group by item
    )`;
  const during = 'day >= $3 and day <= $4';
  if (dialect === 'sqlite') {
    const summed = `(select sum(delivered) from item_days where item_days.item = items.num and ${during})`;
    return { with: fresh, from: `${which.items} ${FRESH}`, units: `coalesce(fresh.units, 0) + coalesce(${summed}, 0)` };
  }
  const ofHouse =
    which === ALL_ITEMS
      ? ` and item in (select num from items where house = $2${supplierCondition})`
      : which.num('item');
  // PostgreSQL sums bigint as numeric, which takes twice as long as double precision. These sums are small enough to be
  // exact in a double.
  return {
    with: `${fresh}, summed as not materialized (
      select item, cast(sum(cast(delivered as double precision)) as bigint) as units
      from item_days where ${during}${ofHouse} group by item)`,
    from: `${which.items} ${FRESH} left join summed on summed.item = items.num`,
    units: 'coalesce(fresh.units, 0) + coalesce(summed.units, 0)',
  };
}

const FRESH = 'left join fresh on fresh.item = items.num';

/** SQL for the boundary of the sums: see `querySums`. */
export const BOUNDARY = 'cast($1 as bigint)';

/** SQL that casts a sum to bigint, because PostgreSQL's sum of bigint is numeric. The sum of no rows becomes 0. */
export function asBigint(sum: string): string {
  return `cast(coalesce(${sum}, 0) as bigint)`;
}
