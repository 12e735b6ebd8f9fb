import { DAY_MS, HOUR_MS } from '@perfume/domain/insights';
import type { Db } from '../db/core/database.ts';
import { StoreUnavailable } from '../db/core/errors.ts';
import { asOneStatement, type KeptQuery } from '../db/core/kept-query.ts';
import { queryRows, statement } from '../db/core/statement.ts';
import { factsBetween, SUMMED } from './facts.ts';

/**
 * Movements newer than this are not summed yet, because others with such times may still arrive: from a server whose
 * clock is behind, or from an open transaction.
 */
const SETTLED_MS = HOUR_MS;
/**
 * How many movements, and how many other changes, one transaction sums: few enough that other writers do not notice. SQLite
 * has one writer at a time, and everybody waits for it.
 */
const MAX_FACTS_PER_STEP = { sqlite: 2_000, postgres: 20_000 };
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

/** An import makes so many within an hour. Reading them takes long even in a query that is otherwise short. */
const MANY_MOVEMENTS = 500;

/**
 * Runs a query over the stored sums of a house and its facts that are not summed yet. $1 is the boundary between them and
 * $2 the house; other parameters follow. The statement reads both in one snapshot; if the boundary moved just before, the
 * query runs again.
 */
export async function querySums<Row>(
  db: Db,
  house: number,
  now: number,
  { answer, otherwise, ...rows }: SummedQuery,
  params: readonly unknown[],
  long = true,
): Promise<Row[]> {
  const withBoundary = (answer: string) => `select summed.until as summed_until, result.*
      from stock_summed summed left join (${answer}) result on true where summed.house = $2`;
  const query = {
    house,
    ...rows,
    answer: withBoundary(answer),
    ...(otherwise !== undefined && { otherwise: withBoundary(otherwise) }),
  };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const until = await withTimeout(sumSettled(db, house, now));
    const given = [until, house, ...params];
    const isLong = long || (await movementAfter(db.query, house, until, MANY_MOVEMENTS)).length > 0;
    const found = await (isLong
      ? db.keptQuery<Row & SummedRow>({ ...query, params: given })
      : queryRows<Row & SummedRow>(db.query, asOneStatement(query), given));
    // Without a result there is one row, in which everything else is null.
    if (found[0]?.summed_until === until) return found.filter(({ place }) => place !== null);
  }
  throw new Error('the boundary of the sums keeps moving: do the clocks of the servers agree?');
}
export type SummedQuery = Omit<KeptQuery, 'house' | 'params'>;
type SummedRow = { summed_until: number; place: number | null };

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

const running = new WeakMap<Db, Map<number, Promise<number>>>();

/**
 * Brings the sums of a house up to date and returns their boundary: the time until which movements are summed. Several servers may
 * do so at once.
 */
export function sumSettled(
  db: Db,
  house: number,
  now: number,
  perStep = MAX_FACTS_PER_STEP[db.dialect],
): Promise<number> {
  const ofHouses = running.get(db) ?? new Map<number, Promise<number>>();
  running.set(db, ofHouses);
  const known = ofHouses.get(house);
  if (known) return known;
  const sum = bringUpToDate(db, house, now, perStep).finally(() => ofHouses.delete(house));
  ofHouses.set(house, sum);
  return sum;
}

