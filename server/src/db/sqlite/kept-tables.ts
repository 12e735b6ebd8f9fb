import type { DatabaseSync } from 'node:sqlite';
import { type KeptQuery, ordered } from '../core/kept-query.ts';
import { preparedStatements } from './prepared.ts';

/** `readUntil` is the place in the change feed up to which the rows contain everything. */
type Kept = { table: string; rows: number; readUntil: number };
/** A table that is filled while its query is answered otherwise; `reached` is the last item whose row it has. */
type Filling = { query: KeptQuery; kept: Kept; reached: number };

const MAX_TABLES = 64;
/** A row takes up to 100 bytes, with its place in the order. */
const MAX_ROWS = 4_000_000;
/** So many rows are computed between two queries, when nobody waits for them. */
const ROWS_AT_ONCE = 2_000;

/**
 * Answers queries from temporary tables of this connection. A table is filled once and then follows the change feed: the rows
 * of items that changed since the last query are computed again, and all others stay. So every answer is as exact as if all
 * rows had been computed for it. The tables that were not used for longest make room for new ones.
 */
export function keptTables(connection: DatabaseSync) {
  const prepare = preparedStatements(connection);
  const tables = new Map<string, Kept>();
  const fillings = new Map<string, Filling>();
  let made = 0;
  connection.exec('create temp table touched (num integer primary key, id text not null)');

  function run<Row>(text: string, params: readonly unknown[] = []): Row[] {
    // A statement accepts parameters up to the highest number in it.
    const count = Math.max(0, ...numbersIn(text));
    return prepare(text).all(...(params.slice(0, count) as never[])) as Row[];
  }

  function answer(query: KeptQuery): unknown[] {
    const { rows, params, version } = query;
    const key = JSON.stringify([version, rows.all, numbersIn(rows.all).map((number) => params[number - 1])]);
    return atOnce(() => {
      const found = tables.get(key);
      const isUsable = found !== undefined && isInFeed(found);
      if (!isUsable && query.otherwise !== undefined) {
        if (!fillings.has(key)) fillings.set(key, { query, kept: create(query), reached: 0 });
        return run(ordered(query.otherwise), query.params);
      }
      const kept = isUsable ? follow(found, query) : fill(query);
      const rows = run(
        `with kept as not materialized (select * from temp.${kept.table}),
         sums as not materialized (select * from temp.${kept.table}_sums) ${ordered(query.answer)}`,
        query.params,
      );
      keep(key, kept);
      return rows;
    });
  }

  /** Runs in one transaction, which reads one state of the database. If it fails, the tables are as they were. */
  function atOnce<T>(work: () => T): T {
    connection.exec('begin');
    try {
      const result = work();
      connection.exec('commit');
      return result;
    } catch (error) {
      connection.exec('rollback');
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

  function fill(query: KeptQuery): Kept {
    // An index is made faster of all rows than with each of them.
    const kept = create({ ...query, order: null });
    insert(kept, query, query.rows.all);
    addUp(kept, query, '', 'true');
    if (query.order !== null)
      connection.exec(`create index temp.${kept.table}_order on ${kept.table} (${query.order})`);
    return counted(kept);
  }

  function follow(kept: Kept, query: KeptQuery): Kept {
    const readUntil = endOfFeed();
    if (readUntil === kept.readUntil) return kept;
    touch('changes cross join items where changes.seq > $1 and items.id = changes.item_id', kept.readUntil);
    addUp(kept, query, '-', IS_TOUCHED);
    run(`delete from temp.${kept.table} where ${IS_TOUCHED}`);
    insert(kept, query, query.rows.touched);
    addUp(kept, query, '', IS_TOUCHED);
    run(`delete from temp.${kept.table}_sums where n = 0`);
    return { ...kept, readUntil };
  }

  /** Adds the rows of some more items to a table that is filled meanwhile. Those that change later are in the feed. */
  function fillSome(key: string, filling: Filling): void {
    const { query, kept, reached } = filling;
    touch(`items where num > $1 order by num limit ${ROWS_AT_ONCE}`, reached);
    const [last] = run<{ num: number | null }>('select max(num) as num from temp.touched');
    if (last?.num) {
      insert(kept, query, query.rows.touched);
      addUp(kept, query, '', IS_TOUCHED);
      filling.reached = last.num;
    } else {
      fillings.delete(key);
      keep(key, counted(kept));
    }
  }

  function touch(items: string, after: number): void {
    run('delete from temp.touched');
    run(`insert or ignore into temp.touched select items.num, items.id from ${items}`, [after]);
  }

  function insert({ table }: Kept, { columns, params }: KeptQuery, rows: string): void {
    const names = ['num', 'grp', ...columns].join(', ');
    run(`insert into temp.${table} (${names}) select ${names} from (${rows})`, params);
  }

  function counted(kept: Kept): Kept {
    const [{ rows = 0 } = {}] = run<{ rows: number }>(
      `select coalesce(sum(n), 0) as rows from temp.${kept.table}_sums`,
    );
    return { ...kept, rows };
  }

  /** Adds rows to the sums of their table, or subtracts them. */
  function addUp({ table }: Kept, { sums }: KeptQuery, sign: '' | '-', which: string): void {
    const names = ['n', ...sums];
    run(`insert into temp.${table}_sums (grp, ${names.join(', ')})
      select grp, ${sign}count(*)${sums.map((name) => `, ${sign}sum(${name})`).join('')}
      from temp.${table} where ${which} group by grp
      on conflict (grp) do update set ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`);
  }

  function endOfFeed(): number {
    return run<{ seq: number }>('select seq from changes order by seq desc limit 1')[0]?.seq ?? 0;
  }

  /** Whether the feed still has all that came later. Its old rows are deleted, but never its last one. */
  function isInFeed({ readUntil }: Kept): boolean {
    return run('select 1 from changes where seq = $1', [readUntil]).length > 0;
  }

  function drop({ table }: Kept): void {
    connection.exec(`drop table temp.${table}; drop table temp.${table}_sums`);
  }

  /** Drops the tables that were not used for longest, if there are too many. */
  function makeRoom(): void {
    const rows = () => [...tables.values()].reduce((sum, kept) => sum + kept.rows, 0);
    for (const [key, kept] of tables) {
      if (tables.size === 1 || (tables.size <= MAX_TABLES && rows() <= MAX_ROWS)) return;
      drop(kept);
      tables.delete(key);
    }
  }

  return {
    answer,
    /** Goes on with the tables that are filled between queries. Returns whether there is more to do. */
    fillSome(): boolean {
      for (const [key, filling] of fillings) {
        try {
          atOnce(() => fillSome(key, filling));
        } catch {
          // Their query goes on being answered otherwise.
          fillings.delete(key);
          drop(filling.kept);
        }
        return fillings.size > 0;
      }
      return false;
    },
  };
}

const IS_TOUCHED = 'num in (select num from temp.touched)';

/** The numbers of the parameters in a text. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
}
