import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WireCount } from '@perfume/contract/counts';
import type { WireHouse } from '@perfume/contract/houses';
import type { WireItem } from '@perfume/contract/wire-item';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isPostgres } from '../db/open.ts';
import { propagateReorderPoint } from '../items/reorder-point.store.ts';
import { signingKey } from '../ledger/checkpoint.ts';
import { makeCheckpoints } from '../ledger/checkpoints.store.ts';
import {
  aNewItem,
  anItem,
  databases,
  deliver,
  edit,
  type Person,
  request,
  signedInAs,
  type TestApp,
  testApp,
} from '../testing.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

describe.each(databases)('npm run assign-houses on %s', (database) => {
  let open: TestApp;
  let now: number;
  const clock = () => now;

  beforeEach(async () => {
    now = Date.now() - 2 * DAY_MS;
    open = await testApp(database, {}, { clock });
  });
  afterEach(() => open.close());

  const inHouses = () => open.sibling({ access: 'houses' });
  const housesOf = async (server: TestApp, { cookie }: Person) =>
    (await request(server, 'GET', '/houses', { headers: { cookie } })).json<WireHouse[]>();
  const namesOf = async (server: TestApp, { cookie }: Person) =>
    (await request(server, 'GET', '/all-inventory-items', { headers: { cookie } }))
      .json<WireItem[]>()
      .map(({ name }) => name)
      .sort();
  const assign = (...args: string[]) => run(open, 'assign-houses', ...args);

  async function aClosedCount(person: Person, items: WireItem[]): Promise<string> {
    const { id } = (await person.call('POST', '/counts', { body: { name: 'Year end' } })).json<WireCount>();
    const counted = { ids: items.map(({ _id }) => _id), set: 3 };
    expect((await person.call('POST', `/counts/${id}/entries`, { body: counted })).statusCode).toBe(200);
    expect((await person.call('PUT', `/counts/${id}`, { body: { state: 'cancelled' } })).statusCode).toBe(200);
    return id;
  }

  const saveView = (person: Person) =>
    person.call('POST', '/views', {
      body: { name: 'Low stock', page: 'manageInventory', query: 'stock=low', shared: true },
    });

  /** Everything that people read of a stock. */
  async function readAll(
    server: TestApp,
    { cookie }: Person,
    count: string,
  ): Promise<Record<string, [status: number, body: unknown]>> {
    const until = new Date(now + DAY_MS).toISOString().slice(0, 10);
    const paths = [
      '/all-inventory-items',
      '/history',
      '/alerts',
      '/counts',
      `/counts/${count}/lines?show=counted`,
      '/codes/VET-1',
      '/views',
      '/insights/figures',
      '/insights/sellers',
      '/insights/suppliers',
      '/insights/dead-stock',
      `/insights/series?until=${until}`,
      '/as-of/span',
      `/as-of?at=${new Date(now - DAY_MS).toISOString()}`,
      `/as-of/figures?at=${new Date(now - DAY_MS).toISOString()}`,
    ];
    const answers: Record<string, [status: number, body: unknown]> = {};
    for (const path of paths) {
      const answer = await request(server, 'GET', path, { headers: { cookie } });
      answers[path] = [answer.statusCode, answer.json()];
    }
    return answers;
  }

  test('moves the whole stock into a house and back, and everybody reads the same as before', async () => {
    const owner = await signedInAs(open);
    const [vetiver] = [await anItem(owner, { name: 'Vetiver', quantity: '12', sku: 'VET-1' }), await anItem(owner)];
    await deliver(owner, vetiver._id);
    const taken = await deliver(owner, vetiver._id);
    await owner.call('POST', `/movements/${taken}/undo`);
    await deliver(owner, vetiver._id);
    now += HOUR_MS;
    await edit(owner, vetiver._id, { price: 90 });
    await owner.call('DELETE', `/inventory-items/${(await anItem(owner, { name: 'Gone' }))._id}`);
    const count = await aClosedCount(owner, [vetiver]);
    await saveView(owner);
    now = Date.now();
    const key = signingKey('1'.repeat(64));
    expect(await makeCheckpoints({ db: open.db, key, now })).not.toBeNull();
    const before = await readAll(open, owner, count);
    for (const [path, [status]] of Object.entries(before)) expect([path, status]).toEqual([path, 200]);

    const houses = await inHouses();
    const [{ slug } = missing()] = await housesOf(houses, owner);
    expect(await namesOf(houses, owner)).toEqual([]);
    const tried = await assign('--all-to', slug);
    expect(tried.stdout).toMatch(`(${slug}) gets 3 items with 7 movements, 2 edits and deletions, `);
    expect(tried.stdout).toMatch(', 1 count sessions');
    expect(tried.stdout).toMatch('Nothing was changed.');
    expect(await readAll(open, owner, count)).toEqual(before);

    expect((await assign('--all-to', slug, '--yes')).stdout).toMatch('ACCESS=houses');
    const after = await inHouses();
    expect(await readAll(after, owner, count)).toEqual(before);
    expect(await namesOf(after, await signedInAs(open))).toEqual([]);
    expect(await namesOf(await open.sibling(), owner)).toEqual([]);
    expect((await run(open, 'verify')).stdout).toMatch('The ledger is intact');
    expect((await assign('--all-to', slug)).stdout).toMatch('There is nothing to move.');

    await assign('--to-open', '--yes');
    expect(await readAll(await open.sibling(), owner, count)).toEqual(before);
    expect((await run(open, 'verify')).stdout).toMatch('The ledger is intact');
  }, 60_000);

  test('gives each item to the house of the account with its email address, and makes that house', async () => {
    const [ann, ben] = [await signedInAs(open), await signedInAs(open)];
    const unverified = await signedInAs(open, undefined, { verified: false });
    const houses = await inHouses();
    const [annsHouse = missing()] = await housesOf(houses, ann);
    const item = (name: string, email: string, sku: string) => anItem(ann, { name, email, sku });
    const amber = await item('Amber', ann.user.email, 'A-1');
    const benzoin = await item('Benzoin', ben.user.email.toUpperCase(), 'B-1');
    for (const person of [ann, ben]) await saveView(person);
    await item('Cedar', unverified.user.email, 'C-1');
    const [own, mixed] = [await aClosedCount(ben, [benzoin]), await aClosedCount(ben, [amber, benzoin])];
    await open.db.change((db) => db.updateTable('houses').set({ reorder_point: 50 }).where('num', '=', 1).execute());

    await expect(assign('--by-email')).rejects.toMatchObject({
      stderr: expect.stringContaining('1 items have an email address without a verified account'),
    });
    const done = await assign('--by-email', '--rest-to', annsHouse.id, '--yes');
    expect(done.stdout).toMatch('1 of these houses are new');
    expect(done.stdout).toMatch('1 closed count sessions stay in the shared house');
    const after = await inHouses();
    expect(await namesOf(after, ann)).toEqual(['Amber', 'Cedar']);
    expect(await namesOf(after, ben)).toEqual(['Benzoin']);
    expect(await housesOf(after, ben)).toMatchObject([{ name: ben.user.name, role: 'owner', current: true }]);
    const read = (path: string) => request(after, 'GET', path, { headers: { cookie: ben.cookie } });
    expect((await read('/settings')).json()).toMatchObject({ reorderPoint: 50 });
    expect((await read('/views')).json()).toMatchObject([{ name: 'Low stock', mine: true }]);
    expect((await read(`/counts/${own}`)).statusCode).toBe(200);
    expect((await read(`/counts/${mixed}`)).json().code).toBe('count_not_found');
    // What people add later, whatever address it has, stays where it is.
    const later = aNewItem({ name: 'Later', email: ann.user.email });
    await request(after, 'POST', '/new-inventory-item', { headers: { cookie: ben.cookie }, body: later });
    expect((await assign('--by-email', '--yes')).stdout).toMatch('There is nothing to move.');
    expect((await run(open, 'verify')).stdout).toMatch('The ledger is intact');
  }, 60_000);

  test('applies the reorder point of the new house to its items', async () => {
    const person = await signedInAs(open);
    await anItem(person, { quantity: '12', email: person.user.email });
    const houses = await inHouses();
    const [{ slug } = missing()] = await housesOf(houses, person);
    const headers = { cookie: person.cookie };
    await request(houses, 'PUT', '/settings', { headers, body: { reorderPoint: 20 } });
    await assign('--all-to', slug, '--yes');
    const after = await inHouses();
    // A server does this when it starts.
    await propagateReorderPoint(after.db, now);
    expect((await request(after, 'GET', '/alerts', { headers })).json()).toMatchObject([{ kind: 'low', quantity: 12 }]);
  }, 60_000);

  test('refuses what it cannot do, and changes nothing', async () => {
    const person = await signedInAs(open);
    const houses = await inHouses();
    const [{ id } = missing()] = await housesOf(houses, person);
    const headers = { cookie: person.cookie };
    await anItem(person, { name: 'Shared', sku: 'SAME-1' });
    const theirs = aNewItem({ name: 'Theirs', sku: 'same-1' });
    const { _id } = (await request(houses, 'POST', '/new-inventory-item', { headers, body: theirs })).json<WireItem>();
    const refusal = (...args: string[]) => assign(...args).then(missing, ({ stderr }) => stderr as string);

    const clash = await refusal('--all-to', id, '--yes');
    for (const part of ['a code leads to one item', 'same-1', 'Shared', 'Theirs', _id]) expect(clash).toContain(part);
    expect(await refusal('--to-open', '--yes')).toMatch('Theirs');
    expect(await namesOf(houses, person)).toEqual(['Theirs']);

    await person.call('POST', '/counts', { body: { name: 'Stocktake' } });
    expect(await refusal('--all-to', id, '--yes')).toMatch('Stocktake');
    expect(await refusal('--all-to', 'nowhere')).toMatch('No house');
    for (const wrong of [[], ['--all-to', id, '--to-open'], ['--to-open', '--rest-to', id], ['--all']])
      expect(await refusal(...wrong)).toMatch('Usage');
  }, 60_000);
});

function run({ config }: TestApp, program: string, ...args: string[]) {
  const file = join(import.meta.dirname, `../programs/${program}.ts`);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const { databaseUrl, dataDir: DATA_DIR } = config;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR, ...(isPostgres(databaseUrl) && { DATABASE_URL: databaseUrl }) };
  return promisify(execFile)(process.execPath, [file, ...args], { env });
}

function missing(): never {
  throw new Error('it is missing');
}
