import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shelfQuery } from '../../../testing/shelf-query.ts';
import { asOneStatement, type KeptQuery } from '../core/kept-query.ts';
import { sqliteRows } from '../sqlite/sqlite-rows.ts';
import { keptTables } from './kept-tables.ts';

/** A warehouse with two houses: one is small enough to compute all its rows at once, the other takes several steps. */
function aWarehouse() {
  const db = new DatabaseSync(':memory:');
  onTestFinished(() => db.close());
  db.exec(`
    create table items (num integer primary key, house integer default 2, deleted_at integer, id text unique not null,
      shelf text not null, units integer not null);
    create table item_tallies (house integer, live integer);
    insert into item_tallies values (1, 1), (2, 50);
    create table stock_summed (house integer, until integer, begun_at integer);
    create table changes (seq integer primary key autoincrement, house integer, item_id text not null)`);
  const put = (num: number, shelf: string, units: number, isInFeed = true) => {
    db.prepare('insert or replace into items (num, id, shelf, units) values (?, ?, ?, ?)').run(
      num,
      String(num),
      shelf,
      units,
    );
    if (!isInFeed) return;
    for (const house of [1, 2])
      db.prepare('insert into changes (house, item_id) values (?, ?)').run(house, String(num));
  };
  const computed = (asked: KeptQuery) =>
    db.prepare(asOneStatement(asked).replace(/\$(\d+)/g, '?$1')).all(...(asked.params as number[]));
  const countTables = () =>
    (
      db.prepare("select count(*) as n from sqlite_temp_schema where type = 'table' and name glob 'kept_*'").get() as {
        n: number;
      }
    ).n;
  const kept = keptTables(db, sqliteRows(db), { itemsAtOnce: 5, manyRows: 200 });
  /** Computes the rows if they are not there. */
  const answer = async (asked: KeptQuery) => {
    let rows = await kept.answer(asked);
    for (; rows === null; rows = await kept.answer(asked)) await kept.fillSome(asked);
    return rows;
  };
  return { db, kept, answer, put, computed, countTables };
}

describe('kept tables', () => {
  test('answer as if all rows were computed each time', async () => {
    const change = fc.record({
      num: fc.integer({ min: 1, max: 12 }),
      shelf: fc.constantFrom('left', 'right', 'none'),
      units: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }), async (rounds) => {
        const { answer, put, computed } = aWarehouse();
        for (const changes of rounds) {
          for (const { num, shelf, units } of changes) put(num, shelf, units);
          for (const asked of [shelfQuery(0), shelfQuery(5), shelfQuery(0, '', 2)])
            expect(await answer(asked)).toEqual(computed(asked));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('are filled little by little while there is another way to answer', async () => {
    const { kept, put, computed } = aWarehouse();
    for (let num = 1; num <= 50; num++) put(num, 'left', num % 10);
    const quicker = {
      ...shelfQuery(0, '', 2),
      otherwise: 'select 0 as place, max(units) as units from items where $1 < $2',
    };
    expect(await kept.answer(quicker)).toEqual([{ place: 0, units: 9 }]);
    expect(await kept.fillSome()).toBe(true);
    // One is in the table already, one is not, and one is new.
    put(1, 'left', 200);
    put(40, 'right', 200);
    put(51, 'right', 200);
    expect(await kept.answer(quicker)).toEqual([{ place: 0, units: 200 }]);
    while (await kept.fillSome());
    expect(await kept.answer(quicker)).toEqual(computed(quicker));
  });

  test('are filled one after the other when many are asked for at once, each of them only for a while', async () => {
    const { kept, put, computed } = aWarehouse();
    for (let num = 1; num <= 50; num++) put(num, 'left', num % 10);
    const answered = new Set<number>();
    for (let round = 0; round < 10; round++) {
      for (let least = 0; least < 8; least++) {
        const asked = shelfQuery(least, '', 2);
        for (let steps = 0; steps < 8 && !(await kept.answer(asked)); steps++) await kept.fillSome(asked);
        const rows = await kept.answer(asked);
        if (!rows) continue;
        answered.add(least);
        expect(rows).toEqual(computed(asked));
      }
    }
    expect(answered.size).toBe(8);
  });

  test('are filled while items change all the time', async () => {
    const { kept, put, computed } = aWarehouse();
    for (let num = 1; num <= 50; num++) put(num, 'left', num % 10);
    const asked = shelfQuery(0, '', 2);
    for (let round = 0; (await kept.answer(asked)) === null; round++) {
      expect(round).toBeLessThan(20);
      for (const units of [round, round + 1]) for (const num of [1, 2, 40]) put(num, 'right', units);
      await kept.fillSome();
    }
    expect(await kept.answer(asked)).toEqual(computed(asked));
  });

  test('are given up when they are too many and there is another way to answer', async () => {
    const { kept, put, countTables } = aWarehouse();
    for (let num = 1; num <= 300; num++) put(num, 'left', num % 10);
    const quicker = { ...shelfQuery(0), otherwise: 'select 0 as place, max(units) as units from items where $1 < $2' };
    for (let tries = 0; tries < 3; tries++) {
      expect(await kept.answer(quicker)).toEqual([{ place: 0, units: 9 }]);
      while (await kept.fillSome());
      expect(countTables()).toBe(0);
    }
    expect(await kept.answer(shelfQuery(0))).toMatchObject([{ num: 9, n: 300 }, {}, {}, {}, {}, {}, {}, {}, {}, {}]);
  });

  test('compute only the rows of items that are in the feed', async () => {
    const { answer, put } = aWarehouse();
    put(1, 'left', 3);
    put(2, 'left', 4);
    await answer(shelfQuery(0));
    put(1, 'left', 5, false);
    put(2, 'left', 6);
    expect(await answer(shelfQuery(0))).toMatchObject([
      { num: 2, units: 6, of_shelf: 9 },
      { num: 1, units: 3, of_shelf: 9 },
    ]);
  });

  test('are filled again when the feed no longer has what came since', async () => {
    const { db, answer, put, computed } = aWarehouse();
    put(1, 'left', 3);
    await answer(shelfQuery(0));
    put(1, 'left', 5);
    put(2, 'left', 6);
    db.exec('delete from changes where seq = 3');
    expect(await answer(shelfQuery(0))).toEqual(computed(shelfQuery(0)));
    put(2, 'left', 7);
    put(2, 'left', 8);
    put(1, 'left', 8);
    db.exec('delete from changes where seq < (select max(seq) from changes)');
    expect(await answer(shelfQuery(0))).toEqual(computed(shelfQuery(0)));
  });

  test('are as they were after a query that failed', async () => {
    const { answer, put, computed } = aWarehouse();
    put(1, 'left', 3);
    await answer(shelfQuery(0));
    put(1, 'left', 5);
    await expect(answer(shelfQuery(0, 'select units from nowhere'))).rejects.toThrow('no such table');
    expect(await answer(shelfQuery(0))).toEqual(computed(shelfQuery(0)));
  });

  test('make room for new ones, and those not used for longest go first', async () => {
    const { answer, put, countTables } = aWarehouse();
    put(1, 'left', 300);
    for (let least = 0; least < 200; least++) {
      await answer(shelfQuery(least));
      await answer(shelfQuery(0));
    }
    // Two for each query: its rows and their sums.
    expect(countTables()).toBe(128);
    put(1, 'left', 400, false);
    expect(await answer(shelfQuery(0))).toMatchObject([{ units: 300 }]);
    expect(await answer(shelfQuery(1))).toMatchObject([{ units: 400 }]);
  });
});
