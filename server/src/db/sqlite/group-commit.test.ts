import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { OutcomeUnknown, StoreUnavailable } from '../core/errors.ts';
import { groupCommit } from './group-commit.ts';
import { kyselyOn } from './sqlite.ts';

const [SQLITE_FULL, SQLITE_IOERR_FSYNC] = [13, 1_034];

test.each([
  ['cannot be written', SQLITE_FULL, StoreUnavailable],
  ['may have reached the disk', SQLITE_IOERR_FSYNC, OutcomeUnknown],
])(
  'a commit that %s rejects every change in the batch with that error, and the next commit works',
  async (_, errcode, expected) => {
    const { change, fail, rows } = aStore();
    fail('commit', errcode);
    const outcomes = await Promise.allSettled([1, 2, 3].map((number) => change(insert(number))));
    for (const outcome of outcomes) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(expected);
    expect(rows()).toEqual([]);
    await change(insert(4));
    expect(rows()).toEqual([4]);
  },
);

test('a rollback that fails too leaves no change pending', async () => {
  const { change, fail, rows } = aStore();
  fail('commit', SQLITE_FULL);
  fail('rollback', SQLITE_IOERR_FSYNC);
  await expect(change(insert(1))).rejects.toBeInstanceOf(StoreUnavailable);
  await change(insert(2));
  expect(rows()).toEqual([2]);
});

test('a change that fails takes none of its batch with it, and only then the others run twice', async () => {
  const { change, rows } = aStore();
  let runs = 0;
  const make = (number: number) =>
    change((db) => {
      runs++;
      return insert(number)(db);
    });
  await Promise.all([make(1), make(2)]);
  expect(runs).toBe(2);
  const fail = () =>
    change(async (db) => {
      await insert(3)(db);
      throw new Error('refused');
    });
  const outcomes = await Promise.allSettled([make(4), fail(), make(5)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((outcomes[1] as PromiseRejectedResult).reason.message).toBe('refused');
  expect(rows()).toEqual([1, 2, 4, 5]);
  expect(runs).toBe(5);
});

test('changes that take long do not keep everything else waiting until all of them are made', async () => {
  const { change, rows } = aStore();
  let made = 0;
  const slow = (number: number) =>
    change(async (db) => {
      const until = performance.now() + 15;
      while (performance.now() < until);
      made++;
      return insert(number)(db);
    });
  const changes = Promise.all([1, 2, 3, 4, 5].map(slow));
  const seen = new Set<number>();
  while (made < 5) {
    await new Promise(setImmediate);
    seen.add(made);
  }
  expect([...seen].some((count) => count > 0 && count < 5)).toBe(true);
  await changes;
  expect(rows()).toEqual([1, 2, 3, 4, 5]);
});

/** Creates a real database whose next commit or rollback can be made to fail like a failing disk. */
function aStore() {
  const database = new DatabaseSync(':memory:');
  database.exec('create table numbers (number integer)');
  const failing = new Map<string, number>();
  const failIf = (text: string): undefined => {
    const errcode = failing.get(text);
    failing.delete(text);
    if (errcode === undefined) return undefined;
    throw Object.assign(new Error('disk error'), { errcode });
  };
  const connection = new Proxy(database, {
    get(target, name) {
      if (name === 'exec') return (text: string) => failIf(text) ?? target.exec(text);
      if (name !== 'prepare') return Reflect.get(target, name, target);
      return (text: string) => {
        const prepared = target.prepare(text);
        return { run: () => failIf(text) ?? prepared.run() };
      };
    },
  });
  return {
    ...groupCommit(connection, kyselyOn(database), { beforeCommit: () => {}, afterBatch: () => {} }),
    fail: (text: string, errcode: number) => void failing.set(text, errcode),
    rows: () =>
      database
        .prepare('select number from numbers')
        .all()
        .map(({ number }) => number),
  };
}

function insert(number: number): Parameters<ReturnType<typeof groupCommit>['change']>[0] {
  return (db) => db.executeQuery(CompiledQuery.raw('insert into numbers values (?)', [number]));
}
