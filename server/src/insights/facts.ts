import { BILLION } from '@perfume/domain/money';
import { ALL_ITEMS, type Which } from '../db/core/kept-query.ts';

/** SQL for the value of an item's stock in cents, in two parts so that sums cannot overflow (see BILLION). */
export const WORTH_E9 = `(quantity * price_cents / ${BILLION})`;
export const WORTH = `(quantity * price_cents % ${BILLION})`;
/**
 * SQL that orders by the sum of such values, highest first. The smaller parts may add up to more than a billion, which
 * then carries over.
 */
export const byWorth = (e9: string, rest: string) => `${e9} + ${rest} / ${BILLION} desc, ${rest} % ${BILLION} desc`;

/** The columns that are summed, from facts and from earlier sums. */
export const SUMMED = ['units', 'worth_e9', 'worth', 'delivered', 'restocked', 'corrected'] as const;

/**
 * SQL for everything that changed the quantity or the value of a house's stock between two times; the arguments are SQL. A movement is valued at the
 * price at the time it was made: the old price in the next price change, or the current price if none followed.
 *
 * An undo changes the quantity at the time of the undo. In the delivered, restocked and corrected totals it counts at
 * the time of the original movement, which may be before `from`, so that the two cancel out. `which` items: all, whose movements are found by time,
 * or touched ones, whose movements are found by item.
 */
export function factsBetween(house: string, from: string, to: string | null, which: Which = ALL_ITEMS): string {
  // The SQL uses cross joins, because SQLite reads their tables in the order written: movements by time, then items. It
  // finds undos by an index of everything but deliveries, if the condition says so.
  const movements = which.areFew ? `${which.items} cross join stock_movements m` : 'stock_movements m cross join items';
  const where = which.areFew ? which.where : which.num('items.num');
  // A plus keeps SQLite from the index by time: it would read all movements of that time again for each item.
  const own = which.areFew ? '+' : '';
  const during = (at: string) => `${at} >= ${from}${to === null ? '' : ` and ${at} < ${to}`}`;
  const ofItems = `items.id = m.item_id and ${own}m.house = ${house} and ${during(`${own}m.at`)}${where}`;
  return `select item, at, movements, units_after - units_before as units,
      units_after * price_after / ${BILLION} - units_before * price_before / ${BILLION} as worth_e9,
      units_after * price_after % ${BILLION} - units_before * price_before % ${BILLION} as worth,
      case when kind = 'deliver' then units_before - units_after else 0 end as delivered,
      case when kind = 'restock' then units_after - units_before else 0 end as restocked,
      case when kind = 'correction' then units_after - units_before else 0 end as corrected
    from (
      select item, at, 1 as movements, kind, quantity_before as units_before, price as price_before,
        quantity_after as units_after, price as price_after
      from (
        select items.num as item, m.at, m.kind, m.quantity_before, m.quantity_after,
          coalesce((select c.price_before from shelf_changes c where c.item = items.num and c.stock_seq >= m.seq
            order by c.stock_seq, c.num limit 1), items.price_cents) as price
        from ${movements} where ${ofItems}
      ) moved
      union all
      select item, at, 0 as movements, 'shelf' as kind, quantity * live_before, price_before,
        quantity * live_after, price_after
      from shelf_changes where house = ${house} and ${during('at')}${which.num('item')}
    ) facts
    union all
    select items.num, coalesce(m.undone_at, m.at), 0, 0, 0, 0,
      case when m.undone_kind = 'deliver' then -m.delta else 0 end,
      case when m.undone_kind = 'restock' then m.delta else 0 end,
      case when m.undone_kind = 'correction' then m.delta else 0 end
    from ${movements}
    where m.kind = 'undo' and m.kind <> 'deliver' and ${ofItems}`;
}
