import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shelfQuery } from '../../../testing/shelf-query.ts';
import { newPostgresDatabase } from '../../testing.ts';
import { asOneStatement, type KeptQuery, rowsOf } from '../core/kept-query.ts';
import { keptTables } from '../kept/kept-tables.ts';
import { openDatabase } from '../open.ts';
import { int8AsNumber } from './postgres-client.ts';
import { postgresRows } from './postgres-rows.ts';

async function aWarehouse() {
  const connectionString = await newPostgresDatabase();
  const connect = async () => {
    const client = new pg.Client({ connectionString, types: int8AsNumber });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const [reader, writer] = [await connect(), await connect()];
  await writer.query(`
    create table items (num bigint primary key, house bigint default 1, deleted_at bigint, id text collate "C" unique not null,
      shelf text not null, units bigint not null);
    create table item_tallies (house bigint, live bigint);
    insert into item_tallies values (1, 1000);
    create table stock_summed (house bigint, until bigint, begun_at bigint);
    create table changes (house bigint default 1, seq bigint generated always as identity primary key,
      txid bigint not null default (pg_current_xact_id()::text::bigint), item_id text not null)`);
  const put = async (num: number, shelf: string, units: number, client = writer) => {
    await client.query(
      `insert into items (num, id, shelf, units) values ($1, 'item ' || $1::bigint, $2, $3)
       on conflict (num) do update set shelf = excluded.shelf, units = excluded.units`,
      [num, shelf, units],
    );
    await client.query(`insert into changes (item_id) values ('item ' || $1::bigint)`, [num]);
  };
  const computed = async (asked: KeptQuery) =>
    (await writer.query(asOneStatement(asked), asked.params as number[])).rows as unknown[];
  const store = new DatabaseSync(':memory:');
  onTestFinished(() => store.close());
  const kept = keptTables(store, postgresRows(reader, store), { itemsAtOnce: 5 });
  /** Computes the rows if they are not there. */
  const answer = async (asked: KeptQuery) => {
    let rows = await kept.answer(asked);
    for (; rows === null; rows = await kept.answer(asked)) await kept.fillSome(asked);
    return rows;
  };
  return { connect, writer, put, computed, answer };
}

describe('kept rows of PostgreSQL', () => {
  test('answer as if all rows were computed each time', async () => {
    const { put, computed, answer } = await aWarehouse();
    const change = fc.record({
      num: fc.integer({ min: 1, max: 12 }),
      shelf: fc.constantFrom('left', 'right', 'none'),
      units: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(9_007_199_254_740_000)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 5 }), async (rounds) => {
        for (const changes of rounds) {
          for (const { num, shelf, units } of changes) await put(num, shelf, units);
          for (const asked of [shelfQuery(0), shelfQuery(5)])
            expect(await answer(asked)).toEqual(await computed(asked));
        }
      }),
      // Each run continues with the data of the run before it, so a failure cannot be shrunk.
      { numRuns: 12, endOnFailure: true },
    );
  });

  test('include what a transaction changed that ended after a later one', async () => {
    const { connect, put, computed, answer } = await aWarehouse();
    for (let num = 1; num <= 8; num++) await put(num, 'left', num);
    await answer(shelfQuery(0));
    const slow = await connect();
    await slow.query('begin');
    await put(3, 'right', 30, slow);
    await put(4, 'right', 40);
    expect(await answer(shelfQuery(0))).toEqual(await computed(shelfQuery(0)));
    await put(5, 'right', 50);
    expect(await answer(shelfQuery(0))).toEqual(await computed(shelfQuery(0)));
    await slow.query('commit');
    const rows = await answer(shelfQuery(0));
    expect(rows).toEqual(await computed(shelfQuery(0)));
    expect(rows).toContainEqual({ place: 3, num: 3, units: 30, n: 3, of_shelf: 120 });
  });

  test('compute only the rows of items that are in the feed, and all again when those are many', async () => {
    const { writer, put, answer } = await aWarehouse();
    await put(1, 'left', 3);
    await put(2, 'left', 4);
    // Transactions of other tests are running on the same PostgreSQL. What is not older than all of them is read again.
    await vi.waitFor(async () => {
      const { rows } = await writer.query(
        'select max(txid) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "areOlder" from changes',
      );
      expect(rows).toEqual([{ areOlder: true }]);
    }, 10_000);
    await answer(shelfQuery(0));
    await writer.query('update items set units = 5 where num = 1');
    await put(2, 'left', 6);
    expect(await answer(shelfQuery(0))).toMatchObject([
      { num: 2, units: 6, of_shelf: 9 },
      { num: 1, units: 3, of_shelf: 9 },
    ]);
    for (let num = 3; num <= 8; num++) await put(num, 'none', 1);
    expect(await answer(shelfQuery(0))).toMatchObject([
      { num: 2, units: 6, of_shelf: 11 },
      { num: 1, units: 5, of_shelf: 11 },
    ]);
  });

  test('are computed again when the connection was lost', async () => {
    const url = await newPostgresDatabase();
    const db = await openDatabase(url, null, { keepFrom: -1 });
    onTestFinished(() => db.close());
    const counted: KeptQuery = {
      house: 1,
      rows: rowsOf((which) => `select items.num, 0 as grp from ${which.items} where items.house = $1${which.where}`),
      columns: { grp: 'bigint' },
      sums: [],
      page: null,
      order: null,
      answer: 'select 1 as place, coalesce((select n from sums), 0) as n',
      params: [1],
    };
    expect(await db.keptQuery(counted)).toEqual([{ place: 1, n: 0 }]);
    const ofProcess = `pg_stat_activity where datname = current_database() and query = 'rollback'`;
    const found = await db.longQuery<{ pid: number }>(`select pid from ${ofProcess}`, []);
    expect(found).toHaveLength(1);
    await db.longQuery('select pg_terminate_backend($1)', [found[0]?.pid]);
    // The process ends, and the query that is asked meanwhile may end with it.
    await vi.waitFor(async () => expect(await db.keptQuery(counted)).toEqual([{ place: 1, n: 0 }]), 30_000);
  });
});
