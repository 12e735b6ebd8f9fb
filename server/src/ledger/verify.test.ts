import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anItem, deliver, onBothDatabases, signedInAs, type TestApp } from '../testing.ts';
import { verifyLedger } from './verify.ts';

onBothDatabases('verifying the ledger', (shared) => {
  test('finds a change of any column, and the movement it is in', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person, { quantity: 9 });
    for (let n = 0; n < 3; n++) await deliver(person, item._id);
    const last = await deliver(person, item._id);
    expect((await person.call('POST', `/history/${last}/undo`)).statusCode).toBe(201);
    expect(await verifyLedger(shared.db.query)).toMatchObject({ broken: null, movements: 6, items: 1 });

    const third = await shared.db.query
      .selectFrom('stock_movements')
      .selectAll()
      .where('item_id', '=', item._id)
      .where('seq', '=', 3)
      .executeTakeFirstOrThrow();
    const forged: Record<string, string | number> = {
      id: randomUUID(),
      kind: 'restock',
      delta: third.delta - 1,
      quantity_before: third.quantity_before + 1,
      quantity_after: third.quantity_after - 1,
      actor_id: 'somebody',
      actor_name: 'Somebody',
      at: third.at - 1,
      note: 'forged',
      reason: 'theft',
      batch: randomUUID(),
      undone_kind: 'deliver',
      undone_at: third.at - 1,
      hash: third.hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
    };
    await withoutGuards(shared, async () => {
      for (const [column, value] of Object.entries(forged)) {
        await overwrite(shared, item._id, 3, column, value);
        const { broken } = await verifyLedger(shared.db.query);
        expect([column, broken?.itemId, broken?.seq]).toEqual([column, item._id, 3]);
        await overwrite(shared, item._id, 3, column, third[column as keyof typeof third]);
      }
      await overwrite(shared, item._id, 6, 'undoes', third.id);
      expect((await verifyLedger(shared.db.query)).broken).toMatchObject({ seq: 6 });
      await overwrite(shared, item._id, 6, 'undoes', last);
      expect((await verifyLedger(shared.db.query)).broken).toBeNull();

      // The hashed text stays the same when the reason moves to another field.
      const body = { kind: 'correction', units: -1, note: 'broken', reason: 'theft' };
      expect((await person.call('POST', `/inventory-items/${item._id}/movements`, { body })).statusCode).toBe(201);
      await overwrite(shared, item._id, 7, 'reason', null);
      for (const moved of [
        { batch: '\x1ftheft', note: 'broken' },
        { batch: 'theft', note: 'broken\x1f' },
      ]) {
        for (const [column, value] of Object.entries(moved)) await overwrite(shared, item._id, 7, column, value);
        expect((await verifyLedger(shared.db.query)).broken).toMatchObject({ itemId: item._id, seq: 7 });
      }
      for (const [column, value] of Object.entries({ batch: null, note: 'broken' }))
        await overwrite(shared, item._id, 7, column, value);
      await overwrite(shared, item._id, 7, 'reason', 'theft');
      expect((await verifyLedger(shared.db.query)).broken).toBeNull();
    });
  });
});

/**
 * Does the work without triggers and constraints. A forger with the rights of the database's owner could remove them.
 */
async function withoutGuards({ db }: TestApp, work: () => Promise<void>): Promise<void> {
  const run = (text: string) => db.change(async (db) => void (await sql.raw(text).execute(db)));
  if (db.dialect === 'postgres') {
    await run('alter table stock_movements disable trigger user');
    const checks = await sql<{ conname: string }>`select conname from pg_constraint
      where conrelid = 'stock_movements'::regclass and contype in ('c', 'f')`.execute(db.query);
    for (const { conname } of checks.rows) await run(`alter table stock_movements drop constraint "${conname}"`);
  } else {
    await run('drop trigger stock_movements_are_never_changed');
    await run('pragma ignore_check_constraints = on');
  }
  await work();
}

async function overwrite({ db }: TestApp, itemId: string, seq: number, column: string, value: unknown): Promise<void> {
  await db.change(async (db) => {
    await sql`update stock_movements set ${sql.ref(column)} = ${value} where item_id = ${itemId} and seq = ${seq}`.execute(
      db,
    );
  });
}
