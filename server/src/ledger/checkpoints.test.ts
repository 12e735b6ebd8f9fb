import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Db } from '../db/core/database.ts';
import { ledgerHash } from '../db/core/ledger-hash.ts';
import { type Queries, queryRows } from '../db/core/statement.ts';
import { anItem, deliver, edit, onBothDatabases, type Person, signedInAs } from '../testing.ts';
import { type Checkpoint, checkpointHash, formatCheckpoint, signingKey } from './checkpoint.ts';
import { scheduleCheckpoints } from './checkpoint-scheduler.ts';
import { makeCheckpoints, newestCheckpoint } from './checkpoints.store.ts';
import { lastCheckpoint, readLastCheckpoint } from './last-checkpoint.ts';
import { verifyLedger } from './verify.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';

const key = signingKey('1'.repeat(64));
const publicKeys = [key.publicKey];
const HOUR_MS = 60 * 60 * 1_000;

onBothDatabases('checkpoints', (shared) => {
  let person: Person;
  let removed: string;
  let edited: string;
  let kept: Checkpoint;

  /** The shop before and after the checkpoint that is kept elsewhere: the first of three. */
  beforeAll(async () => {
    person = await signedInAs(shared);
    removed = (await anItem(person, { quantity: 9 }))._id;
    edited = (await anItem(person, { quantity: 9 }))._id;
    for (const item of [removed, edited, removed]) await deliver(person, item);
    await edit(person, edited, { price: 150 });
    await person.call('PUT', '/settings', { body: { reorderPoint: 7 } });
    kept = await made(shared.db);
    await deliver(person, edited);
    await person.call('DELETE', `/inventory-items/${edited}`);
    await made(shared.db);
    await deliver(person, removed);
    await made(shared.db);
  });

  const faultsOf = async (db: Queries, since: Checkpoint | null = null) =>
    (await verifyCheckpoints(db, { publicKeys, since })).faults;

  test('cover every row once and are made only when something is new', async () => {
    expect(await faultsOf(shared.db.query, kept)).toEqual([]);
    const { newest, rows } = await verifyCheckpoints(shared.db.query, { publicKeys, since: null });
    expect(newest).toMatchObject({ number: 3, complete: 1 });
    expect(rows).toBe(await countRows(shared.db.query));
    expect(JSON.parse(newest?.books ?? '')).toMatchObject({
      stock_movements: { added: 1, rows: 7, to: 7 },
      item_events: { added: 0, rows: 2 },
    });
    expect(await makeCheckpoints({ db: shared.db, key, now: Date.now() })).toBeNull();
  });

  test('are refused by the database when changed or deleted', async () => {
    for (const text of [
      'update checkpoints set at = 0',
      'delete from checkpoints',
      'update checkpoint_entries set position = 1',
      'delete from checkpoint_entries',
    ])
      await expect(shared.db.change((db) => sql.raw(text).execute(db))).rejects.toThrow('append-only');
  });

  describe('with the rights of the owner', () => {
    test('an item removed with all its rows is found', async () => {
      await tamper(shared.db, async (db) => {
        await removeItem(db, removed);
        expect((await verifyLedger(db)).broken).toBeNull();
        expect(await faultsOf(db)).toContain(
          `Checkpoint 1, stock_movements: movements of item ${removed} up to number 3 are missing.`,
        );
      });
    });

    test('an item removed with its rows and its entries in the checkpoints is found', async () => {
      await tamper(shared.db, async (db) => {
        await removeItem(db, removed);
        await sql`delete from checkpoint_entries where subject = ${removed}`.execute(db);
        expect(await faultsOf(db)).toEqual(
          [1, 3].map((n) => `Checkpoint ${n}: the list of what it covers was changed.`),
        );
      });
    });

    test('a movement changed and rechained is found', async () => {
      await tamper(shared.db, async (db) => {
        await sql`update stock_movements set note = 'forged' where item_id = ${edited} and seq = 2`.execute(db);
        await rechain(db, edited);
        expect((await verifyLedger(db)).broken).toBeNull();
        expect(await faultsOf(db)).toEqual([
          `Checkpoint 1, stock_movements: movements of item ${edited} up to number 2 were changed.`,
          `Checkpoint 2, stock_movements: movements of item ${edited} up to number 3 were changed.`,
        ]);
      });
    });

    test.each([
      ['changes', '[]'],
      ['actor_name', 'Somebody'],
      ['at', 1],
      ['undoes', 'x'],
      ['id', 'x'],
    ])('an edit whose %s was changed is found', async (column, value) => {
      await tamper(shared.db, async (db) => {
        await sql`update item_events set ${sql.ref(column)} = ${value} where kind = 'edited'`.execute(db);
        expect(await faultsOf(db)).toEqual([
          expect.stringMatching(`^Checkpoint 1, item_events: number \\d+, about ${edited}, was changed`),
        ]);
      });
    });

    test('a changed entry about settings is found', async () => {
      await tamper(shared.db, async (db) => {
        await sql`update settings_events set changes = '[]'`.execute(db);
        expect(await faultsOf(db)).toEqual([
          expect.stringMatching('^Checkpoint 1, settings_events: number \\d+, about \\w+, was changed'),
        ]);
      });
    });

    test('a removed deletion is found', async () => {
      await tamper(shared.db, async (db) => {
        await sql`delete from item_events where kind = 'deleted'`.execute(db);
        expect(await faultsOf(db)).toEqual([
          expect.stringMatching(`^Checkpoint 2, item_events: number \\d+, about ${edited}, is missing`),
        ]);
      });
    });

    test('movements and edits that were added with an earlier date are found', async () => {
      await tamper(shared.db, async (db) => {
        await sql`insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after, actor_id,
          actor_name, at) select 'late', item_id, seq + 1, 'deliver', -1, quantity_after, quantity_after - 1, actor_id,
          actor_name, at - ${2 * HOUR_MS} from stock_movements where item_id = ${removed} and seq = 4`.execute(db);
        await sql`insert into item_events (id, item_id, kind, actor_id, actor_name, at)
          values ('late too', ${removed}, 'deleted', '', '', ${kept.at - 2 * HOUR_MS})`.execute(db);
        expect(await faultsOf(db)).toEqual([
          `Checkpoint 3, stock_movements: number 5, about ${removed}, was added later with an earlier date.`,
          expect.stringMatching(`^Checkpoint 3, item_events: number \\d+, about ${removed}, was added later`),
        ]);
      });
    });

    test('rows with an earlier date are still found when a later checkpoint covers them, even in several parts', async () => {
      await tamper(shared.db, async (db) => {
        const at = kept.at - 2 * HOUR_MS;
        // The second movement has a right date. One entry covers both.
        for (const [id, date] of [
          ['late', at],
          ['not late', Date.now()],
        ])
          await sql`insert into stock_movements (id, item_id, seq, kind, delta, quantity_before, quantity_after, actor_id,
            actor_name, at) select ${id}, item_id, seq + 1, 'deliver', -1, quantity_after, quantity_after - 1, actor_id,
            actor_name, ${sql.lit(date)} from stock_movements where item_id = ${removed} order by seq desc limit 1`.execute(
            db,
          );
        await sql`update items set stock_seq = 6 where id = ${removed}`.execute(db);
        await rechain(db, removed);
        for (const id of ['late too', 'late as well'])
          await sql`insert into item_events (id, item_id, kind, actor_id, actor_name, at)
            values (${id}, ${edited}, 'deleted', '', '', ${at})`.execute(db);
        await sql`insert into settings_events (id, kind, changes, actor_id, actor_name, at)
          values ('late in the settings', 'reorderPoint', '[]', '', '', ${at})`.execute(db);
        await makeCheckpoints({ db: inside(shared.db, db), key, now: Date.now() }, { maxEntries: 2 });
        expect(await faultsOf(db)).toEqual([
          expect.stringMatching(
            `^Checkpoint 4, item_events: number \\d+, about ${edited}, was added with a date before`,
          ),
          expect.stringMatching(
            `^Checkpoint 4, item_events: number \\d+, about ${edited}, was added with a date before`,
          ),
          expect.stringMatching(
            '^Checkpoint 5, settings_events: number \\d+, about reorderPoint, was added with a date',
          ),
          `Checkpoint 5, stock_movements: number 6, about ${removed}, was added with a date before the previous checkpoint.`,
        ]);
      });
    });

    test('a removed checkpoint is found, the newest one by whoever kept it', async () => {
      await tamper(shared.db, async (db) => {
        await sql`delete from checkpoints where number = 2`.execute(db);
        expect(await faultsOf(db)).toEqual([
          'Checkpoint 2 is missing.',
          'Checkpoint 2 is missing, but the list of what it covers is there.',
        ]);
      });
      const newest = await newestCheckpoint(shared.db.query);
      await tamper(shared.db, async (db) => {
        await sql`delete from checkpoint_entries where checkpoint = 3`.execute(db);
        await sql`delete from checkpoints where number = 3`.execute(db);
        expect(await faultsOf(db)).toEqual([]);
        expect(await faultsOf(db, newest)).toEqual([
          expect.stringMatching(
            '^The database is older than the checkpoint 3 that you kept: it ends with checkpoint 2',
          ),
        ]);
      });
    });

    test('a forged checkpoint is found: changed, signed with another key, or not signed', async () => {
      const last = (await newestCheckpoint(shared.db.query)) as Checkpoint;
      const other = signingKey('2'.repeat(64));
      const forged = { ...last, at: last.at - 1 };
      const hash = checkpointHash(forged);
      const byOther = { ...forged, public_key: other.publicKey };
      const otherHash = checkpointHash(byOther);
      for (const [row, fault] of [
        [forged, 'Checkpoint 3 was changed: its hash does not match it.'],
        [{ ...forged, hash }, 'Checkpoint 3 was forged: its signature is not valid.'],
        [
          { ...byOther, hash: otherHash, signature: other.sign(otherHash) },
          `Checkpoint 3 was signed with another key: ${other.publicKey}.`,
        ],
        [{ ...forged, public_key: 'none', hash }, 'Checkpoint 3 was changed: its hash does not match it.'],
      ] as const)
        await tamper(shared.db, async (db) => {
          await db.updateTable('checkpoints').set(row).where('number', '=', 3).execute();
          expect(await faultsOf(db)).toEqual([fault]);
          const { publicKeys: used } = await verifyCheckpoints(db, { publicKeys: [], since: null });
          expect(used).toEqual([...new Set([key.publicKey, row.public_key])]);
        });
    });

    test('everything rewritten with the signing key is found by whoever kept a checkpoint', async () => {
      await tamper(shared.db, async (db) => {
        await removeItem(db, removed);
        for (const table of ['checkpoint_entries', 'checkpoints']) await sql.raw(`delete from ${table}`).execute(db);
        await made(inside(shared.db, db));
        expect((await verifyLedger(db)).broken).toBeNull();
        expect(await faultsOf(db)).toEqual([]);
        expect(await faultsOf(db, kept)).toEqual([
          expect.stringMatching('^Checkpoint 1 is not the one you kept: what it covers was rewritten'),
        ]);
      });
    });
  });

  test('a server signs nothing that does not continue the checkpoint it remembers', async () => {
    const remembered = (await newestCheckpoint(shared.db.query)) as Checkpoint;
    const sign = (db: Queries, from: Checkpoint) =>
      makeCheckpoints({ db: inside(shared.db, db), key, now: Date.now(), remembered: from });
    const refused = `does not continue checkpoint ${formatCheckpoint(remembered)}`;
    await tamper(shared.db, async (db) => {
      await removeItem(db, removed);
      for (const table of ['checkpoint_entries', 'checkpoints']) await sql.raw(`delete from ${table}`).execute(db);
      await expect(sign(db, remembered)).rejects.toThrow(refused);
      // A chain as long as the former one, which is not the one that was seen.
      for (let number = 1; number <= remembered.number; number++) {
        await sql`update items set stock_seq = stock_seq + 1 where id = ${edited}`.execute(db);
        await made(inside(shared.db, db));
      }
      await expect(sign(db, remembered)).rejects.toThrow(refused);
    });
    await tamper(shared.db, async (db) => {
      await sql`delete from checkpoint_entries where checkpoint = 2`.execute(db);
      await sql`update checkpoints set content = '' where number = 2`.execute(db);
      await expect(sign(db, kept)).rejects.toThrow(`does not continue checkpoint ${formatCheckpoint(kept)}`);
    });
    await tamper(shared.db, async (db) => {
      await sql`update checkpoints set signature = 'AAAA' where number = 2`.execute(db);
      await expect(sign(db, kept)).rejects.toThrow(`does not continue checkpoint ${formatCheckpoint(kept)}`);
    });
    expect(await makeCheckpoints({ db: shared.db, key, now: Date.now(), remembered: kept })).toBeNull();
  });

  test('a server remembers the newest checkpoint in a private file, and signs again once the operator removes it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perfume-last-'));
    const file = join(folder, 'last-checkpoint');
    const unknown = formatCheckpoint({ number: 99, hash: kept.hash });
    writeFileSync(file, unknown);
    await deliver(person, removed);
    const lines: string[] = [];
    const log = { info: note('info'), warn: note('warn'), error: note('error') };
    function note(level: string) {
      return (_facts: object, message: string) => lines.push(`${level}: ${message}`);
    }
    const before = await newestCheckpoint(shared.db.query);
    aMinuteOfServer(shared.db, folder, log);
    await expect.poll(() => lines).toEqual([expect.stringContaining(`error: The database does not continue`)]);
    expect(await newestCheckpoint(shared.db.query)).toEqual(before);
    expect(readFileSync(file, 'utf8')).toBe(unknown);

    rmSync(file);
    aMinuteOfServer(shared.db, folder, log);
    await expect.poll(() => lines).toEqual([expect.anything(), 'info: checkpoint made']);
    const newest = (await newestCheckpoint(shared.db.query)) as Checkpoint;
    expect(readLastCheckpoint(folder)).toEqual({ number: newest.number, hash: newest.hash });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    // Where nothing can be written, it is kept in memory.
    const nowhere = lastCheckpoint(join(folder, 'none'));
    nowhere.remember(newest);
    expect(nowhere.recall()).toEqual({ number: newest.number, hash: newest.hash });
  });

  test('writers at the same time on two servers lose no row, and one number is given once', async () => {
    const sibling = await shared.sibling();
    const items = await Promise.all(Array.from({ length: 6 }, () => anItem(person, { quantity: 50 })));
    let writing = true;
    const writers = Promise.all(
      items.map(async ({ _id }, index) => {
        for (let round = 0; round < 6; round++) {
          await deliver(person, _id);
          await edit(person, _id, { price: 100 + round + index });
        }
      }),
    ).finally(() => {
      writing = false;
    });
    const servers = [shared.db, sibling.db].map(async (db) => {
      while (writing) await makeCheckpoints({ db, key, now: Date.now() }, { maxEntries: 3 });
    });
    await Promise.all([writers, ...servers]);
    await Promise.all(
      [shared.db, sibling.db].map((db) => makeCheckpoints({ db, key, now: Date.now() }, { maxEntries: 3 })),
    );
    const { newest, rows, faults } = await verifyCheckpoints(shared.db.query, { publicKeys, since: kept });
    expect(faults).toEqual([]);
    expect(newest?.complete).toBe(1);
    expect(rows).toBe(await countRows(shared.db.query));
  });

  test('a row committed after a row with a higher number is in the next checkpoint', async () => {
    // SQLite has one writer, which numbers rows as it commits them.
    if (shared.database === 'SQLite') return;
    const { _id } = await anItem(person);
    const slow = new pg.Client({ connectionString: shared.config.databaseUrl });
    await slow.connect();
    await slow.query('begin');
    await slow.query(
      `insert into item_events (id, item_id, kind, actor_id, actor_name, at) values ('slow', $1, 'edited', '', '', $2)`,
      [_id, Date.now()],
    );
    await edit(person, _id, { price: 150 });
    const before = JSON.parse((await made(shared.db)).books).item_events;
    await slow.query('commit');
    await slow.end();
    const after = JSON.parse((await made(shared.db)).books).item_events;
    expect([before.added, after.added, after.to]).toEqual([1, 1, before.to]);
    expect(await faultsOf(shared.db.query)).toEqual([]);
  });

  test('a server makes one within a minute of its start and logs it, and none if nothing is new', async () => {
    await deliver(person, removed);
    const lines: object[] = [];
    const note = (line: object) => lines.push(line);
    aMinuteOfServer(shared.db, mkdtempSync(join(tmpdir(), 'perfume-last-')), { info: note, warn: note, error: note });
    await expect.poll(() => lines).toHaveLength(1);
    const newest = (await newestCheckpoint(shared.db.query)) as Checkpoint;
    expect(lines).toEqual([{ checkpoint: formatCheckpoint(newest), publicKey: key.publicKey }]);
    expect(await makeCheckpoints({ db: shared.db, key, now: Date.now() })).toBeNull();
  });

  test('npm run verify compares a kept checkpoint and prints the newest one', async () => {
    if (shared.database === 'PostgreSQL') return;
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: shared.config.dataDir, CHECKPOINT_KEY: '1'.repeat(64) };
    const verify = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, '../programs/verify.ts'), ...args], { env });
    const newest = (await newestCheckpoint(shared.db.query)) as Checkpoint;
    writeFileSync(join(shared.config.dataDir, 'last-checkpoint'), formatCheckpoint(newest));
    const wrong = formatCheckpoint({ number: kept.number, hash: newest.hash });
    const [{ stdout }] = await Promise.all([
      verify('--since', formatCheckpoint(kept)),
      expect(verify('--since', wrong)).rejects.toThrow('Checkpoint 1 is not the one you kept'),
    ]);
    expect(stdout).toMatch('Nothing that checkpoint 1 covers was changed or removed.');
    expect(stdout).toMatch(`Checkpoint ${newest.number}, which this server remembers, is there.`);
    expect(stdout).toMatch(formatCheckpoint(newest));
    writeFileSync(join(shared.config.dataDir, 'last-checkpoint'), formatCheckpoint({ ...newest, hash: kept.hash }));
    await expect(verify()).rejects.toThrow('is not the one this server remembers');
  });
});

