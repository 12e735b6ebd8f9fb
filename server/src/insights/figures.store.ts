import { DAY_MS, dayOf, HOUR_MS, type Step, stepStart } from '@perfume/domain/insights';
import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/core/database.ts';
import { ALL_ITEMS, type KeptQuery, rowsOf, type Which } from '../db/core/kept-query.ts';
import { readTally } from '../items/item-tallies.ts';
import { factsBetween, SUMMED } from './facts.ts';
import { asBigint, BOUNDARY } from './sold.ts';
import { querySums, type SummedQuery } from './sums.store.ts';

/** Units in a period, and in the period of the same length before it. */
export type Comparison = { units: number; before: number };

export type Figures = {
  items: number;
  unitsOnHand: number;
  valueCents: number;
  out: number;
  low: number;
  delivered: { week: Comparison; month: Comparison };
  restocked: { week: Comparison; month: Comparison };
};

/** A period of n days is today and the n - 1 days before it, in UTC, as in a series. */
const DAYS = { week: 7, month: 30 } as const;

/**
 * Reads the key figures of a house. Units delivered and restocked are added up from the series, so that figures
 * and series cannot differ.
 */
export async function readFigures(db: Db, house: number, now: number): Promise<Figures> {
  const today = dayOf(now);
  const from = today - 2 * DAYS.month + 1;
  const points = await readSeries(db, house, now, { from, to: today, step: 'day', supplierKey: null }, false);
  const { live, out, low } = await readTally(db.query, house);
  const stock = points.at(-1);
  if (!stock) throw new Error('the point of today always exists');
  const moved = (kind: Moved, days: number, before = 0) =>
    points.slice(points.length - days - before, points.length - before).reduce((sum, point) => sum + point[kind], 0);
  const compare = (kind: Moved) => {
    const of = (days: number) => ({ units: moved(kind, days), before: moved(kind, days, days) });
    return { week: of(DAYS.week), month: of(DAYS.month) };
  };
  return {
    items: live,
    unitsOnHand: stock.unitsOnHand,
    valueCents: stock.valueCents,
    out,
    low,
    delivered: compare('delivered'),
    restocked: compare('restocked'),
  };
}

type Moved = 'delivered' | 'restocked';

const columns = SUMMED.join(', ');
/** One point of a series: a day, week or month (cut off at the ends of the period), with the stock at its end. */
export type Point = {
  from: number;
  to: number;
  unitsOnHand: number;
  valueCents: number;
  delivered: number;
  restocked: number;
  corrected: number;
  /** Other changes in units: new, deleted and restored items, and undos. */
  other: number;
};

export type SeriesQuery = { from: number; to: number; step: Step; supplierKey: string | null };

/**
 * A series with one point for every day, week or month from one day to another, both included. Movements dated after
 * today, by a server whose clock is ahead, count as today's.
 */
export async function readSeries(
  db: Db,
  house: number,
  now: number,
  query: SeriesQuery,
  long = true,
): Promise<Point[]> {
  const { from, to, step, supplierKey } = query;
  const end = to < dayOf(now) ? to + 1 : NEVER;
  const rows = await (supplierKey === null
    ? querySums<DayRow>(db, house, now, SERIES, [from * 24, end * 24], long)
    : querySums<DayRow>(db, house, now, seriesOfSupplier(), [supplierKey, from, end]));
  const byDay = new Map<number, DayRow>();
  for (const row of rows) {
    const day = Math.min(row.day, to);
    const known = byDay.get(day);
    byDay.set(day, known ? addRows(known, row) : row);
  }
  const before = byDay.get(BEFORE);
  const stock = { units: before?.units ?? 0, worth_e9: before?.worth_e9 ?? 0, worth: before?.worth ?? 0 };
  const points = new Map<number, Point>();
  for (let day = from; day <= to; day++) {
    const moved = byDay.get(day);
    const start = Math.max(from, stepStart(day, step));
    const point = points.get(start) ?? { ...NOTHING, from: start };
    if (moved) {
      stock.units += moved.units;
      stock.worth_e9 += moved.worth_e9;
      stock.worth += moved.worth;
      point.delivered += moved.delivered;
      point.restocked += moved.restocked;
      point.corrected += moved.corrected;
      point.other += moved.units + moved.delivered - moved.restocked - moved.corrected;
    }
    points.set(start, { ...point, to: day, unitsOnHand: stock.units, valueCents: centsOf(stock) });
  }
  return [...points.values()];
}

const NOTHING = { from: 0, to: 0, unitsOnHand: 0, valueCents: 0, delivered: 0, restocked: 0, corrected: 0, other: 0 };

function addRows(one: DayRow, other: DayRow): DayRow {
  return { ...one, ...(Object.fromEntries(SUMMED.map((name) => [name, one[name] + other[name]])) as typeof one) };
}

/** A day in the far future, later than any movement. */
const NEVER = 10_000_000;
/** The day number that stands for all days before the period. */
const BEFORE = -1;
type DayRow = Record<(typeof SUMMED)[number], number> & { day: number };

const SUMMED_COLUMNS: KeptQuery['columns'] = {
  grp: 'bigint',
  ...Object.fromEntries(SUMMED.map((name) => [name, 'bigint' as const])),
};
const addedUp = SUMMED.map((column) => `${asBigint(`sum(${column})`)} as ${column}`).join(', ');
/** The stored sums, and a row for each hour of each item since then. */
const SERIES: SummedQuery = {
  rows: rowsOf(
    (
      which,
    ) => `select item as num, at / ${HOUR_MS} as grp, ${addedUp} from (${factsBetween('$2', BOUNDARY, null, which)}) facts
      group by item, at / ${HOUR_MS}`,
  ),
  columns: SUMMED_COLUMNS,
  sums: SUMMED,
  page: null,
  order: null,
  answer: `select 0 as place, case when hour < $3 then ${BEFORE} else hour / 24 end as day, ${addedUp}
    from (
      select hour, ${columns} from stock_hours where house = $2 union all select grp, ${columns} from sums
    ) hours where hour < $4 group by 2`,
  // There are rows only of what is not summed yet.
  itemsAtOnce: Number.MAX_SAFE_INTEGER,
};

/** So many items may have a row for each day of many years. */
const ITEMS_OF_MANY_DAYS = 2_000;

/** A row for each day of each item of a supplier, added up by day. */
function seriesOfSupplier(): SummedQuery {
  // `+ 0` makes SQLite read the facts once. It would otherwise look for each of them among all items of the supplier.
  const days = (which: Which) => {
    const isTheirs = `in (select items.num from ${which.items} where items.house = $2 and supplier_key = $3${which.where})`;
    return `select item, day, ${columns} from item_days where item ${isTheirs}
      union all
      select item, at / ${DAY_MS}, ${columns} from (${factsBetween('$2', BOUNDARY, null, which)}) facts
      where item + 0 ${isTheirs}`;
  };
  const added = (day: string, from: string) =>
    `select 0 as place, case when ${day} < $4 then ${BEFORE} else ${day} end as day, ${addedUp}
     from ${from} where ${day} < $5 group by 2`;
  return {
    rows: rowsOf((which) => `select item as num, day as grp, ${addedUp} from (${days(which)}) days group by item, day`),
    columns: SUMMED_COLUMNS,
    sums: SUMMED,
    page: null,
    order: null,
    answer: added('grp', 'sums'),
    otherwise: added('days.day', `(${days(ALL_ITEMS)}) days`),
    itemsAtOnce: ITEMS_OF_MANY_DAYS,
    anyBoundary: true,
  };
}
