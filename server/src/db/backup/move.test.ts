import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongForm } from '../../../testing/form.ts';
import { seedDemo } from '../../demo/seed.ts';
import { type Checkpoint, signingKey } from '../../ledger/checkpoint.ts';
import { makeCheckpoints } from '../../ledger/checkpoints.store.ts';
import { requireIntactLedger } from '../../ledger/verify.ts';
import { verifyCheckpoints } from '../../ledger/verify-checkpoints.ts';
import { anItem, newPostgresDatabase, type Person, request, signedInAs, type TestApp, testApp } from '../../testing.ts';
import { changesAfter, latestPosition, type Position } from '../core/changes.ts';
import { type Move, moveToPostgres } from './move.ts';

type Sent = { method: 'POST' | 'PUT' | 'DELETE'; url: string; body: unknown; headers: Record<string, string> };

const PROGRAM = join(import.meta.dirname, '../../programs/migrate-to-postgres.ts');
const NOW = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 24 * 60 * 60 * 1_000;
const folder = mkdtempSync(join(tmpdir(), 'perfume-move-'));
const file = join(folder, 'warehouse.sqlite');
let now = NOW - 3 * DAY_MS;
const clock = () => now;

// A warehouse that is used on SQLite and then moved to PostgreSQL.
let cookie: string;
const sentRequests: { sent: Sent; status: number; body: string }[] = [];
const responsesBefore = new Map<string, string>();
let position: Position;
let kept: Checkpoint | null;
const key = signingKey('1'.repeat(64));
let moved: TestApp;
let url: string;

beforeAll(async () => {
  const before = await testApp('SQLite', { dataDir: folder, databaseUrl: file }, { clock });
  try {
    await seedDemo(before.db, now);
    const person = await signedInAs(before, 'mover@house.example');
    cookie = person.cookie;
    await useWarehouse(person);
    now = NOW;
    for (const path of await readPaths(person)) responsesBefore.set(path, await answer(before, path));
    position = await latestPosition(before.db);
    kept = await makeCheckpoints({ db: before.db, key, now });
  } finally {
    await before.close();
  }
  url = await newPostgresDatabase();
  await moveToPostgres(aMove());
  moved = await testApp('PostgreSQL', { dataDir: folder, databaseUrl: url }, { clock });
}, 60_000);

