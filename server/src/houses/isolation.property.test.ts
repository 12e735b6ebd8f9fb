import { randomUUID } from 'node:crypto';
import { endpoints } from '@perfume/contract/endpoints';
import type { WireHouse } from '@perfume/contract/houses';
import type { WireItem } from '@perfume/contract/wire-item';
import { houseRoles } from '@perfume/domain/houses';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLongForm } from '../../testing/form.ts';
import { watch } from '../../testing/watch.ts';
import { aNewItem, type CallOptions, databases, type Person, signedInAs, type TestApp, testApp } from '../testing.ts';

/** A house, its people, and everything that nobody outside may see: ids, names, addresses and words. */
type World = {
  houseId: string;
  slug: string;
  people: Person[];
  secrets: Set<string>;
  items: string[];
  entries: string[];
  batches: string[];
  imports: string[];
  counts: string[];
  countEntries: string[];
  views: string[];
  webhooks: string[];
};

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How far ahead the clock of the servers is. */
let ahead = 0;
const clock = () => Date.now() + ahead;

type Step = { house: 0 | 1; person: number; what: number; pick: number; foreign: boolean };

const steps = fc.array(
  fc.record<Step>({
    house: fc.constantFrom(0, 1),
    person: fc.nat(7),
    what: fc.nat(1_000),
    pick: fc.nat(1_000),
    foreign: fc.boolean(),
  }),
  { minLength: 40, maxLength: 80 },
);

/**
 * What people can ask or do. `aim` is the house whose things a request names: the own one, or the other. New names have
 * the word of the own house.
 */
