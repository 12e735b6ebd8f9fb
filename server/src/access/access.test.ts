import { randomUUID } from 'node:crypto';
import type { WireCount } from '@perfume/contract/counts';
import { endpoints } from '@perfume/contract/endpoints';
import type { WireHouse } from '@perfume/contract/houses';
import type { WireItem } from '@perfume/contract/wire-item';
import { type HouseRole, houseRoles, roleMay } from '@perfume/domain/houses';
import { beforeAll, describe, expect, test } from 'vitest';
import { aNewItem, anItem, onBothDatabases, type Person, signedInAs, type TestApp } from '../testing.ts';
import { policy } from './policy.ts';

type Answer = Awaited<ReturnType<Person['call']>>;
/** What one house has, for requests that name something of it. All of it was done by `by`. */
type Things = {
  by: Person;
  houseId: string;
  item: WireItem;
  code: string;
  delivery: string;
  edit: string;
  batch: string;
  count: string;
  counted: string;
};
type Call = (by: Person, things: Things, headers: Record<string, string>) => Promise<Answer>;

const get =
  (path: (things: Things) => string): Call =>
  (by, things, headers) =>
    by.call('GET', path(things), { headers });
const send =
  (method: 'POST' | 'PUT' | 'DELETE', path: (things: Things) => string, body?: (things: Things) => unknown): Call =>
  (by, things, headers) =>
    by.call(method, path(things), { headers, ...(body && { body: body(things) }) });

/** A request for each endpoint of the policy, with what it needs. A new endpoint must be added here. */
const calls: Record<string, Call> = {
  'GET /all-inventory-items': get(() => '/all-inventory-items'),
  'GET /manage-inventory': get(({ item }) => `/manage-inventory?_id=${item._id}`),
  'GET /codes/:code': get(({ code }) => `/codes/${code}`),
  'POST /new-inventory-item': send(
    'POST',
    () => '/new-inventory-item',
    () => aNewItem(),
  ),
  'PUT /inventory-items/:id': send(
    'PUT',
    ({ item }) => `/inventory-items/${item._id}`,
    () => ({ quantity: '7' }),
  ),
  'POST /inventory-items/:id/edit': send(
    'POST',
    ({ item }) => `/inventory-items/${item._id}/edit`,
    () => ({ changes: { name: `Name ${randomUUID()}` } }),
  ),
  'DELETE /inventory-items/:id': send('DELETE', ({ item }) => `/inventory-items/${item._id}`),
  'POST /inventory-items/:id/restore': send('POST', ({ item }) => `/inventory-items/${item._id}/restore`),
  'GET /inventory-items/:id/movements': get(({ item }) => `/inventory-items/${item._id}/movements`),
  'POST /inventory-items/:id/movements': send(
    'POST',
    ({ item }) => `/inventory-items/${item._id}/movements`,
    () => ({ kind: 'deliver', units: 1 }),
  ),
  'POST /movements/:id/undo': send('POST', ({ delivery }) => `/movements/${delivery}/undo`),
  'GET /history': get(() => '/history'),
  'GET /history/people': get(() => '/history/people'),
  'GET /history/:id/undo': get(({ edit }) => `/history/${edit}/undo`),
  'POST /history/:id/undo': send('POST', ({ edit }) => `/history/${edit}/undo`),
  'POST /bulk': send(
    'POST',
    () => '/bulk',
    ({ item }) => ({ batch: randomUUID(), action: 'setReorderPoint', reorderPoint: 2, ids: [item._id] }),
  ),
  'GET /batches/:id': get(({ batch }) => `/batches/${batch}`),
  'POST /batches/:id/undo': send('POST', ({ batch }) => `/batches/${batch}/undo`),
  'POST /counts': send(
    'POST',
    () => '/counts',
    () => ({ name: 'Count' }),
  ),
  'GET /counts': get(() => '/counts'),
  'GET /counts/:id': get(({ count }) => `/counts/${count}`),
  'PUT /counts/:id': send(
    'PUT',
    ({ count }) => `/counts/${count}`,
    () => ({ name: 'Renamed' }),
  ),
  'GET /counts/:id/lines': get(({ count }) => `/counts/${count}/lines`),
  'POST /counts/:id/entries': send(
    'POST',
    ({ count }) => `/counts/${count}/entries`,
    ({ item }) => ({ ids: [item._id], set: 3 }),
  ),
  'POST /count-entries/:id/undo': send('POST', ({ counted }) => `/count-entries/${counted}/undo`),
  'PUT /counts/:id/lines': send(
    'PUT',
    ({ count }) => `/counts/${count}/lines`,
    ({ item }) => ({ ids: [item._id], reason: 'theft' }),
  ),
  'POST /counts/:id/post': send(
    'POST',
    ({ count }) => `/counts/${count}/post`,
    () => ({ batch: randomUUID() }),
  ),
  'GET /as-of': get(() => `/as-of?at=${new Date().toISOString()}`),
  'GET /as-of/figures': get(() => `/as-of/figures?at=${new Date().toISOString()}`),
  'GET /as-of/span': get(() => '/as-of/span'),
  'GET /alerts': get(() => '/alerts'),
  'POST /alerts/seen': send(
    'POST',
    () => '/alerts/seen',
    () => ({ upTo: '0-0' }),
  ),
  'GET /settings': get(() => '/settings'),
  'PUT /settings': send(
    'PUT',
    () => '/settings',
    () => ({ reorderPoint: 10 }),
  ),
  'GET /insights/figures': get(() => '/insights/figures'),
  'GET /insights/series': get(() => '/insights/series'),
  'GET /insights/sellers': get(() => '/insights/sellers'),
  'GET /insights/suppliers': get(() => '/insights/suppliers'),
  'GET /insights/dead-stock': get(() => '/insights/dead-stock'),
  'POST /api-keys': send(
    'POST',
    () => '/api-keys',
    () => ({ name: 'Scanner', scope: 'read' }),
  ),
  'GET /api-keys': get(() => '/api-keys'),
  'DELETE /api-keys/:id': send('DELETE', () => `/api-keys/${randomUUID()}`),
};