afterAll(async () => {
  await moved.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('after the move to PostgreSQL', () => {
  test('every list, history, alert, time machine view and figure is unchanged', async () => {
    expect(responsesBefore.size).toBeGreaterThan(40);
    for (const [path, was] of responsesBefore) {
      expect([path, was]).toEqual([path, expect.stringMatching(/^\[200,/)]);
      expect([path, await answer(moved, path)]).toEqual([path, was]);
    }
  });

  test('a retry with the same idempotency key gets the first response to the byte and changes nothing', async () => {
    expect(sentRequests.length).toBeGreaterThan(50);
    for (const { sent, status, body } of sentRequests) {
      const again = await request(moved, sent.method, sent.url, sent);
      expect([sent.url, again.statusCode, again.body]).toEqual([sent.url, status, body]);
    }
    expect(await answer(moved, '/history')).toBe(responsesBefore.get('/history'));
  });

  test('users can log in as before, and sessions stay logged in', async () => {
    const signIn = { email: 'demo@perfume.example', password: 'perfume-demo-1' };
    expect((await request(moved, 'POST', '/api/auth/sign-in/email', { body: signIn })).statusCode).toBe(200);
    expect((await request(moved, 'GET', '/settings', { headers: { cookie } })).statusCode).toBe(200);
  });

  test('numbering continues, and the change feed reports each new change exactly once', async () => {
    expect(await latestPosition(moved.db)).toEqual(position);
    const person = await signedInAs(moved, 'later@house.example');
    const item = await anItem(person, { quantity: 12 });
    const delivery = randomUUID();
    const delivered = await person.call('PUT', `/inventory-items/${item._id}`, {
      body: { quantity: '0' },
      headers: { 'stock-base': '12', 'idempotency-key': delivery },
    });
    expect(delivered.statusCode).toBe(200);
    const list = (await person.call('GET', '/inventory-items?limit=1')).json();
    expect(list[0]._id).toBe(item._id);
    const newestAlert = async () => (await answer(moved, '/alerts?limit=1')).replaceAll('\\"', '"');
    await expect.poll(newestAlert).toMatch(new RegExp(`"itemId":"${item._id}".*"kind":"out"`));
    const undone = await person.call('POST', `/history/${delivery}/undo`, {
      body: {},
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(undone.statusCode).toBe(201);
    const heard = async () => (await changesAfter(moved.db, position)).map(({ itemId, kind }) => [itemId, kind]);
    // The feed waits for all older transactions on the PostgreSQL server, which other tests use too.
    await expect.poll(heard).toEqual([
      [item._id, 'created'],
      [item._id, 'stock'],
      [item._id, 'stock'],
    ]);
    await requireIntactLedger(moved.db.query);
  });

  test('checkpoints made before still fit, and the next one continues their chain', async () => {
    await anItem(await signedInAs(moved));
    const next = await makeCheckpoints({ db: moved.db, key, now });
    const { faults, newest } = await verifyCheckpoints(moved.db.query, { publicKeys: [key.publicKey], since: kept });
    expect([faults, newest?.number, next?.number]).toEqual([[], (kept?.number ?? 0) + 1, newest?.number]);
  });
});

describe('the move', () => {
  test('is refused when the target database is not empty', async () => {
    await expect(moveToPostgres(aMove())).rejects.toThrow('is not empty');
  });

  // The short form stops as late as possible, when the most was copied.
  test.each(isLongForm ? ['items', 'stock_movements', 'answers', 'changes'] : ['changes'])(
    'leaves nothing when it fails while copying %s, and can be run again',
    async (table) => {
      url = await newPostgresDatabase();
      const cut = aMove({
        onRows: (copying) => {
          if (copying === table) throw new Error('power cut');
        },
      });
      await expect(moveToPostgres(cut)).rejects.toThrow('power cut');
      expect(await tablesOf(url)).toEqual([]);
      expect((await moveToPostgres(aMove())).ledger.items).toBeGreaterThan(24);
    },
  );

  const steps = ['Copying', 'Reading back', 'Checking the ledger in PostgreSQL'];
  test.each(isLongForm ? steps : steps.slice(-1))(
    'leaves nothing when it is killed at "%s", and can be run again',
    async (step) => {
      url = await newPostgresDatabase();
      await killedAt(step);
      // PostgreSQL notices that its client is gone and rolls back.
      await expect.poll(() => tablesOf(url)).toEqual([]);
      expect((await moveToPostgres(aMove())).ledger.items).toBeGreaterThan(24);
    },
  );

  test('fails when a copied row differs from the source, and then leaves nothing', async () => {
    url = await newPostgresDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await (await testApp('PostgreSQL', { databaseUrl: url })).close();
    await client.query(`create function corrupt_account() returns trigger language plpgsql as
      $$ begin new.password := new.password || '0'; return new; end $$;
      create trigger corrupt_account before insert on accounts for each row execute function corrupt_account()`);
    await expect(moveToPostgres(aMove())).rejects.toThrow('accounts differs after the copy');
    expect((await client.query('select from items')).rowCount).toBe(0);
    await client.end();
  });
});

function aMove(more: Partial<Move> = {}): Move {
  return { file, url, verify: (db) => requireIntactLedger(db), ...more };
}

/** Runs the command itself and kills it with -9 as soon as it prints `step`. */
async function killedAt(step: string): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [PROGRAM, url], { env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder } });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes(step)) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'exit');
  expect([output, signal]).toEqual([expect.stringContaining(step), 'SIGKILL']);
}