async function bringUpToDate(db: Db, house: number, now: number, perStep: number): Promise<number> {
  const settled = floorTo(HOUR_MS, now - SETTLED_MS);
  let until = await summedUntil(db, house);
  if (until === settled) return until;
  // If the clock was set back, the boundary moves back too: new movements must not fall before it.
  if (until > floorTo(HOUR_MS, now)) until = await stepBack(db, house, until, floorTo(DAY_MS, now - SETTLED_MS));
  // A movement that arrived late (from a server whose clock is far behind, or from another program) is missing in the
  // sums. All sums are then computed again.
  if (!(await isComplete(db, house))) {
    until = await stepBack(db, house, until, 0);
  }
  let steps = 0;
  try {
    for (; until < settled; steps++) until = await sumNext(db, house, { from: until, settled, perStep });
    if (steps >= STEPS_BEFORE_ANALYZE) await db.analyze(['item_days', 'stock_hours']);
  } catch (error) {
    // The sums cannot be stored, for example because the disk is full. Queries then read the ledger itself: slower, but
    // just as correct.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
  return until;
}

async function sumNext(
  db: Db,
  house: number,
  { from, settled, perStep }: { from: number; settled: number; perStep: number },
): Promise<number> {
  const next = [
    ...(await movementAfter(db.query, house, from, perStep)),
    ...(await shelfChangeAfter(db.query, house, from, perStep)),
  ];
  // An hour may have very many, after an import for example. Its sums are then added up in several steps.
  const to = Math.max(from + 1, Math.min(settled, ...next.map(({ at }) => at)));
  await db.change(
    async (db) => {
      const [mine] = await moveBoundary(db, house, from, to);
      // Another server has already summed this part.
      if (!mine) return;
      await add.hours(db, from, to, house);
      await add.itemDays(db, from, to, house);
    },
    { repeatable: true },
  );
  return summedUntil(db, house);
}

/** Moves the boundary back to the start of a day and deletes the sums from there on. */
async function stepBack(db: Db, house: number, from: number, to: number): Promise<number> {
  await db.change(
    async (db) => {
      const [mine] = await moveBoundary(db, house, from, to);
      if (!mine) return;
      // Undos among these movements were also subtracted from earlier hours and days.
      await subtractBefore.hours(db, to, from, house);
      await subtractBefore.itemDays(db, to, from, house);
      await dropHours(db, house, to / HOUR_MS);
      await dropItemDays(db, house, to / DAY_MS);
      // A movement was missing, and may be missing in kept rows too.
      if (to === 0) await beginAgain(db, house, Date.now());
    },
    { repeatable: true },
  );
  return summedUntil(db, house);
}

/**
 * Whether no movement is missing in the sums: the movement counts of all items must add up to the movements that are
 * summed plus those that are not.
 */
async function isComplete(db: Db, house: number): Promise<boolean> {
  const [counted] = await db.longQuery<{ missing: number }>(COUNT_MISSING, [house]);
  return Number(counted?.missing) === 0;
}

async function summedUntil(db: Db, house: number): Promise<number> {
  const [row] = await selectBoundary(db.query, house);
  if (row) return row.until;
  await db.change((db) => insertBoundary(db, house, Date.now()), { repeatable: true });
  return 0;
}

function floorTo(unit: number, time: number): number {
  return Math.max(0, Math.floor(time / unit) * unit);
}

const COUNT_MISSING = `select coalesce((select sum(stock_seq) from items where house = $1), 0)
    - coalesce((select sum(movements) from stock_hours where house = $1), 0)
    - (select count(*) from stock_movements
       where house = $1 and at >= (select until from stock_summed where house = $1)) as missing`;

const selectBoundary = statement<{ until: number }, [house: number]>('select until from stock_summed where house = $1');
const insertBoundary = statement<never, [house: number, now: number]>(
  'insert into stock_summed (house, until, begun_at) values ($1, 0, $2) on conflict do nothing',
);
const beginAgain = statement<never, [house: number, now: number]>(
  'update stock_summed set begun_at = $2 where house = $1',
);
const moveBoundary = statement<{ until: number }, [house: number, from: number, to: number]>(
  'update stock_summed set until = $3 where house = $1 and until = $2 returning until',
);
const movementAfter = statement<{ at: number }, [house: number, at: number, many: number]>(
  'select at from stock_movements where house = $1 and at >= $2 order by at, id limit 1 offset $3',
);
const shelfChangeAfter = statement<{ at: number }, [house: number, at: number, many: number]>(
  'select at from shelf_changes where house = $1 and at >= $2 order by at limit 1 offset $3',
);

/**
 * Statements that add facts to the sums, or subtract them if `sign` is '-'. The facts of an undo may belong to an
 * earlier hour or day.
 */
function summing(sign: '' | '-', which: string) {
  const summed = (columns: readonly string[]) => columns.map((column) => `${sign}sum(${column})`).join(', ');
  const adding = (table: string, columns: readonly string[]) =>
    columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
  const facts = `from (${factsBetween('$3', '$1', '$2')}) facts where ${which}`;
  const hourly = ['movements', ...SUMMED];
  return {
    hours: statement<never, [from: number, to: number, house: number]>(
      `insert into stock_hours (house, hour, ${hourly.join(', ')})
       select cast($3 as bigint), at / ${HOUR_MS}, ${summed(hourly)} ${facts} group by at / ${HOUR_MS}
       on conflict (house, hour) do update set ${adding('stock_hours', hourly)}`,
    ),
    itemDays: statement<never, [from: number, to: number, house: number]>(
      `insert into item_days (item, day, ${SUMMED.join(', ')})
       select item, at / ${DAY_MS}, ${summed(SUMMED)} ${facts} group by item, at / ${DAY_MS}
       on conflict (item, day) do update set ${adding('item_days', SUMMED)}`,
    ),
  };
}
const add = summing('', 'true');
const subtractBefore = summing('-', 'at < $1');
const dropHours = statement<never, [house: number, hour: number]>(
  'delete from stock_hours where house = $1 and hour >= $2',
);
const dropItemDays = statement<never, [house: number, day: number]>(
  'delete from item_days where item in (select num from items where house = $1) and day >= $2',
);
