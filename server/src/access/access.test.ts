import { randomUUID } from 'node:crypto';
import type { WireCount } from '@perfume/contract/counts';
import { endpoints } from '@perfume/contract/endpoints';
import type { WireHouse } from '@perfume/contract/houses';
import type { WireImport } from '@perfume/contract/transfer';
import type { WireItem } from '@perfume/contract/wire-item';
import { type HouseRole, houseRoles, roleFor, roleMay } from '@perfume/domain/houses';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { unzip } from '../../testing/unzip.ts';
import {
  aNewItem,
  anItem,
  move,
  nextPage,
  onBothDatabases,
  type Person,
  signedInAs,
  type TestApp,
} from '../testing.ts';
import { policy } from './policy.ts';

type Answer = Awaited<ReturnType<Person['call']>>;
/** What one house has, for requests that name something of it. All of it was done by `by`. */
type Things = {
  by: Person;
  houseId: string;
  slug: string;
  item: WireItem;
  code: string;
  delivery: string;
  edit: string;
  batch: string;
  import: string;
  count: string;
  counted: string;
  view: string;
  webhook: string;
  sent: string;
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
  'GET /views': get(() => '/views'),
  'POST /views': send(
    'POST',
    () => '/views',
    () => ({ name: 'Low stock', page: 'manageInventory', query: 'stock=low', shared: true }),
  ),
  'PUT /views/:id': send(
    'PUT',
    ({ view }) => `/views/${view}`,
    () => ({ name: 'Renamed', shared: true }),
  ),
  'DELETE /views/:id': send('DELETE', ({ view }) => `/views/${view}`),
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
  'POST /imports': (by, _things, headers) => by.call('POST', '/imports', aFile(headers)),
  'GET /imports': get(() => '/imports'),
  'GET /imports/:id': get((things) => `/imports/${things.import}`),
  'PUT /imports/:id': send(
    'PUT',
    (things) => `/imports/${things.import}`,
    () => ({ mapping: ['name', 'price'], mode: 'add' }),
  ),
  'POST /imports/:id/apply': send('POST', (things) => `/imports/${things.import}/apply`),
  'POST /imports/:id/cancel': send('POST', (things) => `/imports/${things.import}/cancel`),
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
  'GET /webhooks': get(() => '/webhooks'),
  'POST /webhooks': send(
    'POST',
    () => '/webhooks',
    () => ({ url: 'https://hooks.example/in', events: ['stock.changed'] }),
  ),
  'PUT /webhooks/:id': send(
    'PUT',
    ({ webhook }) => `/webhooks/${webhook}`,
    () => ({ events: ['item.created'] }),
  ),
  'DELETE /webhooks/:id': send('DELETE', ({ webhook }) => `/webhooks/${webhook}`),
  'POST /webhooks/:id/secret': send('POST', ({ webhook }) => `/webhooks/${webhook}/secret`),
  'POST /webhooks/:id/test': send('POST', ({ webhook }) => `/webhooks/${webhook}/test`),
  'GET /webhooks/:id/deliveries': get(({ webhook }) => `/webhooks/${webhook}/deliveries`),
  'POST /webhooks/:id/deliveries/:delivery/replay': send(
    'POST',
    ({ webhook, sent }) => `/webhooks/${webhook}/deliveries/${sent}/replay`,
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
  'GET /exports/items': get(() => '/exports/items?format=csv'),
  'GET /exports/history': get(() => '/exports/history?format=jsonl'),
  'GET /exports/house': get(() => '/exports/house'),
  'GET /exports/series': get(() => '/exports/series?format=csv'),
  'GET /exports/sellers': get(() => '/exports/sellers?format=csv'),
  'GET /exports/suppliers': get(() => '/exports/suppliers?format=csv'),
  'GET /exports/dead-stock': get(() => '/exports/dead-stock?format=csv&days=1'),
  'POST /api-keys': send(
    'POST',
    () => '/api-keys',
    () => ({ name: 'Scanner', scope: 'read' }),
  ),
  'GET /api-keys': get(() => '/api-keys'),
  'DELETE /api-keys/:id': send('DELETE', () => `/api-keys/${randomUUID()}`),
};

/** These have their own tests: a stream, a body that is not JSON, an access token, and a CSV file. */
const testedElsewhere = ['GET /events', 'POST /uploads', 'GET /my-items', 'GET /imports/:id/problems'];

/**
 * Who may send each request, as docs/operating.md says: the role with the fewest rights. It is written here again, so that a
 * wrong line of the policy is noticed. What is not here, a viewer may.
 */
const needed: Partial<Record<HouseRole, string[]>> = {
  owner: ['POST /api-keys', 'GET /api-keys', 'DELETE /api-keys/:id'],
  manager: [
    'POST /new-inventory-item',
    'POST /inventory-items/:id/edit',
    'DELETE /inventory-items/:id',
    'POST /inventory-items/:id/restore',
    'POST /bulk',
    'POST /uploads',
    'POST /imports',
    'GET /imports',
    'GET /imports/:id',
    'PUT /imports/:id',
    'POST /imports/:id/apply',
    'POST /imports/:id/cancel',
    'GET /imports/:id/problems',
    'GET /exports/items',
    'GET /exports/house',
    'GET /webhooks',
    'POST /webhooks',
    'PUT /webhooks/:id',
    'DELETE /webhooks/:id',
    'POST /webhooks/:id/secret',
    'POST /webhooks/:id/test',
    'GET /webhooks/:id/deliveries',
    'POST /webhooks/:id/deliveries/:delivery/replay',
    'PUT /settings',
  ],
  keeper: [
    'PUT /inventory-items/:id',
    'POST /inventory-items/:id/movements',
    'POST /movements/:id/undo',
    'POST /history/:id/undo',
    'POST /batches/:id/undo',
    'POST /counts',
    'PUT /counts/:id',
    'POST /counts/:id/entries',
    'POST /count-entries/:id/undo',
    'PUT /counts/:id/lines',
    'POST /counts/:id/post',
    'POST /views',
    'PUT /views/:id',
  ],
};
const neededFor = (name: string): HouseRole => houseRoles.find((role) => needed[role]?.includes(name)) ?? 'viewer';

/** Who may send these requests depends on the body: on the one that the requests above have, and on others. */
const bodies: Record<string, { usual: object; others: [body: object, role: HouseRole][] }> = {
  'POST /bulk': {
    usual: { action: 'setReorderPoint' },
    others: [
      [{ action: 'deliver' }, 'keeper'],
      [{ action: 'restock' }, 'keeper'],
      [{ action: 'delete' }, 'manager'],
    ],
  },
  'PUT /settings': { usual: { reorderPoint: 1 }, others: [[{ shortcuts: false }, 'viewer']] },
  'POST /views': { usual: { shared: true }, others: [[{ shared: false }, 'viewer']] },
  'PUT /views/:id': { usual: { shared: true }, others: [[{ name: 'Renamed' }, 'viewer']] },
};

/** Whether the endpoint refuses somebody else's work to those who may not change items, whatever the table says. */
const undoesOthers = [
  'POST /movements/:id/undo',
  'POST /history/:id/undo',
  'POST /batches/:id/undo',
  'POST /count-entries/:id/undo',
];

/** What only the person who made it may change: to others in the house it does not exist. */
const changesOwn = ['DELETE /api-keys/:id', 'PUT /views/:id', 'DELETE /views/:id'];

/** A request by somebody of `own` in which one field of the query or the body names something of `foreign`. */
type Attempt = (own: Things, foreign: Things) => Sent | Promise<Sent>;
type Sent = [method: 'GET' | 'POST' | 'PUT', url: string, body?: object];

/** The place in a list where the foreign house's next page starts. */
const cursorOf =
  (list: (things: Things) => string): Attempt =>
  async (own, foreign) => {
    const next = nextPage(await foreign.by.call('GET', list(foreign)));
    const cursor = next === null ? randomUUID() : (new URL(next, 'http://x').searchParams.get('cursor') ?? '');
    return ['GET', `${list(own)}&cursor=${encodeURIComponent(cursor)}`];
  };
const foreignWord =
  (list: string, field: 'q' | 'supplier'): Attempt =>
  (_own, { item }) => ['GET', `${list}${field}=${encodeURIComponent(field === 'q' ? item.name : item.suplierName)}`];

/** For each endpoint and each field that can name something: an attempt with what another house has. */
const attempts: Record<string, Record<string, Attempt>> = {
  'GET /inventory-items': {
    cursor: async (...houses) => {
      const [method, url] = await cursorOf(() => '/all-inventory-items?limit=1')(...houses);
      return [method, url.replace('all-', '')];
    },
    q: foreignWord('/inventory-items?', 'q'),
    house: (_own, { slug }) => ['GET', `/inventory-items?house=${slug}`],
  },
  'GET /all-inventory-items': {
    cursor: cursorOf(() => '/all-inventory-items?limit=1'),
    q: foreignWord('/all-inventory-items?', 'q'),
  },
  'GET /my-items': {
    cursor: cursorOf(({ by }) => `/my-items?email=${by.user.email}&limit=1`),
    q: ({ by }, { item }) => ['GET', `/my-items?email=${by.user.email}&q=${encodeURIComponent(item.name)}`],
    email: (_own, { by }) => ['GET', `/my-items?email=${by.user.email}`],
  },
  'GET /manage-inventory': { _id: (_own, { item }) => ['GET', `/manage-inventory?_id=${item._id}`] },
  'GET /inventory-items/:id/movements': {
    cursor: cursorOf(({ item }) => `/inventory-items/${item._id}/movements?limit=1`),
  },
  'GET /history': {
    item: (_own, { item }) => ['GET', `/history?item=${item._id}`],
    by: (_own, { by }) => ['GET', `/history?by=${by.user.id}`],
    cursor: cursorOf(() => '/history?limit=1'),
  },
  'POST /bulk': {
    batch: ({ item }, { batch }) => ['POST', '/bulk', { batch, action: 'restock', ids: [item._id] }],
    ids: (_own, { item }) => ['POST', '/bulk', { batch: randomUUID(), action: 'deliver', ids: [item._id] }],
  },
  'POST /batches/:id/undo': {
    after: ({ batch }, { delivery }) => ['POST', `/batches/${batch}/undo?after=${delivery}`],
  },
  'POST /counts': { q: (_own, { item }) => ['POST', '/counts', { name: 'Count', q: item.name }] },
  'GET /counts': { cursor: cursorOf(() => '/counts?limit=1') },
  'GET /counts/:id/lines': {
    item: ({ count }, { item }) => ['GET', `/counts/${count}/lines?item=${item._id}`],
    cursor: cursorOf(({ count }) => `/counts/${count}/lines?show=uncounted&limit=1`),
  },
  'POST /counts/:id/entries': {
    ids: ({ count }, { item }) => ['POST', `/counts/${count}/entries`, { ids: [item._id], set: 3 }],
  },
  'PUT /counts/:id/lines': {
    ids: ({ count }, { item }) => ['PUT', `/counts/${count}/lines`, { ids: [item._id], reason: 'theft' }],
  },
  'POST /counts/:id/post': { batch: ({ count }, { batch }) => ['POST', `/counts/${count}/post`, { batch }] },
  'POST /views': {
    query: (_own, { item }) => ['POST', '/views', { name: 'View', page: 'history', query: `item=${item._id}` }],
  },
  'PUT /views/:id': { query: ({ view }, { item }) => ['PUT', `/views/${view}`, { query: `item=${item._id}` }] },
  'GET /webhooks/:id/deliveries': { cursor: cursorOf(({ webhook }) => `/webhooks/${webhook}/deliveries?limit=1`) },
  'GET /as-of': { q: foreignWord(`/as-of?at=${new Date(Date.now() + 3_600_000).toISOString()}&`, 'q') },
  'GET /alerts': { cursor: cursorOf(() => '/alerts?limit=1') },
  'POST /alerts/seen': {
    upTo: async (_own, { by }) => {
      const { headers } = await by.call('GET', '/alerts');
      return ['POST', '/alerts/seen', { upTo: String(headers['x-alerts-up-to']) }];
    },
  },
  'GET /insights/series': { supplier: foreignWord('/insights/series?', 'supplier') },
  'GET /insights/sellers': { supplier: foreignWord('/insights/sellers?', 'supplier') },
  'GET /insights/dead-stock': { supplier: foreignWord('/insights/dead-stock?', 'supplier') },
  'GET /exports/items': {
    q: foreignWord('/exports/items?format=csv&', 'q'),
    email: (_own, { by }) => ['GET', `/exports/items?format=csv&email=${by.user.email}`],
  },
  'GET /exports/history': {
    item: (_own, { item }) => ['GET', `/exports/history?format=jsonl&item=${item._id}`],
    by: (_own, { by }) => ['GET', `/exports/history?format=jsonl&by=${by.user.id}`],
  },
  'GET /exports/series': { supplier: foreignWord('/exports/series?format=csv&', 'supplier') },
  'GET /exports/sellers': { supplier: foreignWord('/exports/sellers?format=csv&', 'supplier') },
  'GET /exports/dead-stock': { supplier: foreignWord('/exports/dead-stock?format=csv&', 'supplier') },
  'GET /events': { house: (_own, { houseId }) => ['GET', `/events?house=${houseId}`] },
  'GET /houses/:id/events': { cursor: cursorOf(({ houseId }) => `/houses/${houseId}/events?limit=1`) },
};

/** A position in a list shows the own things after it. Which these are depends on it, so no answer is like another. */
const positions = ['cursor', 'after', 'upTo'];

/**
 * Texts that a change writes, which name nothing, and the token of an invitation: its link works for whoever has it.
 * feed/feed.test.ts tests where a stream starts.
 */
const namesNothing = {
  texts: ['name', 'description', 'note', 'suplierName', 'img', 'email', 'sku', 'barcodes', 'url'],
  'POST /invitations/read': ['token'],
  'POST /invitations/accept': ['token'],
  'GET /events': ['after'],
} as Record<string, string[]>;

type JsonSchema = {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

/** The names of the fields that are text of any sort: neither a number, nor a choice, nor a time. */
function textFields(name: string, schema: JsonSchema): string[] {
  const { properties, items, anyOf, type, format } = schema;
  if (properties) return Object.entries(properties).flatMap(([field, inner]) => textFields(field, inner));
  if (items) return textFields(name, items);
  if (anyOf)
    return anyOf.some((one) => one.type === 'integer' || one.type === 'number')
      ? []
      : anyOf.flatMap((one) => textFields(name, one));
  const isText = type === undefined || [type].flat().includes('string');
  return isText && !schema.enum && !format?.startsWith('date') ? [name] : [];
}

/** The code of a problem. A file that was exported is no JSON. */
const codeOf = ({ headers, json }: Answer): string | undefined =>
  String(headers['content-type']).startsWith('application/problem+json') ? json().code : undefined;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('every field of a query or a body that can name something has an attempt with something of another house', () => {
  // The things of an account belong to a person, and the operator's to no house: they have their own tests.
  const aboutHouses = endpoints.filter(({ tag, path }) => tag !== 'Accounts and sessions' && !/^.operator/.test(path));
  const needed = aboutHouses.flatMap((endpoint) => {
    const { query, body, method } = endpoint;
    const fields = [query, body].flatMap((schema) =>
      schema ? textFields('', z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema) : [],
    );
    const written = [
      ...(method === 'GET' ? [] : (namesNothing.texts ?? [])),
      ...(namesNothing[nameOf(endpoint)] ?? []),
    ];
    return [...new Set(fields)]
      .filter((field) => !written.includes(field))
      .map((field) => `${nameOf(endpoint)} ${field}`);
  });
  const tried = Object.entries(attempts).flatMap(([name, fields]) =>
    Object.keys(fields).map((field) => `${name} ${field}`),
  );
  expect(tried.sort()).toEqual(needed.sort());
});

test('every endpoint about a house has a rule and a request, and no other endpoint has a rule', () => {
  const aboutNoHouse = (endpoint: (typeof endpoints)[number]) =>
    endpoint.who === 'anyone' || endpoint.tag === 'Accounts and sessions' || endpoint.tag === 'Houses';
  const names = endpoints.filter((endpoint) => !aboutNoHouse(endpoint)).map(nameOf);
  expect([...policy.keys()].map(nameOf).sort()).toEqual(names.sort());
  expect([...Object.keys(calls), ...testedElsewhere].sort()).toEqual(names.sort());
  expect(names).toEqual(expect.arrayContaining(Object.values(needed).flat()));
});

test('the policy gives each request to the roles that it is meant for', () => {
  for (const [endpoint, { does }] of policy) {
    const name = nameOf(endpoint);
    const { usual = null, others = [] } = bodies[name] ?? {};
    const roleWith = (body: unknown) => roleFor(typeof does === 'function' ? does(body) : does);
    expect([name, roleWith(usual)]).toEqual([name, neededFor(name)]);
    for (const [body, role] of others) expect([name, body, roleWith(body)]).toEqual([name, body, role]);
  }
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
    test.each(houseRoles)('by a %s, in the own house', async (role) => {
      const mine = isChanging(name) ? await aHouse(shared) : own;
      const person = isChanging(name) ? await member(shared, mine, role) : people[role];
      const answer = await call(person, mine, {});
      const may = houseRoles.indexOf(role) <= houseRoles.indexOf(neededFor(name));
      const mayUndo = !undoesOthers.includes(name) || roleMay(role, 'changeItems');
      if (may && mayUndo) expect([name, codeOf(answer)]).not.toEqual([name, 'not_allowed']);
      else expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'not_allowed']);
      if (may && mayUndo && !changesOwn.includes(name)) expect([name, answer.statusCode < 300]).toEqual([name, true]);
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
      const removed = await member(shared, other, 'manager');
      const headers = { house: other.houseId };
      expect((await removed.call('GET', '/all-inventory-items', { headers })).statusCode).toBe(200);
      const removal = await other.by.call('DELETE', `/houses/${other.houseId}/members/${removed.user.id}`);
      expect(removal.statusCode).toBe(200);
      for (const stranger of [people.owner, removed]) {
        const answer = await call(stranger, other, headers);
        expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'house_not_found']);
      }
    });
  });

  test('the archive of a house has nothing of another', async () => {
    const { rawPayload } = await people.owner.call('GET', '/exports/house');
    const text = [...unzip(rawPayload).values()].join('\n');
    expect(text).toContain(own.item._id);
    for (const secret of secretsOf(other)) expect(text).not.toContain(secret);
    const list = await people.owner.call('GET', '/exports/items?format=jsonl');
    const items = (await people.owner.call('GET', '/all-inventory-items')).json<WireItem[]>();
    expect(list.body.trim().split('\n')).toHaveLength(items.length);
    for (const { _id } of items) expect(list.body).toContain(_id);
  });

  test('the past of a house begins with its own first movement', async () => {
    const movements = await people.owner.call('GET', `/inventory-items/${own.item._id}/movements`);
    const { from } = (await people.owner.call('GET', '/as-of/span')).json();
    expect(from).toBe(movements.json<{ at: string }[]>().at(-1)?.at);
  });

  test('the other house is as it was', async () => {
    const read = async (url: string) => (await other.by.call('GET', url)).json();
    expect(await read('/all-inventory-items')).toEqual([other.item]);
    expect(await read('/history')).toHaveLength(3);
  });

  describe('a thing of another house that a field names', () => {
    let mine: Things;
    let foreign: Things;
    let before: string[];

    const everythingOf = async ({ by, houseId, count, item }: Things) => {
      const lists = ['/all-inventory-items', '/history', '/counts', `/counts/${count}`, `/counts/${count}/lines`];
      const more = ['/alerts', '/views', `/inventory-items/${item._id}/movements`, `/houses/${houseId}/events`];
      return Promise.all([...lists, ...more].map(async (url) => (await by.call('GET', url)).body));
    };

    beforeAll(async () => {
      [mine, foreign] = [await aFullHouse(shared), await aFullHouse(shared)];
      before = await everythingOf(foreign);
    });

    test.each(
      Object.entries(attempts).flatMap(([name, fields]) =>
        Object.entries(fields).map(([field, attempt]) => ({ name, field, attempt })),
      ),
    )('$name, $field: is refused, or answered like what does not exist', async ({ field, attempt }) => {
      const { accessToken } = (await mine.by.call('POST', '/login', { body: { email: mine.by.user.email } })).json();
      const send = async (things: Things) => {
        const [method, url, body] = await attempt(mine, things);
        const headers = { authorization: `Bearer ${accessToken}` };
        const answer = await mine.by.call(method, url, { headers, ...(body && { body }) });
        return { answer, sent: decodeURIComponent(url) + JSON.stringify(body ?? '') };
      };
      const { answer, sent } = await send(foreign);
      expect(answer.statusCode).toBeLessThan(500);
      const secrets = secretsOf(foreign).filter((secret) => !sent.includes(secret));
      for (const secret of secrets) expect(answer.body + JSON.stringify(answer.headers)).not.toContain(secret);
      if (positions.includes(field)) return;
      const unknown = (await send(await unknownThings(foreign))).answer;
      if (answer.statusCode >= 400) return;
      expect([answer.statusCode, answer.headers['x-total-count']]).toEqual([
        unknown.statusCode,
        unknown.headers['x-total-count'],
      ]);
      expect(masked(answer.body)).toBe(masked(unknown.body));
    });

    test('is as it was', async () => {
      expect(await everythingOf(foreign)).toEqual(before);
    });
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

  test('a manager who became keeper cannot undo what only managers do by adding a delivery to its batch', async () => {
    const mine = await aHouse(shared);
    const person = await member(shared, mine, 'manager');
    const [batch, ids] = [randomUUID(), [mine.item._id]];
    const act = (action: string) => person.call('POST', '/bulk', { body: { batch, action, ids } });
    expect((await act('delete')).json().results).toMatchObject([{ ok: true }]);
    expect((await act('restore')).json().results).toMatchObject([{ ok: true }]);
    await mine.by.call('PUT', `/houses/${mine.houseId}/members/${person.user.id}`, { body: { role: 'keeper' } });
    expect((await act('deliver')).statusCode).toBe(200);
    const undone = await person.call('POST', `/batches/${batch}/undo`);
    expect([undone.statusCode, undone.json().code]).toEqual([403, 'not_allowed']);
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
  const view = { name: `View ${randomUUID()}`, page: 'manageInventory', query: `q=${code}`, shared: true };
  const saved = await by.call('POST', '/views', { body: view });
  const scan = await by.call('POST', `/counts/${count}/entries`, { body: { ids: [_id], set: 7 } });
  const file = (await by.call('POST', '/imports', aFile())).json<WireImport>();
  const address = { url: `https://hooks.example/${randomUUID()}`, events: ['stock.changed'] };
  const webhook = (await by.call('POST', '/webhooks', { body: address })).json().id;
  const sent = (await by.call('POST', `/webhooks/${webhook}/test`)).json().id;
  await shared.db.change((db) =>
    db.updateTable('webhook_deliveries').set({ state: 'failed', due_at: null }).where('id', '=', sent).execute(),
  );
  return {
    by,
    houseId: house?.id ?? '',
    slug: house?.slug ?? '',
    item: edited.json<WireItem>(),
    code,
    delivery: results[0].movementId,
    edit,
    batch,
    import: file.id,
    count,
    counted: scan.json().results[0].entryId,
    view: saved.json().id,
    webhook,
    sent,
  };
}

/** A file with one item, to be imported. */
function aFile(headers: Record<string, string> = {}) {
  return { body: `name,price\nImported ${randomUUID()},12\n`, headers: { ...headers, 'content-type': 'text/csv' } };
}

/** A house with two of everything that has pages, so that there is a next page. */
async function aFullHouse(shared: TestApp): Promise<Things> {
  const things = await aHouse(shared);
  const { by } = things;
  const suplierName = `Supplier ${randomUUID()}`;
  for (let n = 0; n < 2; n++) {
    const { _id } = await anItem(by, { name: `Low ${randomUUID()}`, suplierName, quantity: 12, email: by.user.email });
    await move(by, _id, 'deliver', 11);
  }
  await by.call('POST', '/counts', { body: { name: `Count ${randomUUID()}` } });
  await by.call('POST', `/webhooks/${things.webhook}/test`);
  await by.call('PUT', '/settings', { body: { alerts: { about: 'all' } } });
  await by.call('PUT', `/houses/${things.houseId}`, { body: { name: `House ${randomUUID()}` } });
  // On PostgreSQL an alert is shown when every older transaction has ended.
  await vi.waitFor(async () => expect((await by.call('GET', '/alerts')).json()).toHaveLength(2));
  return { ...things, item: { ...things.item, suplierName } };
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
    ['delivery', 'edit', 'batch', 'import', 'count', 'counted', 'view', 'webhook', 'sent', 'code', 'slug'].map(
      (name) => [name, randomUUID()],
    ),
  );
  const { by, item } = like;
  const nobody = { ...by, user: { ...by.user, id: randomUUID(), email: `${randomUUID()}@house.example` } };
  return {
    ...like,
    ...unknown,
    by: nobody,
    item: { ...item, _id: randomUUID(), name: `Name ${randomUUID()}`, suplierName: `Supplier ${randomUUID()}` },
  };
}

function secretsOf({ by, item, code }: Things): string[] {
  return [item.name, item.description, code, by.user.email, by.user.name];
}

/** Request ids, times and the ids that were asked for differ between two responses that say the same. */
function masked(body: string): string {
  return body
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'time')
    .replace(/"(?:key|secret)":"[^"]+"/, 'key');
}

function isChanging(name: string): boolean {
  return !name.startsWith('GET ');
}
