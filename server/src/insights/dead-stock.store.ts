import { DAY_MS, dayOf } from '@perfume/domain/insights';
import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/core/database.ts';
import { factsBetween, WORTH, WORTH_E9 } from './facts.ts';
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
import { asBigint } from './sold.ts';
import { querySums } from './sums.store.ts';

/** An item without deliveries for a long time, and the value of its stock. */
export type DeadItem = RankedItem & { valueCents: number; lastDelivered: number | null; idleDays: number };
export type DeadStock = { items: DeadItem[]; total: { items: number; units: number; valueCents: number } };
export type DeadStockQuery = { days: number; supplierKey: string | null } & RankedPage;

/** Items without deliveries in the last `days` days, the most valuable stock first. */
export async function readDeadStock(db: Db, house: number, now: number, query: DeadStockQuery): Promise<DeadStock> {
  const { days, supplierKey, limit } = query;
  const today = dayOf(now);
  const from = today - days + 1;
  const text = `with sold_recently as materialized (
      select item from (${factsBetween('$2', BOUNDARY_DAY, null)}) facts where at >= ${BOUNDARY_DAY}
      group by item, at / ${DAY_MS} having sum(delivered) > 0
    ), later_undos as materialized (
      select item, at / ${DAY_MS} as day, sum(delivered) as delivered from (${factsBetween('$2', '$1', null)}) facts
      where at < ${BOUNDARY_DAY} group by item, at / ${DAY_MS}
    ), dead as materialized (
      select num, 0 as units, quantity * price_cents as stock_value, quantity, ${WORTH_E9} as e9, ${WORTH} as rest from items
      where house = $2 and deleted_at is null and quantity + 0 > 0 and created_at < $5${supplierCondition(supplierKey, '$6')}
        and not exists (select 1 from item_days days where item = items.num and day >= $3 and ${SOLD})
        and num not in (select item from sold_recently)
    )
    select lines.*, total.*,
      (select max(day) from item_days days where item = lines.num and ${SOLD}) as last_day
    from (${topItems('dead', 'stock_value desc, num', pageSql('$4', query))}) lines cross join (
      select count(*) as all_items, ${asBigint('sum(quantity)')} as all_units, ${asBigint('sum(e9)')} as worth_e9,
        ${asBigint('sum(rest)')} as worth from dead
    ) total`;
  // Items created within the period are left out: they had no time to become dead stock.
  const params = [from, limit, from * DAY_MS, ...supplierParams(supplierKey)];
  const rows = (await querySums<DeadRow>(db, house, now, { text, params, order: 'place' }, true)).filter(isRow);
  const [first] = rows;
  return {
    items: rows.map((row) => ({
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

/**
 * SQL for the start of the day that is only partly summed. Days before it are complete, except for later undos of their
 * movements.
 */
const BOUNDARY_DAY = `cast($1 as bigint) / ${DAY_MS} * ${DAY_MS}`;
const SOLD = `day < cast($1 as bigint) / ${DAY_MS} and delivered
  + coalesce((select u.delivered from later_undos u where u.item = days.item and u.day = days.day), 0) > 0`;
