import type { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { type KeptQuery, ordered } from '../core/kept-query.ts';
import { numbersIn, runner } from '../core/prepared.ts';
import type { FeedPlace, Row, RowSource } from './row-source.ts';

type Table = { table: string; rows: number };
/** `readUntil` is the place in the change feed up to which the rows contain everything. */
type Kept = Table & { readUntil: FeedPlace };
type Key = { key: string; params: readonly unknown[] };
/** A table that is not complete yet; `reached` is the number of the last item whose row it has. */
type Filling = { query: KeptQuery; kept: Kept; reached: number };

const MAX_TABLES = 64;
/** A row takes up to 100 bytes, with its place in the order. */
const MAX_ROWS = 5_000_000;
/** A table with so few rows makes hardly any room, so it goes last. */
const FEW_ROWS = 200_000;
/** The rows of so many items are computed at once, which takes some tenths of a second. */
const ITEMS_AT_ONCE = 50_000;
const MAX_FILLINGS = 8;
const MAX_FILLINGS_OF_HOUSE = 4;
/** More rows of one query are not kept, if it can be answered otherwise. */
const MANY_ROWS = 2_000_000;

/**
 * Answers queries from temporary tables of an SQLite connection, the store. A table is filled once, some items at a time, and
 * then follows the change feed: the rows of items that changed since the last query are computed again, and all others stay.
 * So every answer is as exact as if all rows had been computed for it.
 */
export function keptTables(
  store: DatabaseSync,
  source: RowSource,
  { itemsAtOnce = ITEMS_AT_ONCE, manyRows = MANY_ROWS } = {},
) {
  const run = runner(store);
  const inTurn = pLimit(1);
  const tables = new Map<string, Kept>();
  const fillings = new Map<string, Filling>();
  const tooLarge = new Set<string>();
  let made = 0;

  /** What the rows depend on, and the parameters of the query with the boundary as it is now. */
  async function readKey({ house, rows, anyBoundary, params }: KeptQuery): Promise<Key> {
    const [summed] = await source.query<Summed>(SUMMED, [house]);
    const numbers = numbersIn(rows.all).filter((number) => !anyBoundary || number > 1);
    return {
      key: JSON.stringify([summed?.begun_at, rows.all, numbers.map((number) => params[number - 1])]),
      params: summed && anyBoundary ? [summed.until, ...params.slice(1)] : params,
    };
  }

  async function answer(query: KeptQuery): Promise<Row[] | null> {
    const { key, kept, rows, end } = await atOnce(async () => {
      const { key, params } = await readKey(query);
      const found = tables.get(key);
      const { end, changed } = await source.readFeed(found?.readUntil, query.house, itemsAtOnce);
      const kept = found && changed ? await follow(found, query, params, changed) : await fillIfSmall(query, params);
      if (!kept) return { key, kept, rows: null, end };
      return { key, kept: { ...kept, readUntil: end }, rows: await read(kept, query, params), end };
    });
    if (kept) {
      keep(key, kept);
      return rows;
    }
    const ofHouse = [...fillings.values()].filter((filling) => filling.query.house === query.house);
    const isFree = fillings.size < MAX_FILLINGS && ofHouse.length < MAX_FILLINGS_OF_HOUSE;
    if (isFree && !fillings.has(key) && !tooLarge.has(key))
      fillings.set(key, { query, kept: { ...create(query), readUntil: end }, reached: 0 });
    const { otherwise } = query;
    if (otherwise === undefined) return null;
    return atOnce(async () => source.query<Row>(ordered(otherwise), (await readKey(query)).params));
  }

  function read({ table }: Table, query: KeptQuery, params: readonly unknown[]): Promise<Row[]> {
    return source.answer(query, params, {
      with: `with kept as not materialized (select * from temp.${table}),
        sums as not materialized (select * from temp.${table}_sums)`,
      page: query.keptPage ?? query.page,
    });
  }

  /** Reads one state of the database. If that fails, the tables are as they were. */
  async function atOnce<T>(work: () => Promise<T>): Promise<T> {
    store.exec('begin');
    try {
      await source.begin();
      const result = await work();
      await source.end();
      store.exec('commit');
      return result;
    } catch (error) {
      // On a serious error SQLite has already rolled back.
      if (store.isTransaction) store.exec('rollback');
      await source.end();
      throw error;
    }
  }

  function keep(key: string, kept: Kept): void {
    const known = tables.get(key);
    if (known && known.table !== kept.table) drop(known);
    // The last in the map was used last.
    tables.delete(key);
    tables.set(key, kept);
    makeRoom();
  }

  function create({ columns, sums, order }: KeptQuery): Table {
    const table = `kept_${++made}`;
    const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    const added = ['n', ...sums].map((name) => `${name} bigint`);
    store.exec(`
      create temp table ${table} (num bigint, ${typed.join(', ')}, primary key (num, grp)) without rowid;
      create temp table ${table}_sums (grp ${columns.grp} primary key, ${added.join(', ')}) without rowid`);
    if (order !== null) store.exec(`create index temp.${table}_order on ${table} (${order})`);
    return { table, rows: 0 };
  }

  /** Computes the rows of items that have changed. */
  async function follow(
    kept: Table,
    query: KeptQuery,
    params: readonly unknown[],
    changed: readonly number[],
  ): Promise<Table> {
    if (changed.length === 0) return kept;
    const isTouched = 'num in (select value from json_each($1))';
    const touched = [JSON.stringify(changed)];
    addUp(kept, query, '-', isTouched, touched);
    run(`delete from temp.${kept.table} where ${isTouched}`, touched);
    const [deleted] = run<{ rows: number }>('select changes() as rows');
    const inserted = await source.addRows(kept.table, query, params, { nums: changed });
    addUp(kept, query, '', isTouched, touched);
    run(`delete from temp.${kept.table}_sums where n = 0`);
    return { ...kept, rows: kept.rows - (deleted?.rows ?? 0) + inserted };
  }

  /** Computes all rows at once; null if they are too many. An answer that does not need them must not wait for that. */
  async function fillIfSmall(query: KeptQuery, params: readonly unknown[]): Promise<Table | null> {
    const [house] = await source.query<{ items: number }>(COUNT_ITEMS, [query.house]);
    if (query.otherwise !== undefined || (house?.items ?? 0) > (query.itemsAtOnce ?? itemsAtOnce)) return null;
    const kept = create(query);
    const rows = await source.addRows(kept.table, query, params, 'all');
    addUp(kept, query, '', 'true');
    return { ...kept, rows };
  }

  /** Brings the rows up to date and adds those of some more items; null if the feed no longer has all changes. */
  async function fillNext({ query, kept, reached }: Filling, params: readonly unknown[]) {
    const { house } = query;
    const { end, changed } = await source.readFeed(kept.readUntil, house, itemsAtOnce);
    if (!changed) return null;
    const passed = changed.filter((num) => num <= reached);
    const followed = await follow(kept, query, params, passed);
    const [next] = await source.query<{ num: number }>(ITEM_AFTER, [house, reached, query.itemsAtOnce ?? itemsAtOnce]);
    const until = next?.num ?? Number.MAX_SAFE_INTEGER;
    const added = await source.addRows(kept.table, query, params, { after: reached, until });
    addUp(kept, query, '', 'num > $1 and num <= $2', [reached, until]);
    return {
      kept: { table: kept.table, rows: followed.rows + added, readUntil: end },
      reached: until,
      isComplete: !next,
    };
  }

  /** Adds rows to the sums of their table, or subtracts them. */
  function addUp(
    { table }: Table,
    { sums }: KeptQuery,
    sign: '' | '-',
    which: string,
    params: readonly unknown[] = [],
  ): void {
    const names = ['n', ...sums];
    run(
      `insert into temp.${table}_sums (grp, ${names.join(', ')})
       select grp, ${sign}count(*)${sums.map((name) => `, ${sign}sum(${name})`).join('')}
       from temp.${table} where ${which} group by grp
       on conflict (grp) do update set ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`,
      params,
    );
  }

  function drop({ table }: Table): void {
    store.exec(`drop table temp.${table}; drop table temp.${table}_sums`);
  }

  /** Drops tables if there are too many, or too many rows: large ones first, and of these those that were not used for longest. */
  function makeRoom(): void {
    const filled = [...fillings.values()].map(({ kept }) => kept);
    let rows = [...tables.values(), ...filled].reduce((sum, kept) => sum + kept.rows, 0);
    const isLarge = ([, kept]: [string, Kept]) => kept.rows > FEW_ROWS;
    const others = [...tables].slice(0, -1);
    for (const [key, kept] of [...others.filter(isLarge), ...others.filter((other) => !isLarge(other))]) {
      if (tables.size <= MAX_TABLES && rows <= MAX_ROWS) return;
      drop(kept);
      tables.delete(key);
      rows -= kept.rows;
    }
  }

  /** The key of the table to go on with. */
  async function nextFilling(query: KeptQuery | undefined): Promise<string | undefined> {
    const wanted = query && (await readKey(query)).key;
    const [first] = fillings.keys();
    return wanted !== undefined && fillings.has(wanted) ? wanted : first;
  }

  async function fillSome(query?: KeptQuery): Promise<boolean> {
    if (fillings.size === 0) return false;
    const key = await atOnce(() => nextFilling(query));
    const filling = key !== undefined && fillings.get(key);
    if (!filling) return false;
    const giveUp = () => {
      fillings.delete(key);
      drop(filling.kept);
    };
    try {
      const next = await atOnce(async () => {
        const now = await readKey(filling.query);
        // What the table has so far may be of other sums.
        return now.key === key ? fillNext(filling, now.params) : null;
      });
      if (next) Object.assign(filling, { kept: next.kept, reached: next.reached });
      const isTooLarge = filling.kept.rows > manyRows && filling.query.otherwise !== undefined;
      if (next && !next.isComplete && !isTooLarge) return true;
      if (isTooLarge) tooLarge.add(key);
      if (!next || isTooLarge) giveUp();
      else {
        fillings.delete(key);
        keep(key, filling.kept);
      }
    } catch (error) {
      giveUp();
      throw error;
    }
    return fillings.size > 0;
  }

  return {
    /** Null as long as the rows are not complete: see `fillSome`. */
    answer: (query: KeptQuery) => inTurn(() => answer(query)),
    /**
     * Goes on with the rows of a query or, without one or as long as too many others are being filled, with those begun first.
     * Returns whether there is more to do.
     */
    fillSome: (query?: KeptQuery) => inTurn(() => fillSome(query)),
  };
}

/** How far the sums of a house go, and when they were begun. */
type Summed = { until: number; begun_at: number };
const SUMMED = 'select until, begun_at from stock_summed where house = $1';
const COUNT_ITEMS = 'select cast(coalesce(sum(live), 0) as bigint) as items from item_tallies where house = $1';
const ITEM_AFTER = `select num from items where house = $1 and deleted_at is null and num > $2
  order by num limit 1 offset $3`;