/** Runs what a server does in its first minute, later: the last checkpoint seems to be another server's otherwise. */
function aMinuteOfServer(db: Db, dataDir: string, log: Parameters<typeof scheduleCheckpoints>[3]): void {
  const now = Date.now() + 5 * 60_000;
  vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const stop = scheduleCheckpoints(db, key, lastCheckpoint(dataDir), log);
  vi.advanceTimersByTime(60_000);
  stop();
  vi.useRealTimers();
}

/** The database as it is inside a transaction. */
function inside(db: Db, query: Queries): Db {
  return {
    ...db,
    query,
    longQuery: (text, params) => queryRows(query, text, params),
    change: (work) => work(query),
  };
}

const rollback = new Error('rolled back');

/** Does the work without triggers and references, as the owner of the database could, and rolls it back. */
async function tamper(db: Db, work: (db: Queries) => Promise<void>): Promise<void> {
  const tampered = db.change(async (queries) => {
    if (db.dialect === 'postgres') await sql`set local session_replication_role = replica`.execute(queries);
    else {
      await sql`pragma defer_foreign_keys = on`.execute(queries);
      const triggers = await sql<{ name: string }>`select name from sqlite_schema where type = 'trigger'`.execute(
        queries,
      );
      for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(queries);
    }
    await work(queries);
    throw rollback;
  });
  await expect(tampered).rejects.toBe(rollback);
}

