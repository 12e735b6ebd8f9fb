import { DAY_MS, HOUR_MS, type Step, stepStart } from '@perfume/domain/insights';
import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/database.ts';
import { factsBetween, SUMMED } from './facts.ts';
import { whole } from './sold.ts';
import { askSummed } from './sums.store.ts';

/** Units in a period, and in the one of the same length just before it. */
export type Against = { units: number; before: number };

export type Figures = {
  items: number;
  unitsOnHand: number;
  valueCents: number;
  out: number;
  low: number;
  delivered: { week: Against; month: Against };
  restocked: { week: Against; month: Against };
};

const WEEK_HOURS = 7 * 24;
const MONTH_HOURS = 30 * 24;

/** The warehouse in figures. Periods end now and begin at this hour, 7 or 30 days ago. */
export async function readFigures(db: Db, now: number): Promise<Figures> {
  const hour = Math.floor(now / HOUR_MS);
  const since = [WEEK_HOURS, 2 * WEEK_HOURS, MONTH_HOURS, 2 * MONTH_HOURS].map((hours) => hour - hours);
  const [row] = await askSummed<FiguresRow>(db, now, { text: FIGURES, params: since }, false);
  if (!row) throw new Error('figures are one row, even of nothing');
  const against = (kind: 'delivered' | 'restocked') => ({
    week: { units: row[`${kind}_week`], before: row[`${kind}_fortnight`] - row[`${kind}_week`] },
    month: { units: row[`${kind}_month`], before: row[`${kind}_two_months`] - row[`${kind}_month`] },
  });
  return {
    items: row.items,
    unitsOnHand: row.units,
    valueCents: centsOf(row),
    out: row.out_of_stock,
    low: row.low,
    delivered: against('delivered'),
    restocked: against('restocked'),
  };
}

type Period = 'week' | 'fortnight' | 'month' | 'two_months';
type FiguresRow = Record<`${'delivered' | 'restocked'}_${Period}`, number> & {
  items: number;
  units: number;
  worth_e9: number;
  worth: number;
  out_of_stock: number;
  low: number;
};

const columns = SUMMED.join(', ');
/** What is summed, and since $1 what is not, in the same columns. */
const HOURS = `select hour, ${columns} from stock_hours
  union all select at / ${HOUR_MS}, ${columns} from (${factsBetween('$1', null)}) facts`;

const since = (['week', 'fortnight', 'month', 'two_months'] satisfies Period[]).flatMap((period, n) =>
  ['delivered', 'restocked'].map(
    (kind) => `${whole(`sum(case when hour >= $${n + 2} then ${kind} else 0 end)`)} as ${kind}_${period}`,
  ),
);
// Counts come from kept tallies and from indexes of what is out or low: nothing here reads all items.
const FIGURES = `select ${['units', 'worth_e9', 'worth'].map((sum) => `${whole(`sum(${sum})`)} as ${sum}`).join(', ')},
    ${since.join(', ')},
    ${whole('(select sum(live) from item_tallies)')} as items,
    (select count(*) from items where deleted_at is null and quantity = 0) as out_of_stock,
    (select count(*) from items where deleted_at is null and quantity <= low_at) as low
  from (${HOURS}) hours`;

/** A day, week or month (cut off where the question ends), and the shelf at its end. */
export type Point = {
  from: number;
  to: number;
  unitsOnHand: number;
  valueCents: number;
  delivered: number;
  restocked: number;
  corrected: number;
  /** Units that came or went in another way: with new, deleted and restored items. */
  other: number;
};

export type SeriesQuestion = { from: number; to: number; step: Step; supplierKey: string | null };

/** Every step from one day to another, both included, with none left out. */
export async function readSeries(db: Db, now: number, question: SeriesQuestion): Promise<Point[]> {
  const { from, to, step, supplierKey } = question;
  const asked =
    supplierKey === null
      ? { text: SERIES, params: [from * 24, (to + 1) * 24] }
      : { text: SERIES_OF_SUPPLIER, params: [from, to + 1, supplierKey] };
  const rows = await askSummed<DayRow>(db, now, asked, true);
  const byDay = new Map(rows.filter((row) => row.day !== null).map((row) => [row.day, row]));
  const before = byDay.get(BEFORE);
  const shelf = { units: before?.units ?? 0, worth_e9: before?.worth_e9 ?? 0, worth: before?.worth ?? 0 };
  const points = new Map<number, Point>();
  for (let day = from; day <= to; day++) {
    const moved = byDay.get(day);
    const start = Math.max(from, stepStart(day, step));
    const point = points.get(start) ?? { ...NOTHING, from: start };
    if (moved) {
      shelf.units += moved.units;
      shelf.worth_e9 += moved.worth_e9;
      shelf.worth += moved.worth;
      point.delivered += moved.delivered;
      point.restocked += moved.restocked;
      point.corrected += moved.corrected;
      point.other += moved.units + moved.delivered - moved.restocked - moved.corrected;
    }
    points.set(start, { ...point, to: day, unitsOnHand: shelf.units, valueCents: centsOf(shelf) });
  }
  return [...points.values()];
}

const NOTHING = { from: 0, to: 0, unitsOnHand: 0, valueCents: 0, delivered: 0, restocked: 0, corrected: 0, other: 0 };

/** Stands for all days before the first one asked for. */
const BEFORE = -1;
type DayRow = Record<(typeof SUMMED)[number], number> & { day: number | null };

const daySums = SUMMED.map((column) => `${whole(`sum(${column})`)} as ${column}`).join(', ');
const SERIES = `select case when hour < $2 then ${BEFORE} else hour / 24 end as day, ${daySums}
  from (${HOURS}) hours where hour < $3 group by 1`;
const SERIES_OF_SUPPLIER = `select case when day < $2 then ${BEFORE} else day end as day, ${daySums}
  from (
    select day, ${columns} from item_days
    where item in (select num from items where supplier_key = $4)
    union all
    select at / ${DAY_MS}, ${columns} from (${factsBetween('$1', null)}) facts
    where item in (select num from items where supplier_key = $4)
  ) days where day < $3 group by 1`;