const requests: ((
  aim: World,
  pick: (list: string[]) => string,
  own: World,
) => [method: Method, url: string, body?: object])[] = [
  () => ['GET', '/all-inventory-items'],
  (aim) => ['GET', `/all-inventory-items?q=${wordOf(aim)}`],
  (aim, pick) => ['GET', `/manage-inventory?_id=${pick(aim.items)}`],
  (aim, pick) => ['GET', `/inventory-items/${pick(aim.items)}/movements`],
  (aim, pick) => ['GET', `/history?item=${pick(aim.items)}`],
  (aim) => ['GET', `/history?by=${aim.people[0]?.user.id}`],
  () => ['GET', '/history'],
  () => ['GET', '/history/people'],
  (aim, pick) => ['GET', `/history/${pick(aim.entries)}/undo`],
  (aim, pick) => ['GET', `/batches/${pick(aim.batches)}`],
  () => ['GET', '/imports'],
  (aim, pick) => ['GET', `/imports/${pick(aim.imports)}`],
  (aim, pick) => ['GET', `/imports/${pick(aim.imports)}/problems`],
  (aim) => ['GET', `/exports/items?format=csv&q=${wordOf(aim)}`],
  (aim, pick) => ['GET', `/exports/history?format=jsonl&item=${pick(aim.items)}`],
  () => ['GET', '/exports/history?format=csv'],
  () => ['GET', '/exports/house'],
  () => ['GET', '/exports/series?format=csv'],
  () => ['GET', '/exports/sellers?format=csv'],
  () => ['GET', '/exports/suppliers?format=jsonl'],
  () => ['GET', '/exports/dead-stock?format=csv&days=1'],
  () => ['GET', '/counts'],
  (aim, pick) => ['GET', `/counts/${pick(aim.counts)}`],
  (aim, pick) => ['GET', `/counts/${pick(aim.counts)}/lines`],
  (aim) => ['GET', `/as-of?at=${new Date(clock()).toISOString()}&q=${wordOf(aim)}`],
  () => ['GET', `/as-of?at=${new Date(clock()).toISOString()}`],
  () => ['GET', `/as-of/figures?at=${new Date(clock()).toISOString()}`],
  () => ['GET', '/as-of/span'],
  () => ['GET', '/views'],
  () => ['GET', '/webhooks'],
  (aim, pick) => ['GET', `/webhooks/${pick(aim.webhooks)}/deliveries`],
  () => ['GET', '/alerts'],
  () => ['GET', '/settings'],
  () => ['GET', '/insights/figures'],
  () => ['GET', '/insights/series'],
  () => ['GET', '/insights/sellers'],
  () => ['GET', '/insights/suppliers'],
  () => ['GET', '/insights/dead-stock?days=1'],
  (aim) => ['GET', `/codes/${codeOf(aim)}`],
  (aim) => ['GET', `/my-items?email=${aim.people[0]?.user.email}`],
  (aim) => ['GET', `/published-houses/${aim.slug}`],
  () => ['GET', '/api-keys'],
  () => ['GET', '/operator/houses'],
  () => ['GET', '/operator/people'],
  () => ['GET', '/api/auth/get-session'],
  () => ['GET', '/houses'],
  (aim) => ['GET', `/houses/${aim.houseId}/members`],
  (aim) => ['GET', `/houses/${aim.houseId}/events`],
  (aim) => ['GET', `/houses/${aim.houseId}/invitations`],
  () => ['GET', '/account/data'],
  (aim) => ['GET', `/inventory-items?q=${wordOf(aim)}`],
  (_aim, _pick, own) => ['POST', '/new-inventory-item', aNewItem({ name: `Oud ${wordOf(own)}`, quantity: 12 })],
  (aim, pick) => ['POST', `/inventory-items/${pick(aim.items)}/movements`, { kind: 'deliver', units: 3 }],
  (aim, pick) => ['PUT', `/inventory-items/${pick(aim.items)}`, { quantity: '8' }],
  (aim, pick, own) => [
    'POST',
    `/inventory-items/${pick(aim.items)}/edit`,
    { changes: { name: `Iris ${wordOf(own)}` } },
  ],
  (aim, pick) => ['DELETE', `/inventory-items/${pick(aim.items)}`],
  (aim, pick) => ['POST', `/inventory-items/${pick(aim.items)}/restore`],
  (aim, pick) => ['POST', `/movements/${pick(aim.entries)}/undo`],
  (aim, pick) => ['POST', `/history/${pick(aim.entries)}/undo`],
  (aim) => ['POST', '/bulk', { batch: randomUUID(), action: 'deliver', ids: aim.items.slice(-5) }],
  (aim) => [
    'POST',
    '/bulk',
    { batch: randomUUID(), action: 'setReorderPoint', reorderPoint: 4, ids: aim.items.slice(-5) },
  ],
  (aim) => ['POST', '/bulk', { batch: randomUUID(), action: 'assignCode', ids: aim.items.slice(-5) }],
  (aim, pick) => ['POST', `/batches/${pick(aim.batches)}/undo`],
  (aim, pick) => ['PUT', `/imports/${pick(aim.imports)}`, onlyUpdate],
  (aim, pick) => ['POST', `/imports/${pick(aim.imports)}/apply`],
  (aim, pick) => ['POST', `/imports/${pick(aim.imports)}/cancel`],
  (_aim, _pick, own) => ['POST', '/counts', { name: `Count ${wordOf(own)}` }],
  (aim, pick) => ['POST', `/counts/${pick(aim.counts)}/entries`, { ids: aim.items.slice(-3), set: 4 }],
  (aim, pick) => ['PUT', `/counts/${pick(aim.counts)}/lines`, { ids: aim.items.slice(-3), reason: 'theft' }],
  (aim, pick) => ['POST', `/count-entries/${pick(aim.countEntries)}/undo`],
  (aim, pick) => ['POST', `/counts/${pick(aim.counts)}/post`, { batch: randomUUID() }],
  (aim, pick) => ['PUT', `/counts/${pick(aim.counts)}`, { state: 'cancelled' }],
  (_aim, _pick, own) => [
    'POST',
    '/views',
    { name: `View ${wordOf(own)}`, page: 'manageInventory', query: `q=${wordOf(own)}`, shared: true },
  ],
  (aim, pick, own) => ['PUT', `/views/${pick(aim.views)}`, { name: `View ${wordOf(own)}` }],
  (aim, pick) => ['DELETE', `/views/${pick(aim.views)}`],
  (_aim, _pick, own) => [
    'POST',
    '/webhooks',
    { url: `https://hooks.example/${wordOf(own)}`, events: ['stock.changed'] },
  ],
  (aim, pick) => ['PUT', `/webhooks/${pick(aim.webhooks)}`, { active: true }],
  (aim, pick) => ['DELETE', `/webhooks/${pick(aim.webhooks)}`],
  (aim, pick) => ['POST', `/webhooks/${pick(aim.webhooks)}/secret`],
  (aim, pick) => ['POST', `/webhooks/${pick(aim.webhooks)}/test`],
  (aim, pick) => ['POST', `/webhooks/${pick(aim.webhooks)}/deliveries/${pick(aim.entries)}/replay`],
  () => ['PUT', '/settings', { reorderPoint: 5 + (Date.now() % 5) }],
  () => ['POST', '/alerts/seen', { upTo: '0-0' }],
  (aim, _pick, own) => ['PUT', `/houses/${aim.houseId}`, { name: `House ${wordOf(own)}` }],
  (aim) => ['PUT', `/houses/${aim.houseId}/members/${aim.people[1]?.user.id}`, { role: 'manager' }],
  (aim) => ['DELETE', `/houses/${aim.houseId}/members/${aim.people.at(-1)?.user.id}`],
  (aim, _pick, own) => [
    'POST',
    `/houses/${aim.houseId}/invitations`,
    { email: `${wordOf(own)}-${randomUUID()}@invited.example`, role: 'keeper' },
  ],
  (aim, pick) => ['DELETE', `/invitations/${pick(aim.entries)}`],
  (_aim, _pick, own) => ['POST', '/houses', { name: `Second house ${wordOf(own)}` }],
  (aim) => ['POST', `/houses/${aim.houseId}/enter`],
  // Nobody closes the own house, because the other steps need it.
  (aim, _pick, own) => ['DELETE', `/houses/${aim === own ? randomUUID() : aim.houseId}`],
  (_aim, _pick, own) => ['POST', '/api-keys', { name: `Key ${wordOf(own)}`, scope: 'read' }],
  (aim, pick) => ['DELETE', `/api-keys/${pick(aim.entries)}`],
  (aim) => ['POST', `/operator/people/${aim.people[0]?.user.id}/disable`],
  (aim, _pick, own) => ['POST', `/operator/houses/${aim.houseId}/owner`, { email: own.people[0]?.user.email }],
];

