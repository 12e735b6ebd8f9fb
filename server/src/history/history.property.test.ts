import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, anyAction, listStock, performAction, toLine, type World } from '../../testing/actions.ts';
import type { CrashInput } from '../../testing/crash-worker.ts';
import type { Db } from '../db/core/database.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { queryRows } from '../db/core/statement.ts';
import { openDatabase } from '../db/open.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { databases, newDatabase } from '../testing.ts';
import { figuresAsOf, listAsOf } from '../time-machine/time-machine.store.ts';

// To try more histories: HISTORIES=3000 npm test -- --only http history.property
const RUNS = Number(process.env.HISTORIES ?? 0);
const runsOn = { SQLite: RUNS || 12, PostgreSQL: RUNS || 4 };

type Step =
  | Action
  | { do: 'both'; actions: [Action, Action] }
  | { do: 'reopen' }
  | { do: 'crash'; actions: Action[]; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 48, arbitrary: anyAction },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('both' as const), actions: fc.tuple(anyAction, anyAction) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      actions: fc.array(anyAction, { minLength: 2, maxLength: 6 }),
      ms: fc.nat({ max: 40 }),
    }),
  },
);

describe.each(databases)('any history on %s', (database) => {
  test('adds up, has each code once, can be undone, survives crashes, and can be read as of every instant', {
    timeout: RUNS ? 7_200_000 : 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'perfume-test-'));
        const warehouse = await openWarehouse(await newDatabase(database, folder));
        try {
          for (const step of steps) await warehouse.perform(step);
          await warehouse.check();
        } finally {
          await warehouse.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: runsOn[database] },
    );
  });
});

async function openWarehouse(url: string) {
  // Two stores stand for two servers that share one database.
  const open = () => Promise.all([openDatabase(url), openDatabase(url)]);
  let stores = await open();
  const world: World = { ids: [], batches: [], now: 1_800_000_000_000 };
  const seen: { at: number; items: string[] }[] = [];

  async function perform(step: Step): Promise<void> {
    world.now += 1_000;
    const [here, there] = stores;
    if (step.do === 'both')
      await Promise.all([
        performAction(here, step.actions[0], world, false),
        performAction(there, step.actions[1], world, false),
      ]);
    else if (step.do === 'crash') {
      const childUrl = here.dialect === 'sqlite' ? url : `${url}?application_name=${CRASH_TEST}`;
      await crashWorker({ url: childUrl, world, actions: step.actions }, step.ms);
      // PostgreSQL finishes the last statement of the killed process before it closes the connection.
      await expect.poll(() => openConnections(here), { timeout: 20_000 }).toBe(0);
    } else if (step.do === 'reopen') {
      await close();
      stores = await open();
    } else await performAction(here, step, world, true);
    seen.push({ at: world.now, items: await listStock(stores[0]) });
  }

  async function check(): Promise<void> {
    const [db] = stores;
    expect((await verifyLedger(db.query)).broken).toBeNull();
    const sums = await db.query
      .selectFrom('items')
      .innerJoin('stock_movements', 'stock_movements.item_id', 'items.id')
      .groupBy(['items.id', 'items.quantity'])
      .select(({ fn }) => ['items.quantity', fn.sum<number | string>('stock_movements.delta').as('sum')])
      .execute();
    for (const { quantity, sum } of sums) {
      expect(quantity).toBe(Number(sum));
      expect(quantity).toBeGreaterThanOrEqual(0);
    }
    const codes = await db.query.selectFrom('item_codes').select(['code_key', 'item_id']).orderBy('code_key').execute();
    const live = await db.query.selectFrom('items').where('deleted_at', 'is', null).selectAll().execute();
    const expected = live.flatMap(({ id, code_keys }) =>
      (JSON.parse(code_keys) as string[]).map((key) => ({ code_key: key, item_id: id })),
    );
    expect(codes).toEqual(expected.sort((a, b) => (a.code_key < b.code_key ? -1 : 1)));
    for (const { at, items } of seen) {
      const then = await listAsOf(db, {
        house: SHARED_HOUSE,
        at,
        limit: 200,
        skip: 0,
        sort: 'newest',
        q: null,
        stock: null,
      });
      expect(then.items.map(toLine).sort()).toEqual(items);
      const figures = await figuresAsOf(db, SHARED_HOUSE, at);
      expect(figures).toMatchObject({
        items: then.items.length,
        units: then.items.reduce((sum, { quantity }) => sum + quantity, 0),
        valueCents: then.items.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0),
        out: then.items.filter(({ quantity }) => quantity === 0).length,
      });
    }
  }

  const close = () => Promise.all(stores.map((store) => store.close()));
  return { perform, check, close };
}

const CRASH_TEST = 'crash-test';

async function openConnections(db: Db): Promise<number> {
  if (db.dialect === 'sqlite') return 0;
  const condition = 'datname = current_database() and application_name = $1';
  const rows = await queryRows(db.query, `select pid from pg_stat_activity where ${condition}`, [CRASH_TEST]);
  return rows.length;
}

/** Kills a process while it performs actions. Some of them may be stored, but none in part. */
async function crashWorker(input: CrashInput, ms: number): Promise<void> {
  const script = join(import.meta.dirname, '../../testing/crash-worker.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  const [code, signal] = await ended;
  // A worker that ends by itself has failed.
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}