async function removeItem(db: Queries, id: string): Promise<void> {
  await sql`delete from stock_alerts where item_id = ${id}`.execute(db);
  await sql`delete from item_events where item_id = ${id}`.execute(db);
  await sql`delete from stock_movements where item_id = ${id}`.execute(db);
  await sql`delete from items where id = ${id}`.execute(db);
}

async function rechain(db: Queries, itemId: string): Promise<void> {
  let before = '';
  for (const row of await db
    .selectFrom('stock_movements')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('seq')
    .execute()) {
    const { seq, id, kind, delta, quantity_after, actor_id, actor_name, at, note, undoes, batch, reason } = row;
    before = ledgerHash(
      ...([
        before,
        itemId,
        seq,
        id,
        kind,
        delta,
        quantity_after,
        actor_id,
        actor_name,
        at,
        note,
        undoes,
        batch,
        reason,
      ] as const),
    );
    await sql`update stock_movements set hash = ${before} where item_id = ${itemId} and seq = ${seq}`.execute(db);
  }
  await sql`update items set ledger_hash = ${before} where id = ${itemId}`.execute(db);
}

async function made(db: Db): Promise<Checkpoint> {
  const checkpoint = await makeCheckpoints({ db, key, now: Date.now() });
  if (!checkpoint) throw new Error('there was nothing to cover');
  return checkpoint;
}

async function countRows(db: Queries): Promise<number> {
  const counted = await sql<{ count: number }>`select (select count(*) from stock_movements)
    + (select count(*) from item_events) + (select count(*) from settings_events) as count`.execute(db);
  return Number(counted.rows[0]?.count);
}