/** These have their own tests: a stream, a body that is not JSON, and an access token. */
const testedElsewhere = ['GET /events', 'POST /uploads', 'GET /my-items'];

/** Whether the endpoint refuses somebody else's work to those who may not change items, whatever the table says. */
const undoesOthers = [
  'POST /movements/:id/undo',
  'POST /history/:id/undo',
  'POST /batches/:id/undo',
  'POST /count-entries/:id/undo',
];

test('every endpoint about a house has a rule and a request, and no other endpoint has a rule', () => {
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  const aboutNoHouse = (endpoint: (typeof endpoints)[number]) =>
    endpoint.who === 'anyone' || endpoint.tag === 'Accounts and sessions' || endpoint.tag === 'Houses';
  const needed = endpoints.filter((endpoint) => !aboutNoHouse(endpoint)).map(nameOf);
  expect([...policy.keys()].map(nameOf).sort()).toEqual(needed.sort());
  expect([...Object.keys(calls), ...testedElsewhere].sort()).toEqual(needed.sort());
});

onBothDatabases('access by house', (shared) => describeAccess(shared), { access: 'houses' });

function describeAccess(shared: TestApp): void {
  let own: Things;
  let other: Things;
  let people: Record<HouseRole, Person>;

  beforeAll(async () => {
    own = await aHouse(shared);
    other = await aHouse(shared);
    const members = houseRoles.map(async (role) => [role, await member(shared, own, role)] as const);
    people = Object.fromEntries(await Promise.all(members)) as typeof people;
  });

  describe.each(Object.entries(calls))('%s', (name, call) => {
    const rule = [...policy].find(([{ method, path }]) => `${method} ${path}` === name)?.[1];
    const bodyOf = { 'POST /bulk': { action: 'setReorderPoint' }, 'PUT /settings': { reorderPoint: 1 } }[name];
    const action = typeof rule?.does === 'function' ? rule.does(bodyOf) : rule?.does;

    test.each(houseRoles)('by a %s, in the own house', async (role) => {
      const mine = isChanging(name) ? await aHouse(shared) : own;
      const person = isChanging(name) ? await member(shared, mine, role) : people[role];
      const answer = await call(person, mine, {});
      const may = action !== undefined && roleMay(role, action);
      const mayUndo = !undoesOthers.includes(name) || roleMay(role, 'changeItems');
      if (may && mayUndo) expect([name, answer.json().code]).not.toEqual([name, 'not_allowed']);
      else expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
      if (may && mayUndo && name !== 'DELETE /api-keys/:id')
        expect([name, answer.statusCode < 300]).toEqual([name, true]);
    });

    test('what belongs to another house is answered like what does not exist, and not one byte of it', async () => {
      const person = people.owner;
      const foreign = await call(person, other, {});
      const unknown = await call(person, await unknownThings(other), {});
      expect(foreign.statusCode).toBe(unknown.statusCode);
      expect(masked(foreign.body)).toBe(masked(unknown.body));
      for (const secret of secretsOf(other)) expect(foreign.body).not.toContain(secret);
    });

    test('another house cannot be named by somebody who is not a member, and was never one or is no longer', async () => {
      const removed = await member(shared, other, 'owner');
      const headers = { house: other.houseId };
      expect((await removed.call('GET', '/all-inventory-items', { headers })).statusCode).toBe(200);
      await other.by.call('DELETE', `/houses/${other.houseId}/members/${removed.user.id}`);
      for (const stranger of [people.owner, removed]) {
        const answer = await call(stranger, other, headers);
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'house_not_found']);
      }
    });
  });

  test('the other house is as it was', async () => {
    const read = async (url: string) => (await other.by.call('GET', url)).json();
    expect(await read('/all-inventory-items')).toEqual([other.item]);
    expect(await read('/history')).toHaveLength(3);
  });

  test('a keeper undoes what they did themselves, and nothing else', async () => {
    const mine = await aHouse(shared);
    const keeper = await member(shared, mine, 'keeper');
    const done = await keeper.call('POST', `/inventory-items/${mine.item._id}/movements`, {
      body: { kind: 'deliver', units: 1 },
    });
    const { movement } = done.json();
    const undo = (path: string) => keeper.call('POST', path);
    expect((await undo(`/movements/${mine.delivery}/undo`)).json()).toMatchObject({ role: 'manager' });
    expect((await undo(`/history/${mine.edit}/undo`)).json()).toMatchObject({ role: 'manager' });
    expect((await undo(`/movements/${movement.id}/undo`)).statusCode).toBe(201);
  });

  test('in bulk, items of another house do not exist', async () => {
    const mine = await aHouse(shared);
    const body = { batch: randomUUID(), action: 'deliver', ids: [other.item._id, mine.item._id] };
    const { results } = (await mine.by.call('POST', '/bulk', { body })).json();
    expect(results).toMatchObject([
      { _id: other.item._id, ok: false, code: 'item_not_found' },
      { _id: mine.item._id, ok: true },
    ]);
    const counted = await mine.by.call('POST', `/counts/${mine.count}/entries`, {
      body: { ids: [other.item._id], set: 1 },
    });
    expect(counted.json().results).toEqual([{ _id: other.item._id, ok: false, code: 'item_not_found' }]);
  });

  test('a code may be in two houses, and leads to the own item', async () => {
    const [one, two] = [await aHouse(shared), await aHouse(shared)];
    const code = `code-${randomUUID().slice(0, 8)}`;
    for (const { by, item } of [one, two]) {
      const edited = await by.call('POST', `/inventory-items/${item._id}/edit`, { body: { changes: { sku: code } } });
      expect(edited.statusCode).toBe(200);
    }
    for (const { by, item } of [one, two])
      expect((await by.call('GET', `/codes/${code}`)).json()).toMatchObject({ _id: item._id });
  });

  test('a search finds only items of the own house', async () => {
    const word = `word${randomUUID().slice(0, 8)}`;
    const [one, two] = [await aHouse(shared), await aHouse(shared)];
    const found = await anItem(one.by, { name: `Oud ${word}` });
    for (const path of ['/all-inventory-items?', `/as-of?at=${new Date(Date.now() + 1_000).toISOString()}&`]) {
      expect((await one.by.call('GET', `${path}q=${word}`)).json()).toMatchObject([{ _id: found._id }]);
      expect((await two.by.call('GET', `${path}q=${word}`)).json()).toEqual([]);
    }
  });
}