/**
 * The stream is open all the time. A picture and a file to import are no JSON, and an invitation is accepted with a link
 * from an email.
 */
const notAmongThem = [
  'GET /events',
  'POST /uploads',
  'POST /imports',
  'POST /invitations/read',
  'POST /invitations/accept',
];

/** An import runs in the background. This one changes nothing, so that totals stand still when they are compared. */
const onlyUpdate = { mapping: ['name', 'price'], mode: 'update' };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

test('the steps below can send every request that is about a house', () => {
  const nobody = { user: { id: randomUUID(), email: 'nobody@example.com' } } as Person;
  const lists = {
    secrets: new Set<string>(),
    items: [],
    entries: [],
    batches: [],
    imports: [],
    counts: [],
    countEntries: [],
    views: [],
    webhooks: [],
  };
  const world: World = { houseId: randomUUID(), slug: 'maison', people: [nobody], ...lists };
  const sent = requests.map((request) => request(world, () => randomUUID(), world));
  const isSent = (method: string, path: string) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/?]+')}([?]|$)`);
    return sent.some(([by, url]) => by === method && pattern.test(url));
  };
  const missing = endpoints
    .filter(({ tag, method, path }) => tag !== 'Accounts and sessions' && !isSent(method, path))
    .map(({ method, path }) => `${method} ${path}`);
  expect(missing.sort()).toEqual(notAmongThem.sort());
});

