import { randomUUID } from 'node:crypto';
import type { WireHouse, WireHouseEvent, WireInvitation, WireMember } from '@perfume/contract/houses';
import type { HouseRole } from '@perfume/domain/houses';
import { expect, test, vi } from 'vitest';
import { anEmail } from '../../testing/browser.ts';
import { watch } from '../../testing/watch.ts';
import {
  aNewItem,
  anItem,
  onAnyDatabase,
  onBothDatabases,
  type Person,
  request,
  signedInAs,
  type TestApp,
} from '../testing.ts';

onBothDatabases('houses', (shared) => tests(shared), { access: 'houses' });

function tests(shared: TestApp): void {
  const housesOf = async (person: Person) => (await person.call('GET', '/houses')).json<WireHouse[]>();
  const firstHouse = async (person: Person) => (await housesOf(person))[0] ?? missing('a house');

  /** Invites somebody new, who accepts. */
  async function join(owner: Person, role: HouseRole, email = anEmail()): Promise<Person> {
    const { id } = await firstHouse(owner);
    const person = await signedInAs(shared, email);
    const token = await invite(owner, id, email, role);
    const accepted = await person.call('POST', '/invitations/accept', { body: { token } });
    expect([accepted.statusCode, accepted.json()]).toMatchObject([200, { id, role, current: true }]);
    return person;
  }

  async function invite(owner: Person, house: string, email: string, role: HouseRole): Promise<string> {
    const answer = await owner.call('POST', `/houses/${house}/invitations`, { body: { email, role } });
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { email, role }]);
    const mails = await outbox(shared);
    const mail = mails.find(({ to }) => to === email) ?? missing('the email');
    return /invitation#token=([\w-]+)/.exec(mail.text)?.[1] ?? missing('the link');
  }

  const membersOf = async (person: Person, id: string) =>
    (await person.call('GET', `/houses/${id}/members`)).json<WireMember[]>();

  const houseInSession = async (person: Person) =>
    (await person.call('GET', '/api/auth/get-session')).json().user.house;

  test('the session says in which house a person works, from their first one until they have left all', async () => {
    const owner = await signedInAs(shared);
    expect(await houseInSession(owner)).toBeUndefined();
    const { id, name } = await firstHouse(owner);
    expect(await houseInSession(owner)).toEqual({ id, name, role: 'owner' });
    const keeper = await join(owner, 'keeper');
    expect(await houseInSession(keeper)).toEqual({ id, name, role: 'keeper' });
    await keeper.call('DELETE', `/houses/${id}/members/${keeper.user.id}`);
    expect(await houseInSession(keeper)).toBeNull();
  });

  test('owners change only with a fresh proof, and every owner is told', async () => {
    const owner = await signedInAs(shared);
    const { id, name } = await firstHouse(owner);
    const other = await join(owner, 'manager');
    const proveAt = (proven_at: number) =>
      shared.db.change((db) =>
        db.updateTable('sign_ins').set({ proven_at }).where('user_id', '=', owner.user.id).execute(),
      );
    const invited = anEmail();
    const path = `/houses/${id}/members/${other.user.id}`;
    const attempts = [
      [() => owner.call('PUT', path, { body: { role: 'owner' } }), `${other.user.name} is now an owner`],
      [() => owner.call('PUT', path, { body: { role: 'keeper' } }), `${other.user.name} is no longer an owner`],
      [
        () => owner.call('POST', `/houses/${id}/invitations`, { body: { email: invited, role: 'owner' } }),
        `${invited} was invited to be an owner`,
      ],
      [() => owner.call('PUT', path, { body: { role: 'owner' } }), `${other.user.name} is now an owner`],
      [() => owner.call('DELETE', path), `${other.user.name} is no longer an owner`],
    ] as const;
    for (const [attempt, text] of attempts) {
      await proveAt(0);
      expect((await attempt()).json().code).toBe('proof_needed');
      await proveAt(Date.now());
      expect((await attempt()).statusCode).toBeLessThan(300);
      await vi.waitFor(async () => {
        const [mail] = (await outbox(shared)).filter(({ to }) => to === owner.user.email);
        // Addresses are broken up, so that no mail program makes links of them.
        expect(mail?.text.replaceAll('\u2060', '')).toContain(`${text} of “${name}”`);
      });
    }
    expect((await outbox(shared)).filter(({ to }) => to === other.user.email)).toHaveLength(5);

    // Nobody becomes an owner here, and nobody stops being one.
    const keeper = await join(owner, 'keeper');
    await proveAt(0);
    const itsPath = `/houses/${id}/members/${keeper.user.id}`;
    expect((await owner.call('PUT', itsPath, { body: { role: 'viewer' } })).statusCode).toBe(200);
    expect((await owner.call('DELETE', itsPath)).statusCode).toBe(200);
  });

  test('what one house has just read is not served to another from memory, nor are its alerts', async () => {
    const [owner, stranger] = [await signedInAs(shared), await signedInAs(shared)];
    const item = await anItem(owner, { quantity: 1, email: owner.user.email, sku: randomUUID().slice(0, 8) });
    await owner.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '0' } });
    await stranger.call('GET', '/houses');
    // On PostgreSQL an alert is shown when no older transaction is running, of whatever database.
    await expect.poll(async () => (await owner.call('GET', '/alerts')).body).toContain(item._id);
    const now = new Date().toISOString();
    for (const path of [
      `/manage-inventory?_id=${item._id}`,
      `/codes/${item.sku}`,
      '/all-inventory-items',
      `/all-inventory-items?q=${item.name}`,
      '/alerts',
      '/history',
      `/as-of?at=${now}`,
      `/as-of/figures?at=${now}`,
      '/insights/figures',
    ]) {
      const mine = (await owner.call('GET', path)).body;
      const theirs = (await stranger.call('GET', path)).body;
      expect(mine === theirs, `${path} ${mine}`).toBe(false);
      expect(theirs).not.toContain(item._id);
    }
  });

  test('a stream that names a house opens only while the person works in that house', async () => {
    const person = await signedInAs(shared);
    const { id: first } = await firstHouse(person);
    const { id: second } = (await person.call('POST', '/houses', { body: { name: 'Second' } })).json();
    const statusOf = async (house: string) =>
      (await shared.app.inject({ method: 'HEAD', url: `/events?house=${house}`, headers: { cookie: person.cookie } }))
        .statusCode;
    expect(await statusOf(second)).toBe(200);
    for (const house of [first, randomUUID(), 'x']) expect(await statusOf(house)).toBe(404);
  });

  test('whoever signs up gets a house of their own, whose owner they are, once', async () => {
    const person = await signedInAs(shared);
    const lists = await Promise.all([1, 2, 3].map(() => housesOf(person)));
    for (const houses of lists)
      expect(houses).toEqual([
        {
          id: expect.any(String),
          name: person.user.name,
          slug: expect.any(String),
          published: false,
          role: 'owner',
          current: true,
        },
      ]);
    expect(new Set(lists.flat().map(({ id }) => id)).size).toBe(1);
  });

  test('somebody invited joins with the role of the invitation, and works in that house', async () => {
    const owner = await signedInAs(shared);
    const item = await anItem(owner);
    const keeper = await join(owner, 'keeper');
    expect((await keeper.call('GET', '/all-inventory-items')).json()).toMatchObject([{ _id: item._id }]);
    const { id } = await firstHouse(owner);
    expect((await membersOf(keeper, id)).map(({ userId, role }) => [userId, role]).sort()).toEqual(
      [
        [owner.user.id, 'owner'],
        [keeper.user.id, 'keeper'],
      ].sort(),
    );
  });

  test('an address is invited only if somebody can sign up with it', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    for (const email of ['\u0430nn@shop.example', 'ann@', '']) {
      const answer = await owner.call('POST', `/houses/${id}/invitations`, { body: { email, role: 'viewer' } });
      expect([email, answer.statusCode, answer.json().code]).toEqual([email, 422, 'invalid_input']);
    }
  });

  test('an invitation works once, for seven days, until it is withdrawn or sent again', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const email = anEmail();
    const person = await signedInAs(shared, email);
    const accept = (token: string) => person.call('POST', '/invitations/accept', { body: { token } });
    const list = async () => (await owner.call('GET', `/houses/${id}/invitations`)).json<WireInvitation[]>();
    const first = await invite(owner, id, email, 'viewer');
    await owner.call('POST', `/houses/${id}/invitations`, { body: { email, role: 'keeper' } });
    expect((await accept(first)).json().code).toBe('invalid_link');
    expect(await list()).toMatchObject([{ email, role: 'keeper' }]);
    const [invitation] = await list();
    const lifetime = Date.parse(invitation?.expiresAt ?? '') - Date.parse(invitation?.invitedAt ?? '');
    expect(lifetime).toBe(7 * 24 * 60 * 60 * 1_000);
    expect((await owner.call('DELETE', `/invitations/${invitation?.id}`)).statusCode).toBe(200);
    expect(await list()).toEqual([]);
    expect((await owner.call('DELETE', `/invitations/${invitation?.id}`)).json().code).toBe('invitation_not_found');
    const mails = (await outbox(shared)).filter(({ to }) => to === email);
    for (const { text } of mails) {
      const token = /invitation#token=([\w-]+)/.exec(text)?.[1] ?? '';
      expect((await accept(token)).json().code).toBe('invalid_link');
    }
    const again = await invite(owner, id, anEmail(), 'viewer');
    await shared.db.change((db) =>
      db
        .updateTable('house_invitations')
        .set({ expires_at: Date.now() - 1 })
        .execute(),
    );
    expect((await accept(again)).json().code).toBe('invalid_link');
  });

  test('an invitation ends when who sent it is removed, deletes the account or is no owner any more', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const [demoted, removed, gone] = [
      await join(owner, 'owner'),
      await join(owner, 'owner'),
      await join(owner, 'owner'),
    ];
    const tokens = [];
    for (const sender of [demoted, removed, gone, owner]) tokens.push(await invite(sender, id, anEmail(), 'owner'));
    const path = (person: Person) => `/houses/${id}/members/${person.user.id}`;
    expect((await owner.call('PUT', path(demoted), { body: { role: 'manager' } })).statusCode).toBe(200);
    expect((await owner.call('DELETE', path(removed))).statusCode).toBe(200);
    expect((await gone.call('POST', '/api/auth/delete-user', { body: {} })).statusCode).toBe(200);
    const accepted = [];
    for (const token of tokens) {
      const person = await signedInAs(shared);
      accepted.push((await person.call('POST', '/invitations/accept', { body: { token } })).statusCode);
    }
    expect(accepted).toEqual([400, 400, 400, 200]);
  });

  test('a repeated request creates no second house', async () => {
    const person = await signedInAs(shared);
    const headers = { 'idempotency-key': randomUUID() };
    const create = (name: string) => person.call('POST', '/houses', { headers, body: { name } });
    const [first, again] = [await create('Maison'), await create('Maison')];
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body]);
    expect((await create('Atelier')).json().code).toBe('key_reused');
    expect((await housesOf(person)).map(({ name }) => name)).toEqual(['Maison']);
  });

  test('houses that get the same name at the same time have different addresses', async () => {
    const name = `Maison ${randomUUID()}`;
    const people = await Promise.all(Array.from({ length: 8 }, () => signedInAs(shared)));
    const created = await Promise.all(people.map((person) => person.call('POST', '/houses', { body: { name } })));
    expect(created.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(201));
    expect(new Set(created.map((answer) => answer.json<WireHouse>().slug)).size).toBe(8);
  });

  test('the copy of one’s data has nothing of the first house for somebody who is not in it', async () => {
    const person = await signedInAs(shared);
    await shared.db.change(async (db) => {
      const user_id = person.user.id;
      await db.insertInto('members').values({ house: 1, user_id, role: 'owner', joined_at: 1 }).execute();
      await db.updateTable('users').set({ house: 1 }).where('id', '=', user_id).execute();
    });
    const item = await anItem(person, { email: person.user.email });
    const count = (await person.call('POST', '/counts', { body: { name: 'Shelf 3' } })).json();
    await person.call('POST', `/counts/${count.id}/entries`, { body: { ids: [item._id], add: 2 } });
    const copy = async () => (await person.call('GET', '/account/data')).body;
    expect(await copy()).toContain(item._id);
    expect(await copy()).toContain('Shelf 3');
    await shared.db.change((db) => db.deleteFrom('members').where('user_id', '=', person.user.id).execute());
    expect(await copy()).not.toContain(item._id);
    expect(await copy()).not.toContain('Shelf 3');
  });

  test('the copy of one’s data has no items of other houses that name one as their contact', async () => {
    const [person, dealer] = [await signedInAs(shared), await signedInAs(shared)];
    await firstHouse(person);
    const { name } = await anItem(dealer, { email: person.user.email });
    expect((await person.call('GET', '/account/data')).body).not.toContain(name);
  });

  test('a key that was used in one house gets no answer of it in another', async () => {
    const person = await signedInAs(shared);
    const { id: first } = await firstHouse(person);
    const { id: second } = (await person.call('POST', '/houses', { body: { name: 'Second' } })).json();
    const headers = { 'idempotency-key': randomUUID() };
    const item = aNewItem();
    const add = (house: string) =>
      person.call('POST', '/new-inventory-item', { headers: { ...headers, house }, body: item });
    expect((await add(first)).statusCode).toBe(201);
    expect((await add(first)).statusCode).toBe(201);
    expect((await add(second)).json().code).toBe('key_reused');
  });

  test('owners change at most twenty times an hour, because every change sends emails', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const keeper = await join(owner, 'keeper');
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) {
      const body = { role: n % 2 === 0 ? 'owner' : 'keeper' };
      statuses.push((await owner.call('PUT', `/houses/${id}/members/${keeper.user.id}`, { body })).statusCode);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  test('nobody gets more than ten invitations a day, from however many people', async () => {
    const email = anEmail();
    const statuses: number[] = [];
    for (const _ of [1, 2]) {
      const owner = await signedInAs(shared);
      const { id } = await firstHouse(owner);
      for (let n = 0; n < 6; n++) {
        const sent = await owner.call('POST', `/houses/${id}/invitations`, { body: { email, role: 'viewer' } });
        statuses.push(sent.statusCode);
      }
    }
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
  });

  test('the page of an invitation shows the house, the role and who invites', async () => {
    const owner = await signedInAs(shared);
    const house = await firstHouse(owner);
    const email = anEmail();
    const token = await invite(owner, house.id, email, 'manager');
    const read = (body: object) => shared.app.inject({ method: 'POST', url: '/invitations/read', payload: body });
    expect((await read({ token })).json()).toEqual({
      house: house.name,
      role: 'manager',
      email,
      invitedBy: owner.user.name,
    });
    expect((await read({ token: `${token}x` })).json().code).toBe('invalid_link');
  });

  test('the link of an invitation verifies the invited address, and no other', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const email = anEmail();
    const token = await invite(owner, id, email, 'viewer');
    const stranger = await signedInAs(shared, anEmail(), { verified: false });
    const refused = await stranger.call('POST', '/invitations/accept', { body: { token } });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'email_not_verified']);
    const invited = await signedInAs(shared, email, { verified: false });
    expect((await invited.call('POST', '/invitations/accept', { body: { token } })).statusCode).toBe(200);
    expect((await invited.call('GET', '/all-inventory-items')).statusCode).toBe(200);
  });

  test('a house keeps an owner: the last one can neither leave nor become something else', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const manager = await join(owner, 'manager');
    const role = (by: Person, of: Person, role: HouseRole) =>
      by.call('PUT', `/houses/${id}/members/${of.user.id}`, { body: { role } });
    const leave = (person: Person) => person.call('DELETE', `/houses/${id}/members/${person.user.id}`);
    for (const answer of [await role(owner, owner, 'viewer'), await leave(owner)])
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'last_owner']);
    expect((await role(owner, manager, 'owner')).json()).toMatchObject({ role: 'owner' });
    // Both leave at the same time: one of them has to stay.
    const left = await Promise.all([leave(owner), leave(manager)]);
    expect(left.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  test('somebody removed loses access at once, with the keys of the house, and works in their next house', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const item = await anItem(owner);
    const other = await join(owner, 'owner');
    const made = await other.call('POST', '/api-keys', { body: { name: 'Scanner', scope: 'read' } });
    const { key } = made.json<{ key: string }>();
    const withKey = () =>
      shared.app.inject({ url: '/all-inventory-items', headers: { authorization: `Bearer ${key}` } });
    expect((await withKey()).json()).toMatchObject([{ _id: item._id }]);
    await owner.call('DELETE', `/houses/${id}/members/${other.user.id}`);
    expect((await withKey()).json().code).toBe('invalid_key');
    const lost = await other.call('GET', '/all-inventory-items');
    expect([lost.statusCode, lost.json().code]).toEqual([403, 'no_house']);
    const change = vi.spyOn(shared.db, 'change');
    expect((await other.call('GET', '/houses')).json()).toEqual([]);
    expect(change).not.toHaveBeenCalled();
    change.mockRestore();
    const named = await other.call('GET', '/all-inventory-items', { headers: { house: id } });
    expect([named.statusCode, named.json().code]).toEqual([404, 'house_not_found']);
    expect((await other.call('POST', '/houses', { body: { name: 'Mine' } })).json()).toMatchObject({ name: 'Mine' });
    expect((await other.call('GET', '/all-inventory-items')).json()).toEqual([]);
  });

  test('somebody removed loses their open streams and tokens within a second, on every server', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const other = await join(owner, 'manager');
    const sibling = await shared.sibling();
    const { accessToken } = (await other.call('POST', '/login', { body: { email: other.user.email } })).json();
    const mine = () =>
      sibling.app.inject({
        url: `/my-items?email=${other.user.email}`,
        headers: { authorization: `Bearer ${accessToken}` },
      });
    expect((await mine()).statusCode).toBe(200);
    const streams = [await watch(shared, other.cookie), await watch(sibling, other.cookie)];
    const stays = await watch(sibling, owner.cookie);
    const removedAt = performance.now();
    await owner.call('DELETE', `/houses/${id}/members/${other.user.id}`);
    const secret = await anItem(owner, { name: 'After the removal' });
    expect((await mine()).json().code).toBe('no_house');
    await Promise.all(streams.map(({ closed }) => closed));
    expect(performance.now() - removedAt).toBeLessThan(5_000);
    await stays.receivedText(secret._id);
    for (const stream of streams) expect(stream.text()).not.toContain(secret._id);
    stays.close();
  });

  test('a stream shows the own house only', async () => {
    const [one, two] = [await signedInAs(shared), await signedInAs(shared)];
    await Promise.all([firstHouse(one), firstHouse(two)]);
    const screen = await watch(shared, one.cookie);
    const hidden = await anItem(two);
    const shown = await anItem(one);
    await screen.receivedText(shown._id);
    expect(screen.text()).not.toContain(hidden._id);
    screen.close();
  });

  test('the people of the history are those of the own house', async () => {
    const both = [await signedInAs(shared), await signedInAs(shared)];
    for (const person of both) await anItem(person);
    for (const person of both) {
      const people = (await person.call('GET', '/history/people')).json<{ id: string }[]>();
      expect(people.map(({ id }) => id)).toEqual([person.user.id]);
    }
  });

  test('a keeper may not upload pictures', async () => {
    const keeper = await join(await signedInAs(shared), 'keeper');
    const headers = { cookie: keeper.cookie, 'content-type': 'image/png' };
    const answer = await shared.app.inject({ method: 'POST', url: '/uploads', headers, payload: Buffer.alloc(10) });
    expect(answer.json()).toMatchObject({ code: 'not_allowed', role: 'manager' });
  });

  test('a person with several houses works in the one they enter, or in the one that a request names', async () => {
    const owner = await signedInAs(shared);
    const first = await firstHouse(owner);
    const inFirst = await anItem(owner);
    const second = (await owner.call('POST', '/houses', { body: { name: 'Second' } })).json<WireHouse>();
    expect(second).toMatchObject({ role: 'owner', current: true });
    const inSecond = await anItem(owner);
    const stock = async (headers = {}) =>
      (await owner.call('GET', '/all-inventory-items', { headers })).json<{ _id: string }[]>().map(({ _id }) => _id);
    expect(await stock()).toEqual([inSecond._id]);
    expect(await stock({ house: first.id })).toEqual([inFirst._id]);
    expect((await owner.call('POST', `/houses/${first.id}/enter`)).json()).toMatchObject({ current: true });
    expect(await stock()).toEqual([inFirst._id]);
    expect((await owner.call('POST', `/houses/${randomUUID()}/enter`)).json().code).toBe('house_not_found');
  });

  test('the history of a house says who came, went and changed what', async () => {
    const owner = await signedInAs(shared);
    const house = await firstHouse(owner);
    const keeper = await join(owner, 'keeper');
    await owner.call('PUT', `/houses/${house.id}`, { body: { name: 'Renamed', published: true } });
    await owner.call('PUT', `/houses/${house.id}/members/${keeper.user.id}`, { body: { role: 'viewer' } });
    await owner.call('PUT', '/settings', { body: { reorderPoint: 3 } });
    await keeper.call('DELETE', `/houses/${house.id}/members/${keeper.user.id}`);
    const events = (await owner.call('GET', `/houses/${house.id}/events`)).json<WireHouseEvent[]>();
    expect(events.map(({ kind, by }) => [kind, by.id === owner.user.id ? 'owner' : 'keeper'])).toEqual([
      ['left', 'keeper'],
      ['settings', 'owner'],
      ['role', 'owner'],
      ['published', 'owner'],
      ['renamed', 'owner'],
      ['joined', 'keeper'],
      ['invited', 'owner'],
      ['created', 'owner'],
    ]);
    expect(events[2]).toMatchObject({
      person: { id: keeper.user.id },
      changes: [{ field: 'role', from: 'keeper', to: 'viewer' }],
    });
    const page = await owner.call('GET', `/houses/${house.id}/events?limit=3`);
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? '';
    expect((await owner.call('GET', next)).json<WireHouseEvent[]>()[0]?.id).toBe(events[3]?.id);
  });

  test('an account is not removed while others need its owner; a house of one person is closed with the account', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const keeper = await join(owner, 'keeper');
    const remove = (person: Person) => person.call('POST', '/api/auth/delete-user', { body: {} });
    const refused = await remove(owner);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_owner']);
    expect((await remove(keeper)).statusCode).toBe(200);
    expect(await membersOf(owner, id)).toHaveLength(1);
    expect((await remove(owner)).statusCode).toBe(200);
    const houses = shared.db.query.selectFrom('houses').select('deleted_at').where('id', '=', id);
    expect(await houses.executeTakeFirst()).toEqual({ deleted_at: expect.any(Number) });
  });

  test('an import stops when who began it may no longer import, and somebody else can continue it', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const manager = await join(owner, 'manager');
    const rows = Array.from({ length: 200 }, (_, n) => `Iris ${n},1\n`);
    const headers = { 'content-type': 'text/csv' };
    const file = (await manager.call('POST', '/imports', { body: `name,price\n${rows.join('')}`, headers })).json();
    const read = async () => (await owner.call('GET', `/imports/${file.id}`)).json();
    expect((await manager.call('POST', `/imports/${file.id}/apply`)).statusCode).toBe(202);
    await manager.call('DELETE', `/houses/${id}/members/${manager.user.id}`);
    await expect.poll(async () => (await read()).state).toBe('failed');
    expect((await read()).done).toBeLessThan(200);
    expect((await owner.call('POST', `/imports/${file.id}/apply`)).statusCode).toBe(202);
    await expect.poll(async () => (await read()).state, { timeout: 30_000 }).toBe('done');
    const list = await owner.call('GET', '/all-inventory-items?limit=1');
    expect(list.headers['x-total-count']).toBe('200');
  });

  test('changes that still wait for their turn are refused when who sent them is removed', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const manager = await join(owner, 'manager');
    const rows = Array.from({ length: 200 }, (_, n) => `Iris ${n},1,1000\n`);
    const headers = { 'content-type': 'text/csv' };
    const file = (
      await owner.call('POST', '/imports', { body: `name,price,quantity\n${rows.join('')}`, headers })
    ).json();
    await owner.call('POST', `/imports/${file.id}/apply`);
    const readImport = async () => (await owner.call('GET', `/imports/${file.id}`)).json();
    await expect.poll(async () => (await readImport()).state, { timeout: 30_000 }).toBe('done');
    const items = async () => (await owner.call('GET', '/all-inventory-items?limit=200')).json();
    const ids = (await items()).map(({ _id }: { _id: string }) => _id);
    const sent = Array.from({ length: 40 }, () =>
      manager.call('POST', '/bulk', { body: { batch: randomUUID(), action: 'deliver', units: 1, ids } }),
    );
    expect((await sent[0])?.statusCode).toBe(200);
    await manager.call('DELETE', `/houses/${id}/members/${manager.user.id}`);
    const answers = await Promise.all(sent);
    const done = answers.filter(({ statusCode }) => statusCode === 200).length;
    expect(done).toBeLessThan(40);
    expect((await items()).map(({ quantity }: { quantity: string }) => quantity)).toEqual(
      ids.map(() => String(1_000 - done)),
    );
  });

  test('the address of a webhook of the house is not among the data of who may no longer manage webhooks', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const manager = await join(owner, 'manager');
    const body = { url: 'https://hooks.example/old', events: ['stock.changed'] };
    const webhook = (await manager.call('POST', '/webhooks', { body })).json();
    const ownData = async () => (await manager.call('GET', '/account/data')).json().webhooks;
    expect(await ownData()).toMatchObject([{ url: body.url }]);
    await owner.call('PUT', `/houses/${id}/members/${manager.user.id}`, { body: { role: 'keeper' } });
    await owner.call('PUT', `/webhooks/${webhook.id}`, { body: { url: 'https://hooks.example/new' } });
    expect(await ownData()).toEqual([]);
    await manager.call('DELETE', `/houses/${id}/members/${manager.user.id}`);
    expect(await ownData()).toEqual([]);
  });

  test('a closed house is gone for everybody', async () => {
    const owner = await signedInAs(shared);
    const { id } = await firstHouse(owner);
    const keeper = await join(owner, 'keeper');
    expect((await keeper.call('DELETE', `/houses/${id}`)).json()).toMatchObject({ code: 'not_allowed', role: 'owner' });
    const view = { name: 'Low stock', page: 'manageInventory', query: 'stock=low' };
    const saved = (await keeper.call('POST', '/views', { body: view })).json();
    expect((await owner.call('DELETE', `/houses/${id}`)).statusCode).toBe(200);
    const views = shared.db.query.selectFrom('views').select('id').where('id', '=', saved.id);
    expect(await views.execute()).toEqual([]);
    for (const person of [owner, keeper]) {
      expect((await person.call('GET', '/all-inventory-items')).json().code).toBe('no_house');
      expect((await person.call('GET', `/houses/${id}/members`)).json().code).toBe('house_not_found');
    }
  });
}

onAnyDatabase('one shared house', (shared) => {
  test('everybody is a manager in it, and nobody manages it', async () => {
    const person = await signedInAs(shared);
    const [house] = (await person.call('GET', '/houses')).json<WireHouse[]>();
    expect(house).toMatchObject({ name: 'Perfume Warehouse', role: 'manager', current: true });
    for (const [method, path, body] of [
      ['POST', '/houses', { name: 'Mine' }],
      ['PUT', `/houses/${house?.id}`, { name: 'Mine' }],
      ['POST', `/houses/${house?.id}/invitations`, { email: anEmail(), role: 'viewer' }],
      ['DELETE', `/houses/${house?.id}/members/${person.user.id}`, undefined],
    ] as const) {
      const answer = await person.call(method, path, body ? { body } : {});
      expect([path, answer.statusCode, answer.json().role]).toEqual([path, 403, 'owner']);
    }
  });
});

/** The newest email is the first. */
async function outbox(test: TestApp): Promise<{ to: string; text: string }[]> {
  return (await request(test, 'GET', '/demo/outbox')).json();
}

function missing(what: string): never {
  throw new Error(`${what} is missing`);
}
