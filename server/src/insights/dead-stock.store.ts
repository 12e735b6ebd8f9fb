import { DAY_MS, dayOf } from '@perfume/domain/insights';
import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/core/database.ts';
import { ALL_ITEMS, rowsOf, type Which } from '../db/core/kept-query.ts';
import { factsBetween, WORTH, WORTH_E9 } from './facts.ts';
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
import { BOUNDARY } from './sold.ts';
import { querySums, type SummedQuery } from './sums.store.ts';

/** An item without deliveries for a long time, and the value of its stock. */
export type DeadItem = RankedItem & { valueCents: number; lastDelivered: number | null; idleDays: number };
export type DeadStock = { items: DeadItem[]; total: { items: number; units: number; valueCents: number } };
export type DeadStockQuery = { days: number; supplierKey: string | null } & RankedPage;

/** Items without deliveries in the last `days` days, the most valuable stock first. */
export async function readDeadStock(db: Db, house: number, now: number, query: DeadStockQuery): Promise<DeadStock> {
  const { days, supplierKey, limit } = query;
  const today = dayOf(now);
  const from = today - days + 1;
  const boundaryDay = `${BOUNDARY} / ${DAY_MS} * ${DAY_MS}`;
  // The day that is only partly summed is read from its facts. Days before it are complete, except for later undos of their
  // movements.
  const laterUndos = (which: Which) => `later_undos as materialized (
      select item, at / ${DAY_MS} as day, sum(delivered) as delivered
      from (${factsBetween('$2', BOUNDARY, null, which)}) facts where at < ${boundaryDay} group by item, at / ${DAY_MS}
    )`;
  const sold = `day < ${BOUNDARY} / ${DAY_MS} and delivered
    + coalesce((select u.delivered from later_undos u where u.item = days.item and u.day = days.day), 0) > 0`;
  const rows = rowsOf(
    (which) => `with sold_recently as materialized (
      select item from (${factsBetween('$2', boundaryDay, null, which)}) facts where at >= ${boundaryDay} and at >= $4
      group by item, at / ${DAY_MS} having sum(delivered) > 0
    ), ${laterUndos(which)}
    select items.num, 0 as grp, 0 as units, quantity * price_cents as stock_value, quantity, ${WORTH_E9} as worth_e9, ${WORTH} as worth
    from ${which.items}
    where house = $2 and deleted_at is null and quantity + 0 > 0 and created_at < $4
      ${supplierCondition(supplierKey, '$5')}${which.where}
      and not exists (select 1 from item_days days where item = items.num and day >= $3 and ${sold})
      and items.num not in (select item from sold_recently)`,
  );
  const best = 'stock_value desc, num';
  const answer = `with ${laterUndos(ALL_ITEMS)}
    select lines.*, sums.n as all_items, sums.quantity as all_units, sums.worth_e9, sums.worth,
      (select max(day) from item_days days where item = lines.num and ${sold}) as last_day
    from (${topItems(best)}) lines cross join sums order by place`;
  const kept: SummedQuery = {
    rows,
    columns: {
      grp: 'bigint',
      units: 'bigint',
      stock_value: 'bigint',
      quantity: 'bigint',
      worth_e9: 'bigint',
      worth: 'bigint',
    },
    sums: ['quantity', 'worth_e9', 'worth'],
    page: pageSql(best, supplierKey === null ? '$5' : '$6', query),
    order: best,
    answer,
    anyBoundary: true,
  };
  // Items created within the period are left out: they had no time to become dead stock.
  const params = [from, from * DAY_MS, ...supplierParams(supplierKey), limit];
  const dead = await querySums<DeadRow>(db, house, now, kept, params);
  const [first] = dead;
  return {
    items: dead.map((row) => ({
      ...toRankedItem(row),
      valueCents: row.quantity * row.price_cents,
      lastDelivered: row.last_day,
      idleDays: today - (row.last_day ?? dayOf(row.created_at)),
    })),
    total: { items: first?.all_items ?? 0, units: first?.all_units ?? 0, valueCents: first ? centsOf(first) : 0 },
  };
}

type DeadRow = RankedRow & {
  all_items: number;
  all_units: number;
  worth_e9: number;
  worth: number;
  last_day: number | null;
};
