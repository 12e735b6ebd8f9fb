import type { DatabaseSync } from 'node:sqlite';
import { ordered } from '../core/kept-query.ts';
import { runner } from '../core/prepared.ts';
import { CHANGES_OF_AN_ITEM, type RowSource } from '../kept/row-source.ts';

/** The rows are kept on the connection that computes them, in the same transactions. */
export function sqliteRows(connection: DatabaseSync): RowSource {
  const run = runner(connection);
  connection.exec(`
    create temp table touched (num integer primary key, id text not null);
    create temp table part (after integer not null, until integer not null)`);

  return {
    async begin() {},
    async end() {},
    query: async (text, params) => run(text, params),
    async readFeed(since, house, most) {
      const [last] = run<{ seq: number }>('select seq from changes order by seq desc limit 1');
      const end = { position: last?.seq ?? 0, at: 0 };
      const count = end.position - (since?.position ?? Number.POSITIVE_INFINITY);
      if (!since || count < 0 || count > most * CHANGES_OF_AN_ITEM) return { end, changed: null };
      // The numbers of the feed have no gaps.
      const [held] = run<{ rows: number }>('select count(*) as rows from changes where seq > $1', [since.position]);
      const changed = run<{ num: number }>(
        `select distinct items.num from changes cross join items
         where changes.seq > $1 and changes.house = $2 and items.id = changes.item_id limit $3`,
        [since.position, house, most + 1],
      );
      return { end, changed: held?.rows === count && changed.length <= most ? changed.map(({ num }) => num) : null };
    },
    async addRows(table, { rows, columns }, params, wanted) {
      const names = ['num', ...Object.keys(columns)].join(', ');
      const add = (text: string) => run(`insert into temp.${table} (${names}) select ${names} from (${text})`, params);
      if (wanted === 'all') add(rows.all);
      else if ('nums' in wanted) {
        run('delete from temp.touched');
        run('insert into temp.touched select num, id from items where num in (select value from json_each($1))', [
          JSON.stringify(wanted.nums),
        ]);
        add(rows.few);
      } else {
        run('delete from temp.part');
        run('insert into temp.part (after, until) values ($1, $2)', [wanted.after, wanted.until]);
        add(rows.part);
      }
      return run<{ rows: number }>('select changes() as rows')[0]?.rows ?? 0;
    },
    async answer({ answer }, params, { with: tables, page }) {
      return run(`${tables}${page === null ? '' : `, page as (${page})`} ${ordered(answer)}`, params);
    },
  };
}
