import type { DatabaseSync } from 'node:sqlite';
import { isInPart, type KeptQuery, ordered } from '../core/kept-query.ts';
import { preparedStatements } from './prepared.ts';

/** `readUntil` is the place in the change feed up to which the rows contain everything. */
type Kept = { table: string; rows: number; readUntil: number };
/** A table that is not complete yet; `reached` is the number of the last item whose row it has. */
type Filling = { query: KeptQuery; kept: Kept; reached: number };

const MAX_TABLES = 64;
/** A row takes up to 100 bytes, with its place in the order. */
const MAX_ROWS = 5_000_000;
/** A table with so few rows makes hardly any room, so it goes last. */
const FEW_ROWS = 200_000;
/** The rows of so many items are computed at once, which takes some tenths of a second. */
const ITEMS_AT_ONCE = 50_000;
const MAX_FILLINGS = 4;
/** More rows of one query are not kept, if it can be answered otherwise. */
const MANY_ROWS = 2_000_000;

/**
 * Answers queries from temporary tables of this connection. A table is filled once, some items at a time, and then follows
 * the change feed: the rows of items that changed since the last query are computed again, and all others stay. So every
 * answer is as exact as if all rows had been computed for it.
 */
export function keptTables(connection: DatabaseSync, { itemsAtOnce = ITEMS_AT_ONCE, manyRows = MANY_ROWS } = {}) {
  const prepare = preparedStatements(connection);
  const tables = new Map<string, Kept>();
  const fillings = new Map<string, Filling>();
  const tooLarge = new Set<string>();
  let made = 0;
  connection.exec(`
    create temp table touched (num integer primary key, id text not null);
    create temp table part (after integer not null, until integer not null)`);

  function run<Row>(text: string, params: readonly unknown[] = []): Row[] {
    // A statement accepts parameters up to the highest number in it.
    const count = Math.max(0, ...numbersIn(text));
    return prepare(text).all(...(params.slice(0, count) as never[])) as Row[];
  }

  function keyOf({ version, rows, params }: KeptQuery): string {
    return JSON.stringify([version, rows.all, numbersIn(rows.all).map((number) => params[number - 1])]);
  }

  /** Null as long as the rows are not complete: see `fillSome`. */
  function answer(query: KeptQuery): unknown[] | null {
    const key = keyOf(query);
    const found = tables.get(key);
    const { kept, rows } = atOnce(() => {
      const kept = found && canFollow(found) ? follow(found, query) : isSmall(query) ? fillAtOnce(query) : null;
      if (kept) return { kept, rows: read(kept, query) };
      return { kept, rows: query.otherwise === undefined ? null : run(ordered(query.otherwise), query.params) };
    });
    if (kept) keep(key, kept);
    else if (fillings.size < MAX_FILLINGS && !fillings.has(key) && !tooLarge.has(key))
      fillings.set(key, { query, kept: create(query), reached: 0 });
    return rows;
  }

  function read({ table }: Kept, { answer, params }: KeptQuery): unknown[] {
    return run(
      `with kept as not materialized (select * from temp.${table}),
       sums as not materialized (select * from temp.${table}_sums) ${ordered(answer)}`,
      params,
    );
  }

  /** Runs in one transaction, which reads one state of the database. If it fails, the tables are as they were. */
  function atOnce<T>(work: () => T): T {
    connection.exec('begin');
    try {
      const result = work();
      connection.exec('commit');
      return result;
    } catch (error) {
      // On a serious error SQLite has already rolled back.
      if (connection.isTransaction) connection.exec('rollback');
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

  function create({ columns, sums, order }: KeptQuery): Kept {
    const table = `kept_${++made}`;
    connection.exec(`
      create temp table ${table} (num integer, grp, ${columns.join(', ')}, primary key (num, grp)) without rowid;
      create temp table ${table}_sums (grp primary key, ${['n', ...sums].join(', ')}) without rowid`);
    if (order !== null) connection.exec(`create index temp.${table}_order on ${table} (${order})`);
    return { table, rows: 0, readUntil: endOfFeed() };
  }

  function follow(kept: Kept, query: KeptQuery): Kept {
    const readUntil = endOfFeed();
    if (readUntil === kept.readUntil) return kept;
    run('delete from temp.touched');
    run(
      `insert or ignore into temp.touched select items.num, items.id from changes cross join items
       where changes.seq > $1 and items.id = changes.item_id`,
      [kept.readUntil],
    );
    addUp(kept, query, '-', IS_TOUCHED);
    const deleted = change(`delete from temp.${kept.table} where ${IS_TOUCHED}`);
    const inserted = insert(kept, query, query.rows.few);
    addUp(kept, query, '', IS_TOUCHED);
    run(`delete from temp.${kept.table}_sums where n = 0`);
    return { ...kept, rows: kept.rows - deleted + inserted, readUntil };
  }

  function fillAtOnce(query: KeptQuery): Kept {
    const kept = create(query);
    const rows = insert(kept, query, query.rows.all);
    addUp(kept, query, '', 'true');
    return { ...kept, rows };
  }

  /** Adds the rows of some more items, and returns whether they were the last ones. Those that change meanwhile are in the feed. */
  function fillNext({ query, kept, reached }: Filling): { kept: Kept; reached: number; isComplete: boolean } {
    const [next] = run<{ num: number }>(
      `select num from items where house = $1 and deleted_at is null and num > $2 order by num limit 1 offset ${query.itemsAtOnce ?? itemsAtOnce}`,
      [query.house, reached],
    );
    run('delete from temp.part');
    run('insert into temp.part (after, until) values ($1, $2)', [reached, next?.num ?? Number.MAX_SAFE_INTEGER]);
    const rows = kept.rows + insert(kept, query, query.rows.part);
    addUp(kept, query, '', isInPart('num'));
    return { kept: { ...kept, rows }, reached: next?.num ?? reached, isComplete: !next };
  }

  function insert({ table }: Kept, { columns, params }: KeptQuery, rows: string): number {
    const names = ['num', 'grp', ...columns].join(', ');
    return change(`insert into temp.${table} (${names}) select ${names} from (${rows})`, params);
  }

  /** Runs a statement, and returns how many rows it changed. */
  function change(text: string, params: readonly unknown[] = []): number {
    run(text, params);
    return run<{ rows: number }>('select changes() as rows')[0]?.rows ?? 0;
  }

  /** Adds rows to the sums of their table, or subtracts them. */
  function addUp({ table }: Kept, { sums }: KeptQuery, sign: '' | '-', which: string): void {
    const names = ['n', ...sums];
    run(`insert into temp.${table}_sums (grp, ${names.join(', ')})
      select grp, ${sign}count(*)${sums.map((name) => `, ${sign}sum(${name})`).join('')}
      from temp.${table} where ${which} group by grp
      on conflict (grp) do update set ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`);
  }

  /** Whether all rows can be computed at once. An answer that does not need them must not wait for that. */
  function isSmall({ house, otherwise }: KeptQuery): boolean {
    if (otherwise !== undefined) return false;
    const [size] = run<{ items: number }>('select sum(live) as items from item_tallies where house = $1', [house]);
    return (size?.items ?? 0) <= itemsAtOnce;
  }

  function endOfFeed(): number {
    return run<{ seq: number }>('select seq from changes order by seq desc limit 1')[0]?.seq ?? 0;
  }

  /** Whether the feed still has all that came later, and it is less than computing everything. Its numbers have no gaps. */
  function canFollow({ readUntil }: Kept): boolean {
    const since = endOfFeed() - readUntil;
    if (since < 0 || since > itemsAtOnce) return false;
    const [held] = run<{ rows: number }>('select count(*) as rows from changes where seq > $1', [readUntil]);
    return held?.rows === since;
  }

  function drop({ table }: Kept): void {
    connection.exec(`drop table temp.${table}; drop table temp.${table}_sums`);
  }

  /** Drops tables if there are too many, or too many rows: large ones first, and of these those that were not used for longest. */
  function makeRoom(): void {
    let rows = [...tables.values()].reduce((sum, kept) => sum + kept.rows, 0);
    const isLarge = ([, kept]: [string, Kept]) => kept.rows > FEW_ROWS;
    const others = [...tables].slice(0, -1);
    for (const [key, kept] of [...others.filter(isLarge), ...others.filter((other) => !isLarge(other))]) {
      if (tables.size <= MAX_TABLES && rows <= MAX_ROWS) return;
      drop(kept);
      tables.delete(key);
      rows -= kept.rows;
    }
  }

  return {
    answer,
    /**
     * Goes on with the rows of a query or, without one or as long as too many others are being filled, with those begun first.
     * Returns whether there is more to do.
     */
    fillSome(query?: KeptQuery): boolean {
      const [first] = fillings.keys();
      const wanted = query && keyOf(query);
      const key = wanted !== undefined && fillings.has(wanted) ? wanted : first;
      const filling = key !== undefined && fillings.get(key);
      if (!filling) return false;
      try {
        const { isComplete, ...next } = atOnce(() => fillNext(filling));
        Object.assign(filling, next);
        const isTooLarge = next.kept.rows > manyRows && filling.query.otherwise !== undefined;
        if (!isComplete && !isTooLarge) return true;
        fillings.delete(key);
        if (isTooLarge) {
          tooLarge.add(key);
          drop(next.kept);
        } else keep(key, next.kept);
      } catch (error) {
        fillings.delete(key);
        drop(filling.kept);
        throw error;
      }
      return fillings.size > 0;
    },
  };
}

const IS_TOUCHED = 'num in (select num from temp.touched)';

/** The numbers of the parameters in a text. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
}
