import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openBrowser } from '../../../testing/browser.ts';
import { seedDemo } from '../../demo/seed.ts';
import { cleanUpIdentity } from '../../identity/identity.cleanup.ts';
import { signingKey } from '../../ledger/checkpoint.ts';
import { makeCheckpoints } from '../../ledger/checkpoints.store.ts';
import { requireIntactLedger } from '../../ledger/verify.ts';
import { anItem, deliver, edit, itemNow, move, signedInAs, type TestApp, testApp } from '../../testing.ts';
import { moveToPostgres } from '../backup/move.ts';
import { pruneChanges } from '../core/changes.ts';
import { pruneOutcomes } from '../core/idempotency.ts';
import { mayMigrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open.ts';
import { migrateAsOwner } from './runtime-role.ts';

const admin = new pg.Client({ connectionString: inject('postgresUrl') });
const folder = mkdtempSync(join(tmpdir(), 'perfume-roles-'));
let urls: Urls;
let shared: TestApp;
let runtime: pg.Client;
let owner: pg.Client;

beforeAll(async () => {
  await admin.connect();
  urls = await aDatabaseWithTwoRoles();
  await migrateAsOwner(urls.owner, urls.runtime);
  shared = await testApp('PostgreSQL', { databaseUrl: urls.runtime });
  [runtime, owner] = [await connect(urls.runtime), await connect(urls.owner)];
});

afterAll(async () => {
  await Promise.all([runtime.end(), owner.end(), admin.end()]);
  await shared.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a server whose role does not own the tables', () => {
  test('does everything that the product does', async () => {
    expect(await mayMigrate(shared.db.query)).toBe(false);
    await seedDemo(shared.db, Date.now());
    const browser = openBrowser(shared);
    await browser.signIn('demo@perfume.example', 'perfume-demo-1');
    expect(await browser.user()).toMatchObject({ email: 'demo@perfume.example' });

    const person = await signedInAs(shared);
    const { _id: id } = await anItem(person, { name: 'Vetiver of two roles', quantity: '12' });
    const delivery = await deliver(person, id);
    expect((await person.call('POST', `/movements/${delivery}/undo`)).statusCode).toBe(201);
    expect((await move(person, id, 'deliver', 12)).statusCode).toBe(201);
    await edit(person, id, { name: 'Vetiver of an owner', price: 99 });
    expect((await person.call('DELETE', `/inventory-items/${id}`)).statusCode).toBe(200);
    expect((await person.call('POST', `/inventory-items/${id}/restore`)).statusCode).toBe(200);
    const settings = await person.call('PUT', '/settings', { body: { reorderPoint: 7 } });
    expect([settings.statusCode, settings.body]).toEqual([200, expect.anything()]);
    expect((await person.call('GET', '/all-inventory-items?q=of%20an%20owner')).json()).toHaveLength(1);
    expect(await itemNow(person, id)).toMatchObject({ quantity: '0', price: 99 });
    for (const path of ['/history', '/insights/figures', '/alerts', `/inventory-items/${id}/movements`])
      expect([path, (await person.call('GET', path)).statusCode]).toEqual([path, 200]);
    const future = Date.now() + 400 * 24 * 60 * 60 * 1_000;
    await pruneOutcomes(shared.db, future);
    await pruneChanges(shared.db, future);
    await cleanUpIdentity(shared.db, Date.now());
    expect(await makeCheckpoints({ db: shared.db, key: signingKey('1'.repeat(64)), now: Date.now() })).not.toBeNull();
    expect(await requireIntactLedger(shared.db.query)).toMatchObject({ items: expect.any(Number) });
  });

  test.each([
    'alter table stock_movements disable trigger user',
    'alter table stock_movements disable trigger stock_movements_are_append_only',
    'drop trigger stock_movements_are_append_only on stock_movements',
    'drop trigger items_change_stock_with_a_movement on items',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return old; end $$',
    'drop function refuse_change() cascade',
    'set session_replication_role = replica',
    'update stock_movements set note = null',
    'delete from stock_movements',
    'truncate stock_movements cascade',
    'update item_events set actor_name = actor_name',
    'delete from item_events',
    'update checkpoints set at = 0',
    'delete from checkpoint_entries',
    'update settings_events set actor_name = actor_name',
    'delete from settings_events',
    'truncate item_events',
    'delete from items',
    'truncate items cascade',
    'drop table item_events',
    'alter table items drop constraint items_id_stock_seq_fkey',
    'insert into migrations values ($$9999-none$$, $$$$, 0)',
    'create table mine (id int)',
    // The triggers would find this table before the real one.
    'create temporary table items (id text, stock_seq bigint, quantity bigint)',
    'create schema mine',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create role mine',
  ])('is refused by the database: %s', async (statement) => {
    await expect(runtime.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('cannot become the owner or give itself rights', async () => {
    await expect(runtime.query(`set role ${urls.ownerRole}`)).rejects.toMatchObject({ code: '42501' });
    // PostgreSQL answers with a warning only.
    await runtime.query('grant update on stock_movements to current_user');
    await expect(runtime.query('update stock_movements set note = null')).rejects.toMatchObject({ code: '42501' });
    await expect(runtime.query(`set session authorization ${urls.ownerRole}`)).rejects.toMatchObject({ code: '42501' });
  });

  test('can only append to every table that a trigger makes append-only', async () => {
    const { rows } = await owner.query(
      `select distinct tgrelid::regclass::text as table,
         has_table_privilege($1::name, tgrelid, 'update, delete, truncate, trigger') as more
       from pg_trigger where tgname like '%\\_are\\_append\\_only'`,
      [urls.runtimeRole],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.filter(({ more }) => more)).toEqual([]);
  });

  test('gets what it needs of later tables, and loses what was granted by hand', async () => {
    await owner.query('create table later (id int primary key)');
    await owner.query('grant truncate on stock_movements to public');
    await expect(runtime.query('select from later')).rejects.toMatchObject({ code: '42501' });
    await migrateAsOwner(urls.owner, urls.runtime);
    await runtime.query('insert into later values (1)');
    await expect(runtime.query('truncate stock_movements cascade')).rejects.toMatchObject({ code: '42501' });
    await owner.query('drop table later');
  });
});

describe('migrating with two roles', () => {
  test('works at the start of the server or with npm run migrate, and a server alone says what is missing', async () => {
    const { owner: ownerUrl, runtime: url } = await aDatabaseWithTwoRoles();
    await expect(openDatabase(url)).rejects.toThrow('npm run migrate with DATABASE_OWNER_URL');
    const { stdout } = await run('migrate', { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    expect(stdout).toMatch('The database is migrated');
    await (await openDatabase(url, ownerUrl)).close();
    const client = await connect(ownerUrl);
    await client.query('delete from migrations where name = (select max(name) from migrations)');
    await client.end();
    await expect(openDatabase(url)).rejects.toThrow('npm run migrate with DATABASE_OWNER_URL');
  });

  test.each([
    ['SUPERUSER', (role: string) => `alter role ${role} superuser`],
    ['CREATEROLE', (role: string) => `alter role ${role} createrole`],
    ['member of another role', (role: string, owner: string) => `grant ${owner} to ${role}`],
    ['owns objects', (role: string, _: string, database: string) => `alter database ${database} owner to ${role}`],
  ])('refuses a role of the server with too many rights: %s', async (reason, give) => {
    const two = await aDatabaseWithTwoRoles();
    await admin.query(give(two.runtimeRole, two.ownerRole, two.database));
    await expect(migrateAsOwner(two.owner, two.runtime)).rejects.toThrow(reason);
  });

  test('refuses one role for both, and a role that does not exist', async () => {
    await expect(migrateAsOwner(urls.owner, urls.owner)).rejects.toThrow('also that of DATABASE_OWNER_URL');
    const nobody = urls.runtime.replace(urls.runtimeRole, 'nobody');
    await expect(migrateAsOwner(urls.owner, nobody)).rejects.toThrow('nobody of DATABASE_URL does not exist');
  });

  test('the programs verify and end-sign-ins need only the role of the server', async () => {
    expect((await run('verify', { DATABASE_URL: urls.runtime, DATA_DIR: folder })).stdout).toMatch(
      'The ledger is intact',
    );
    const person = await signedInAs(shared);
    await run('end-sign-ins', { DATABASE_URL: urls.runtime, DATA_DIR: folder }, '--everyone');
    expect((await person.call('GET', '/all-inventory-items')).statusCode).toBe(401);
  });

  test('the program assign-houses needs the owner', async () => {
    await anItem(await signedInAs(shared));
    const env = { DATABASE_URL: urls.runtime, DATA_DIR: folder };
    const assign = (more: object) => run('assign-houses', { ...env, ...more }, '--all-to', 'perfume-warehouse');
    await expect(assign({})).rejects.toMatchObject({ stderr: expect.stringContaining('Set DATABASE_OWNER_URL') });
    expect((await assign({ DATABASE_OWNER_URL: urls.owner })).stdout).toMatch('nothing to move');
  });

  test('the move from SQLite needs the owner', async () => {
    const file = join(folder, 'warehouse.sqlite');
    await (await openDatabase(file)).close();
    const two = await aDatabaseWithTwoRoles();
    const verify = requireIntactLedger;
    await expect(moveToPostgres({ file, url: two.runtime, verify })).rejects.toThrow('npm run migrate');
    await moveToPostgres({ file, url: two.owner, verify });
    await migrateAsOwner(two.owner, two.runtime);
    await expect(moveToPostgres({ file, url: two.runtime, verify })).rejects.toThrow('Use the role that owns');
    await (await openDatabase(two.runtime)).close();
  });
});

type Urls = Awaited<ReturnType<typeof aDatabaseWithTwoRoles>>;

async function aDatabaseWithTwoRoles() {
  const database = `roles_${randomUUID().replaceAll('-', '')}`;
  const [ownerRole, runtimeRole] = [`${database}_owner`, `${database}_app`];
  for (const role of [ownerRole, runtimeRole]) await admin.query(`create role ${role} login password 'secret'`);
  await admin.query(`create database ${database} owner ${ownerRole}`);
  const urlOf = (role: string) => {
    const url = new URL(inject('postgresUrl'));
    Object.assign(url, { username: role, password: 'secret', pathname: `/${database}` });
    return url.href;
  };
  return { database, ownerRole, runtimeRole, owner: urlOf(ownerRole), runtime: urlOf(runtimeRole) };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

function run(program: string, env: Record<string, string>, ...args: string[]) {
  const file = join(import.meta.dirname, `../../programs/${program}.ts`);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return promisify(execFile)(process.execPath, [file, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
}