describe.each(databases)('two houses on %s', (database) => {
  test('whatever their people do, neither sees a byte of the other', {
    timeout: isLongForm ? 1_200_000 : 120_000,
  }, async () => {
    const server = await testApp(database, { access: 'houses', budgetFactor: 1_000 }, { clock });
    try {
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          // Nobody is logged out.
          ahead = 0;
          const worlds = [await aWorld(server, 'A'), await aWorld(server, 'B')] as const;
          const streams = await Promise.all(worlds.map(({ people }) => watch(server, people[0]?.cookie ?? '')));
          for (const step of given) await take(worlds, step);
          await expectOwnTotals(worlds);
          // What was not delivered for a day is dead stock.
          ahead += 2 * DAY_MS;
          await readEverything(worlds);
          for (const [index, stream] of streams.entries()) {
            const other = worlds[index === 0 ? 1 : 0];
            if (other) expectNothingOf(other, stream.text(), 'the stream', '');
            stream.close();
          }
        }),
        { numRuns: isLongForm ? 100 : 4 },
      );
    } finally {
      await server.close();
    }
  });
});

async function aWorld(server: TestApp, letter: string): Promise<World> {
  const owner = await signedInAs(server, `${letter}-${randomUUID()}@${letter}.example`);
  const [house] = (await owner.call('GET', '/houses')).json<WireHouse[]>();
  const { id: houseId = '', slug = '' } = house ?? {};
  const people = [owner];
  for (const role of houseRoles.slice(1))
    people.push(await signedInAs(server, `${letter}-${role}-${randomUUID()}@${letter}.example`));
  await server.db.change(async (db) => {
    const { num } = await db.selectFrom('houses').select('num').where('id', '=', houseId).executeTakeFirstOrThrow();
    for (const [place, { user }] of people.slice(1).entries()) {
      const role = houseRoles[place + 1] ?? 'viewer';
      await db.insertInto('members').values({ house: num, user_id: user.id, role, joined_at: 1 }).execute();
      await db.updateTable('users').set({ house: num }).where('id', '=', user.id).execute();
    }
  });
  const secrets = new Set([houseId, ...people.flatMap(({ user }) => [user.id, user.email, user.name])]);
  const empty = {
    items: [],
    entries: [],
    batches: [],
    imports: [],
    counts: [],
    countEntries: [],
    views: [],
    webhooks: [],
  };
  const world: World = { houseId, slug, people, secrets, ...empty };
  secrets.add(wordOf(world));
  for (let n = 0; n < 2; n++) {
    const item = aNewItem({ name: `Oud ${wordOf(world)}`, quantity: 12, ...(n === 0 && { sku: codeOf(world) }) });
    remember(world, (await owner.call('POST', '/new-inventory-item', { body: item })).body);
  }
  const [sold] = world.items;
  await owner.call('POST', `/inventory-items/${sold}/movements`, { body: { kind: 'deliver', units: 12 } });
  await owner.call('PUT', '/settings', { body: { alerts: { about: 'all' } } });
  const file = `name,price\nIris ${wordOf(world)},12\nBad row ${wordOf(world)},none\n`;
  const options = { body: file, headers: { 'content-type': 'text/csv' } };
  const name = encodeURIComponent(`Import ${wordOf(world)}`);
  const imported = await owner.call('POST', `/imports?name=${name}`, options);
  remember(world, imported.body);
  await owner.call('PUT', `/imports/${imported.json().id}`, { body: onlyUpdate });
  return world;
}

/** A word that everything in this house contains and nothing else does. */
function wordOf({ houseId }: World): string {
  return `w${houseId.slice(-12)}`;
}