/** A house with an owner and one of everything. */
async function aHouse(shared: TestApp): Promise<Things> {
  const by = await signedInAs(shared);
  const [house] = (await by.call('GET', '/houses')).json<WireHouse[]>();
  const code = `c${randomUUID().slice(0, 12)}`;
  const { _id } = await anItem(by, { name: `Name ${randomUUID()}`, sku: code, quantity: 20 });
  const batch = randomUUID();
  const body = { batch, action: 'deliver', ids: [_id] };
  const { results } = (await by.call('POST', '/bulk', { body })).json();
  const edit = randomUUID();
  const edited = await by.call('POST', `/inventory-items/${_id}/edit`, {
    body: { changes: { description: `Amber and smoke, dark and warm, number ${randomUUID()}` } },
    headers: { 'idempotency-key': edit },
  });
  if (edited.statusCode !== 200) throw new Error(edited.body);
  const count = (await by.call('POST', '/counts', { body: { name: `Count ${randomUUID()}` } })).json<WireCount>().id;
  const scan = await by.call('POST', `/counts/${count}/entries`, { body: { ids: [_id], set: 7 } });
  return {
    by,
    houseId: house?.id ?? '',
    item: edited.json<WireItem>(),
    code,
    delivery: results[0].movementId,
    edit,
    batch,
    count,
    counted: scan.json().results[0].entryId,
  };
}

/** Makes somebody a member without the email, which houses.test.ts tests. */
async function member(shared: TestApp, { houseId }: Things, role: HouseRole): Promise<Person> {
  const person = await signedInAs(shared);
  await shared.db.change(async (db) => {
    const house = await db.selectFrom('houses').select('num').where('id', '=', houseId).executeTakeFirstOrThrow();
    await db
      .insertInto('members')
      .values({ house: house.num, user_id: person.user.id, role, joined_at: Date.now() })
      .execute();
    await db.updateTable('users').set({ house: house.num }).where('id', '=', person.user.id).execute();
  });
  return person;
}

/** The same things with ids that nothing has. */
async function unknownThings(like: Things): Promise<Things> {
  const unknown = Object.fromEntries(
    ['delivery', 'edit', 'batch', 'count', 'counted', 'code'].map((name) => [name, randomUUID()]),
  );
  return { ...like, ...unknown, item: { ...like.item, _id: randomUUID() } };
}

function secretsOf({ by, item, code }: Things): string[] {
  return [item.name, item.description, code, by.user.email, by.user.name];
}

/** Request ids, times and the ids that were asked for differ between two responses that say the same. */
function masked(body: string): string {
  return body
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'time')
    .replace(/"key":"[^"]+"/, 'key');
}

function isChanging(name: string): boolean {
  return !name.startsWith('GET ');
}
