import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { ConnectionLost } from '../core/errors.ts';
import { IN_ORDER, type KeptQuery, ordered } from '../core/kept-query.ts';
import { numbersIn, runner } from '../core/prepared.ts';
import { CHANGES_OF_AN_ITEM, type RowSource, type Wanted } from '../kept/row-source.ts';
import { int8AsBigint, int8AsNumber, LONG_QUERY_SETTINGS } from './postgres-client.ts';

/** The feed holds an hour. Half of it, because the clocks of the servers may differ. */
const MAX_AGE_MS = 30 * 60_000;

/**
 * The rows of a PostgreSQL database, which one connection computes: another may lead to another database server, which may not
 * have the last changes. They are kept in a store of their own, because a temporary table would need the right to create one,
 * which the server does not have (see runtime-role.ts).
 */
export function postgresRows(client: pg.ClientBase, store: DatabaseSync): RowSource {
  const exactly = runner(store, { bigints: true });

  /** Runs SQL with those of the parameters that are in the text, as PostgreSQL wants to know the type of each. */
  async function query<Row>(text: string, params: readonly unknown[] = [], more = {}): Promise<Row[]> {
    const used = [...new Set(numbersIn(text))];
    const numbered = text.replace(/\$(\d+)/g, (_, number) => `$${used.indexOf(Number(number)) + 1}`);
    const values = used.map((number) => params[number - 1]);
    const { rows } = await client.query<never>({ text: numbered, values, types: int8AsNumber, ...more });
    return rows;
  }

  return {
    async begin() {
      await client.query(`begin isolation level repeatable read read only; ${LONG_QUERY_SETTINGS}`);
    },
    async end() {
      // Nothing was changed.
      await client.query('rollback');
    },
    query,
    async readFeed(since, house, most) {
      // What older transactions changed is visible; those that still run may change more.
      const [feed] = await query<Feed>(
        `with since as materialized (
           select item_id from changes where txid >= $1 and house = $2 order by txid, seq limit $3
         )
         select pg_is_in_recovery() as "isStandby", pg_snapshot_xmin(pg_current_snapshot())::text::bigint as txid,
           cast(extract(epoch from now()) * 1000 as bigint) as at, (select count(*) from since) as changes,
           (select json_agg(distinct items.num) from since join items on items.id = since.item_id) as nums`,
        [since?.position ?? Number.MAX_SAFE_INTEGER, house, most * CHANGES_OF_AN_ITEM + 1],
      );
      if (!feed) throw new Error('a query without a table always has a row');
      if (feed.isStandby) throw new ConnectionLost('the connection leads to a standby');
      const changed = feed.nums ?? [];
      const isHeld = since !== undefined && feed.at - since.at < MAX_AGE_MS;
      const areFew = feed.changes <= most * CHANGES_OF_AN_ITEM && changed.length <= most;
      return { end: { position: feed.txid, at: feed.at }, changed: isHeld && areFew ? changed : null };
    },
    async addRows(table, { rows, columns }, params, wanted) {
      const names = ['num', ...Object.keys(columns)];
      const from = itemsFrom(wanted, rows, params.length);
      const found = await query<never[]>(
        `${from.with} select ${names.join(', ')} from (${from.rows}) found`,
        [...params, ...from.params],
        { types: int8AsBigint, rowMode: 'array' },
      );
      const add = store.prepare(
        `insert into temp.${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
      );
      for (const row of found) add.run(...row);
      return found.length;
    },
    async answer({ answer, columns, sums, shownSums = 'select * from sums' }, params, tables) {
      const shown = tables.page === null ? [] : exactly(`${tables.with} select * from (${tables.page})`, params);
      const added = exactly(`${tables.with} ${shownSums}`);
      const typed = (types: Record<string, string>) =>
        Object.entries(types)
          .map(([name, type]) => `${name} ${type === 'text' ? 'text collate "C"' : type}`)
          .join(', ');
      const sumTypes = Object.fromEntries(['n', ...sums].map((name) => [name, 'bigint']));
      return query(
        `with page as materialized (
           select * from json_to_recordset($${params.length + 1}::json) as page (${typed({ num: 'bigint', ...columns })})
         ), sums as materialized (
           select * from json_to_recordset($${params.length + 2}::json) as sums (${typed({ grp: columns.grp ?? 'bigint', ...sumTypes })})
         ) ${ordered(answer)}`,
        [...params, asJson(shown), asJson(added)],
      );
    },
  };
}

type Feed = { isStandby: boolean; txid: number; at: number; changes: number; nums: number[] | null };

/** PostgreSQL reads integers of any size from JSON if they are texts. */
function asJson(rows: unknown[]): string {
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The rows of some items, with the table that they are read from (see `rowsOf`) and its parameters. */
function itemsFrom(wanted: Wanted, rows: KeptQuery['rows'], given: number) {
  const [one, two] = [`$${given + 1}`, `$${given + 2}`];
  if (wanted === 'all') return { with: '', rows: rows.all, params: [] };
  if ('nums' in wanted) {
    const touched = `select num, id from items where num = any(${one}::bigint[])`;
    return { with: `with touched as materialized (${touched})`, rows: rows.few, params: [wanted.nums] };
  }
  return {
    with: `with part as (select ${one}::bigint as after, ${two}::bigint as until)`,
    rows: rows.part.replaceAll(IN_ORDER, ''),
    params: [wanted.after, wanted.until],
  };
}