function codeOf(world: World): string {
  return `SKU-${wordOf(world)}`;
}

async function take(worlds: readonly [World, World], step: Step): Promise<void> {
  const own = worlds[step.house];
  const aim = step.foreign ? worlds[step.house === 0 ? 1 : 0] : own;
  const other = worlds[step.house === 0 ? 1 : 0];
  const pick = (list: string[]) => list[step.pick % Math.max(1, list.length)] ?? randomUUID();
  const person = own.people[step.person % own.people.length] ?? own.people[0];
  const [method, url, body] = requests[step.what % requests.length]?.(aim, pick, own) ?? ['GET', '/'];
  const options: CallOptions = {
    ...(body && { body }),
    ...(method !== 'GET' && { headers: { 'idempotency-key': randomUUID() } }),
  };
  const answer = await person?.call(method, url, options);
  if (!answer) return;
  expect([method, url, answer.statusCode >= 500]).toEqual([method, url, false]);
  // What a request itself contains may come back in its response.
  const sent = `${url} ${JSON.stringify(body ?? '')}`;
  const headers = JSON.stringify(answer.headers);
  expectNothingOf(other, answer.body + headers, `${method} ${url}`, sent);
  if (!step.foreign) remember(own, answer.body);
}

/** Both owners read what there is to read, of their own house and of the other. */
async function readEverything(worlds: readonly [World, World]): Promise<void> {
  for (const what of requests.keys()) {
    const [method] = requests[what]?.(worlds[0], () => '', worlds[0]) ?? [];
    if (method !== 'GET') continue;
    // One after the other, so that each could get what is cached for the other.
    for (const foreign of [false, true])
      for (const house of [0, 1] as const) await take(worlds, { house, person: 0, what, pick: 0, foreign });
  }
}

function expectNothingOf({ secrets }: World, text: string, where: string, sent: string): void {
  const seen = [...secrets].filter((secret) => text.includes(secret) && !sent.includes(secret));
  expect([where, seen]).toEqual([where, []]);
}

/** Remembers the ids in a response: of items, entries, batches, counts and views. */
function remember(world: World, text: string): void {
  const lists: [keyof World, RegExp][] = [
    ['items', /"_id":"([0-9a-f-]{36})"/g],
    ['entries', /"(?:movementId|id)":"([0-9a-f-]{36})"/g],
    ['batches', /"batch":"([0-9a-f-]{36})"/g],
    ['imports', /"id":"([0-9a-f-]{36})","name":"Import/g],
    ['counts', /"id":"([0-9a-f-]{36})","name":"Count/g],
    ['views', /"id":"([0-9a-f-]{36})","name":"View/g],
    ['webhooks', /"id":"([0-9a-f-]{36})","url"/g],
    ['countEntries', /"entryId":"([0-9a-f-]{36})"/g],
  ];
  for (const [list, pattern] of lists)
    for (const [, id = ''] of text.matchAll(pattern)) {
      if (!(world[list] as string[]).includes(id)) (world[list] as string[]).push(id);
      world.secrets.add(id);
    }
}

/** The number of items that each list and figure shows is that of the house alone. */
async function expectOwnTotals(worlds: readonly [World, World]): Promise<void> {
  for (const { people } of worlds) {
    const [owner] = people;
    if (!owner) throw new Error('a house has an owner');
    const list = await owner.call('GET', '/all-inventory-items?limit=1');
    const all = (await owner.call('GET', '/all-inventory-items')).json<WireItem[]>();
    const figures = (await owner.call('GET', '/insights/figures')).json<{ items: number; unitsOnHand: number }>();
    expect(Number(list.headers['x-total-count'])).toBe(all.length);
    expect(figures.items).toBe(all.length);
    expect(figures.unitsOnHand).toBe(all.reduce((sum, { quantity }) => sum + Number(quantity), 0));
  }
}
