import { DAY_MS, HOUR_MS } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { StoreUnavailable } from '../db/core/errors.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import { factsBetween, SUMMED } from './facts.ts';

/** What is younger may still be on its way: written by a server whose clock is behind, or not committed yet. */
const SETTLED_MS = HOUR_MS;
/** As many movements as can be added up without anybody noticing: SQLite lets one write at a time. */
const MOST_AT_ONCE = { sqlite: 2_000, postgres: 20_000 };
/** So many at once and the database's own idea of how much is there is out of date. */
const VERY_MANY_STEPS = 5;
/** A year of a million movements takes longer than anybody waits for an answer: adding up goes on without them. */
const PATIENCE_MS = 8_000;
/** The line moves once an hour; only broken clocks make it move all the time. */
const MOST_TRIES = 20;

type Asked = { text: string; params: readonly unknown[]; order?: string };

/**
 * Asks a question of sums and of what is not summed yet, which are told apart by $1. One statement sees both as of
 * one moment; if the line between them was moved just before that moment, the question is put again.
 * The answer's rows carry `summed_until`; where there is nothing to tell, one row holds nothing else.
 */
export async function askSummed<Row>(db: Db, now: number, { text, params, order }: Asked, long: boolean) {
  const whole = `select summed.until as summed_until, asked.* from stock_summed summed left join (${text}) asked on true
    ${order === undefined ? '' : `order by ${order}`}`;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const until = await soon(sumSettled(db, now));
    const given = [until, ...params];
    const rows = await (long ? db.longQuery<Row & Line>(whole, given) : queryRows<Row & Line>(db.query, whole, given));
    if (rows[0]?.summed_until === until) return rows;
  }
  throw new Error('the sums do not come to rest: do the clocks of the servers agree?');
}
type Line = { summed_until: number };

async function soon(sum: Promise<number>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable('the past is still being added up')), PATIENCE_MS);
  });
  try {
    return await Promise.race([sum, late]);
  } finally {
    clearTimeout(timer);
  }
}

const underWay = new WeakMap<Db, Promise<number>>();

/** Adds up what is settled and not added up yet; says how far the sums go. Any number of servers may do so at once. */
export function sumSettled(db: Db, now: number): Promise<number> {
  const known = underWay.get(db);
  if (known) return known;
  const sum = bringUpToDate(db, now).finally(() => underWay.delete(db));
  underWay.set(db, sum);
  return sum;
}

async function bringUpToDate(db: Db, now: number): Promise<number> {
  const settled = floorTo(HOUR_MS, now - SETTLED_MS);
  let until = await summedUntil(db);
  if (until === settled) return until;
  // The clock was set back: what happens from now on must not fall into what counts as summed.
  if (until > floorTo(HOUR_MS, now)) until = await stepBack(db, until, floorTo(DAY_MS, now - SETTLED_MS));
  // Whatever came late, from a clock that is far behind or by another hand, shows in the count.
  if (!(await isComplete(db))) until = await stepBack(db, until, 0);
  let steps = 0;
  try {
    for (; until < settled; steps++) until = await sumNext(db, until, settled);
    if (steps >= VERY_MANY_STEPS) await db.analyze(['item_days', 'stock_hours']);
  } catch (error) {
    // A full disk: what cannot be added up now is read from the ledger itself, which takes longer and is as right.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
  return until;
}

async function sumNext(db: Db, from: number, settled: number): Promise<number> {
  const [far] = await movementAfter(db.query, from, MOST_AT_ONCE[db.dialect]);
  const to = far ? Math.min(settled, Math.max(from + HOUR_MS, floorTo(HOUR_MS, far.at))) : settled;
  await db.change(
    async (db) => {
      const [mine] = await moveLine(db, from, to);
      // Somebody else has added up this stretch.
      if (!mine) return;
      await add.hours(db, from, to);
      await add.itemDays(db, from, to);
    },
    { repeatable: true },
  );
  return summedUntil(db);
}

/** Forgets the sums from a whole day on. */
async function stepBack(db: Db, from: number, to: number): Promise<number> {
  await db.change(
    async (db) => {
      const [mine] = await moveLine(db, from, to);
      if (!mine) return;
      // What is added up again has left something in the hours and days before as well.
      await takeOutBefore.hours(db, to, from);
      await takeOutBefore.itemDays(db, to, from);
      await dropHours(db, to / HOUR_MS);
      await dropItemDays(db, to / DAY_MS);
    },
    { repeatable: true },
  );
  return summedUntil(db);
}

/** Every item knows how many movements it has: together as many as are summed or still to be. */
async function isComplete(db: Db): Promise<boolean> {
  const [counted] = await db.longQuery<{ missing: number }>(COUNT_MISSING, []);
  return Number(counted?.missing) === 0;
}

async function summedUntil(db: Db): Promise<number> {
  const [row] = await selectLine(db.query);
  if (!row) throw new Error('the line between summed and not summed is always there');
  return row.until;
}

function floorTo(unit: number, time: number): number {
  return Math.max(0, Math.floor(time / unit) * unit);
}

const COUNT_MISSING = `select coalesce((select sum(stock_seq) from items), 0)
    - coalesce((select sum(movements) from stock_hours), 0)
    - (select count(*) from stock_movements where at >= (select until from stock_summed)) as missing`;

const selectLine = statement<{ until: number }, []>('select until from stock_summed');
const moveLine = statement<{ until: number }, [from: number, to: number]>(
  'update stock_summed set until = $2 where until = $1 returning until',
);
const movementAfter = statement<{ at: number }, [at: number, many: number]>(
  'select at from stock_movements where at >= $1 order by at, id limit 1 offset $2',
);

/** Adds facts to the sums, or with a minus takes them out again; those of an undo lie before the stretch they come from. */
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
const takeOutBefore = summing('-', 'at < $1');
const dropHours = statement<never, [hour: number]>('delete from stock_hours where hour >= $1');
const dropItemDays = statement<never, [day: number]>('delete from item_days where day >= $1');
