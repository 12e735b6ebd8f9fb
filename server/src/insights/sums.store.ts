import { DAY_MS, HOUR_MS } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { StoreUnavailable } from '../db/core/errors.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import { factsBetween, SUMMED } from './facts.ts';

/**
 * Movements newer than this are not summed yet, because others with such times may still arrive: from a server whose
 * clock is behind, or from an open transaction.
 */
const SETTLED_MS = HOUR_MS;
/**
 * How many movements one transaction sums: few enough that other writers do not notice. SQLite has one writer at a
 * time.
 */
const MAX_MOVEMENTS_PER_STEP = { sqlite: 2_000, postgres: 20_000 };
/** After this many steps of summing, the planner's statistics are out of date. */
const STEPS_BEFORE_ANALYZE = 5;
/**
 * How long a request waits. Summing years of movements may take longer; the request then gets 503 and summing
 * continues.
 */
const TIMEOUT_MS = 8_000;
/**
 * How often a query runs at most. It runs again when the boundary moved meanwhile: once an hour, or all the time if
 * clocks are wrong.
 */
const MAX_TRIES = 20;

type SummedQuery = { text: string; params: readonly unknown[]; order?: string };

/**
 * Runs a query over the stored sums and the facts that are not summed yet; $1 is the boundary between them. The
 * statement reads both in one snapshot; if the boundary moved just before, the query runs again. Every row has
 * `summed_until`. A query without a result returns one row in which everything else is null.
 */
export async function querySums<Row>(db: Db, now: number, { text, params, order }: SummedQuery, long: boolean) {
  const sql = `select summed.until as summed_until, result.* from stock_summed summed left join (${text}) result on true
    ${order === undefined ? '' : `order by ${order}`}`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const until = await withTimeout(sumSettled(db, now));
    const given = [until, ...params];
    const rows = await (long
      ? db.longQuery<Row & SummedRow>(sql, given)
      : queryRows<Row & SummedRow>(db.query, sql, given));
    if (rows[0]?.summed_until === until) return rows;
  }
  throw new Error('the boundary of the sums keeps moving: do the clocks of the servers agree?');
}
type SummedRow = { summed_until: number };

async function withTimeout(sum: Promise<number>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable('the sums are still being brought up to date')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([sum, late]);
  } finally {
    clearTimeout(timer);
  }
}

const running = new WeakMap<Db, Promise<number>>();

/**
 * Brings the sums up to date and returns their boundary: the time until which movements are summed. Several servers may
 * do so at once.
 */
export function sumSettled(db: Db, now: number): Promise<number> {
  const known = running.get(db);
  if (known) return known;
  const sum = bringUpToDate(db, now).finally(() => running.delete(db));
  running.set(db, sum);
  return sum;
}

async function bringUpToDate(db: Db, now: number): Promise<number> {
  const settled = floorTo(HOUR_MS, now - SETTLED_MS);
  let until = await summedUntil(db);
  if (until === settled) return until;
  // If the clock was set back, the boundary moves back too: new movements must not fall before it.
  if (until > floorTo(HOUR_MS, now)) until = await stepBack(db, until, floorTo(DAY_MS, now - SETTLED_MS));
  // A movement that arrived late (from a server whose clock is far behind, or from another program) is missing in the
  // sums. All sums are then computed again.
  if (!(await isComplete(db))) until = await stepBack(db, until, 0);
  let steps = 0;
  try {
    for (; until < settled; steps++) until = await sumNext(db, until, settled);
    if (steps >= STEPS_BEFORE_ANALYZE) await db.analyze(['item_days', 'stock_hours']);
  } catch (error) {
    // The sums cannot be stored, for example because the disk is full. Queries then read the ledger itself: slower, but
    // just as correct.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
  return until;
}

async function sumNext(db: Db, from: number, settled: number): Promise<number> {
  const [far] = await movementAfter(db.query, from, MAX_MOVEMENTS_PER_STEP[db.dialect]);
  const to = far ? Math.min(settled, Math.max(from + HOUR_MS, floorTo(HOUR_MS, far.at))) : settled;
  await db.change(
    async (db) => {
      const [mine] = await moveBoundary(db, from, to);
      // Another server has already summed this part.
      if (!mine) return;
      await add.hours(db, from, to);
      await add.itemDays(db, from, to);
    },
    { repeatable: true },
  );
  return summedUntil(db);
}

/** Moves the boundary back to the start of a day and deletes the sums from there on. */
async function stepBack(db: Db, from: number, to: number): Promise<number> {
  await db.change(
    async (db) => {
      const [mine] = await moveBoundary(db, from, to);
      if (!mine) return;
      // Undos among these movements were also subtracted from earlier hours and days.
      await subtractBefore.hours(db, to, from);
      await subtractBefore.itemDays(db, to, from);
      await dropHours(db, to / HOUR_MS);
      await dropItemDays(db, to / DAY_MS);
    },
    { repeatable: true },
  );
  return summedUntil(db);
}

/**
 * Whether no movement is missing in the sums: the movement counts of all items must add up to the movements that are
 * summed plus those that are not.
 */
async function isComplete(db: Db): Promise<boolean> {
  const [counted] = await db.longQuery<{ missing: number }>(COUNT_MISSING, []);
  return Number(counted?.missing) === 0;
}

async function summedUntil(db: Db): Promise<number> {
  const [row] = await selectBoundary(db.query);
  if (!row) throw new Error('stock_summed always has its row');
  return row.until;
}

function floorTo(unit: number, time: number): number {
  return Math.max(0, Math.floor(time / unit) * unit);
}

const COUNT_MISSING = `select coalesce((select sum(stock_seq) from items), 0)
    - coalesce((select sum(movements) from stock_hours), 0)
    - (select count(*) from stock_movements where at >= (select until from stock_summed)) as missing`;

const selectBoundary = statement<{ until: number }, []>('select until from stock_summed');
const moveBoundary = statement<{ until: number }, [from: number, to: number]>(
  'update stock_summed set until = $2 where until = $1 returning until',
);
const movementAfter = statement<{ at: number }, [at: number, many: number]>(
  'select at from stock_movements where at >= $1 order by at, id limit 1 offset $2',
);

/**
 * Statements that add facts to the sums, or subtract them if `sign` is '-'. The facts of an undo may belong to an
 * earlier hour or day.
 */
function summing(sign: '' | '-', which: string) {
  const summed = (columns: readonly string[]) => columns.map((column) => `${sign}sum(${column})`).join(', ');
  const adding = (table: string, columns: readonly string[]) =>
    columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
  const facts = `from (${factsBetween('$1', '$2')}) facts where ${which}`;
  const hourly = ['movements', ...SUMMED];
  return {
    hours: statement<never, [from: number, to: number]>(
      `insert into stock_hours (hour, ${hourly.join(', ')})
       select at / ${HOUR_MS}, ${summed(hourly)} ${facts} group by at / ${HOUR_MS}
       on conflict (hour) do update set ${adding('stock_hours', hourly)}`,
    ),
    itemDays: statement<never, [from: number, to: number]>(
      `insert into item_days (item, day, ${SUMMED.join(', ')})
       select item, at / ${DAY_MS}, ${summed(SUMMED)} ${facts} group by item, at / ${DAY_MS}
       on conflict (item, day) do update set ${adding('item_days', SUMMED)}`,
    ),
  };
}
const add = summing('', 'true');
const subtractBefore = summing('-', 'at < $1');
const dropHours = statement<never, [hour: number]>('delete from stock_hours where hour >= $1');
const dropItemDays = statement<never, [day: number]>('delete from item_days where day >= $1');
