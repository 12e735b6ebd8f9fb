import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '../core/database.ts';
import { addToSearch } from '../core/search.ts';
import { queryRows } from '../core/statement.ts';
import { openSqlite } from './sqlite.ts';

let folder: string;
let file: string;
let db: Db;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perfume-test-'));
  file = join(folder, 'warehouse.sqlite');
  db = openSqlite(file);
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const versions = () => [db.dataVersion(), db.peopleVersion?.()];
const change = (sql: string) => db.change((db) => queryRows(db, sql, []));

const MIA = `insert into users (id, email, name, email_verified, created_at, updated_at)
  values ('mia', 'mia@example.com', 'Mia', 1, 0, 0)`;
const HOUSE = "insert into houses (num, id, name, slug, created_at) values (2, 'house', 'Verrière', 'verriere', 0)";

test.each([
  'update houses set name = name',
  "insert into members (user_id, house, role, joined_at) select id, 2, 'owner', 0 from users",
  'delete from users',
])('the version of people changes with the commit of: %s', async (sql) => {
  await change(MIA);
  await change(HOUSE);
  const [data, people] = versions();
  await change("insert into item_search values (1, 'oud')");
  expect(versions()).toEqual([Number(data) + 1, people]);
  await db.change(async (db) => {
    await queryRows(db, sql, []);
    // Readers do not see it yet. Whoever looks somebody up now must look again after the commit.
    expect(versions()[1]).toBe(people);
  });
  expect(versions()).toEqual([Number(data) + 2, Number(people) + 1]);
});

test('a commit of another program is noticed in the next turn of the event loop', async () => {
  const heard = vi.fn();
  db.onCommit(heard);
  const [data, people] = versions();
  const program = new DatabaseSync(file);
  program.exec(MIA);
  program.close();
  await new Promise(setImmediate);
  expect(versions()).toEqual([Number(data) + 1, Number(people) + 1]);
  expect(heard).toHaveBeenCalledTimes(1);
});

test('when nothing is written, the segments of the search index are merged, and the texts are still found', async () => {
  const reader = new DatabaseSync(file);
  const segments = () =>
    reader.prepare('select count(distinct segid) as count from item_search_index_idx').get()?.count as number;
  for (let segment = 0; segment < 3; segment++) {
    await db.change(async (db) => {
      for (let n = 1; n <= 40; n++) await addToSearch(db, segment * 40 + n, `amber ${segment * 40 + n}`);
    });
  }
  expect(segments()).toBe(3);
  const before = versions();
  await vi.waitFor(() => expect(segments()).toBe(1), { timeout: 5_000 });
  const found = reader.prepare(`select rowid from item_search_index where item_search_index match '"mbe"'`).all();
  expect(found).toHaveLength(120);
  reader.close();
  // Nobody has to read anything again because of that.
  expect(versions()).toEqual(before);
});