/** Simulates some days of use: 150 random actions of every kind on a few items, the same ones in every run. */
async function useWarehouse(person: Person): Promise<void> {
  const items = [];
  for (let n = 0; n < 6; n++) items.push(await anItem(person, { name: `Nº ${n} – Ölé 'ß' 香水`, quantity: 20 + n }));
  const acts = fc.sample(
    fc.record({
      item: fc.nat(items.length - 1),
      act: fc.constantFrom('deliver', 'deliver', 'restock', 'count', 'edit', 'delete', 'restore', 'undo', 'bulk'),
      units: fc.integer({ min: 1, max: 9 }),
    }),
    { numRuns: 150, seed: 7 },
  );
  await send(person, 'PUT', '/settings', { reorderPoint: 14, alerts: { mail: 'off', about: 'all' } });
  for (const { item, act, units } of acts) {
    now += 25 * 60 * 1_000;
    const id = items[item]?._id ?? '';
    const place = `/inventory-items/${id}`;
    if (act === 'deliver') await send(person, 'PUT', place, { quantity: String(50 - units) }, { 'stock-base': '50' });
    if (act === 'restock') await send(person, 'PUT', place, { quantity: String(50 + units) }, { 'stock-base': '50' });
    if (act === 'count') await send(person, 'PUT', place, { quantity: String(units) });
    if (act === 'edit') await send(person, 'POST', `${place}/edit`, { changes: { price: units * 10 } });
    if (act === 'delete') await send(person, 'DELETE', place, undefined);
    if (act === 'restore') await send(person, 'POST', `${place}/restore`, undefined);
    if (act === 'undo') await send(person, 'POST', `/history/${await newestEntry(person)}/undo`, {});
    if (act === 'bulk') {
      await send(person, 'POST', '/bulk', { batch: randomUUID(), action: 'deliver', ids: items.map(({ _id }) => _id) });
    }
  }
}

async function send(person: Person, method: Sent['method'], url: string, body: unknown, more = {}): Promise<void> {
  const headers = { 'idempotency-key': randomUUID(), cookie: person.cookie, ...more };
  const { statusCode: status, body: text } = await person.call(method, url, { body, headers });
  if (status >= 400 && status !== 404 && status !== 409) throw new Error(`${method} ${url}: ${text}`);
  if (url !== '/settings') sentRequests.push({ sent: { method, url, body, headers }, status, body: text });
}

async function newestEntry(person: Person): Promise<string> {
  const answer = await person.call('GET', '/history?limit=1');
  return answer.json<{ id: string }[]>()[0]?.id ?? '';
}

async function readPaths(person: Person): Promise<string[]> {
  const items = (await person.call('GET', '/all-inventory-items')).json<{ _id: string }[]>();
  const at = [1, 24, 60, 400].map((hours) => new Date(NOW - hours * 60 * 60 * 1_000).toISOString());
  const days = 'from=2026-04-01&to=2026-05-20';
  return [
    '/all-inventory-items',
    '/settings',
    '/alerts',
    '/alerts?limit=5',
    ...['newest', '-newest', 'name', '-name', 'price', '-price', 'quantity', '-quantity'].map(
      (sort) => `/inventory-items?sort=${sort}&limit=7`,
    ),
    ...['in', 'low', 'out'].map((stock) => `/inventory-items?stock=${stock}`),
    ...['iris', 'Ölé', '香水', "'ß'", 'a', 'no such thing'].map((q) => `/inventory-items?q=${encodeURIComponent(q)}`),
    '/history',
    '/history?limit=200',
    '/history/people',
    ...['deliver', 'restock', 'correction', 'undo', 'edited', 'deleted'].map((kind) => `/history?kind=${kind}`),
    ...items.map(({ _id }) => `/inventory-items/${_id}/movements`),
    '/as-of/span',
    ...at.flatMap((instant) => [
      `/as-of?at=${instant}`,
      `/as-of?at=${instant}&sort=quantity&q=iris`,
      `/as-of/figures?at=${instant}`,
    ]),
    '/insights/figures',
    ...['day', 'week', 'month'].map((step) => `/insights/series?${days}&step=${step}`),
    `/insights/sellers?${days}`,
    `/insights/sellers?${days}&order=slowest`,
    `/insights/suppliers?${days}`,
    '/insights/dead-stock?days=30',
  ];
}

/** Returns the status, headers and body of a response as one text, without its request id. */
async function answer(test: TestApp, path: string): Promise<string> {
  const { statusCode, headers, body } = await request(test, 'GET', path, { headers: { cookie } });
  const text = statusCode === 200 ? body : JSON.stringify({ ...JSON.parse(body), requestId: '' });
  return JSON.stringify([statusCode, headers['x-total-count'], headers.link, text]);
}

async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
  await client.end();
  return rows.map(({ tablename }) => tablename);
}
