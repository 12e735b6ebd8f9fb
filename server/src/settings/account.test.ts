import { randomUUID } from 'node:crypto';
import type { WireEntry, WirePerson } from '@perfume/contract/history';
import type { WireActor } from '@perfume/contract/identity';
import { readAccountData } from '@perfume/contract/settings';
import { personMark } from '@perfume/domain/person-mark';
import { expect, test, vi } from 'vitest';
import { PASSWORD } from '../../testing/browser.ts';
import { queryRows } from '../db/core/statement.ts';
import { ensureDemoDealer } from '../demo/demo-dealer.ts';
import { addPassword, removeAccount } from '../identity/identity.store.ts';
import { passwordHasher } from '../identity/passwords.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { anItem, deliver, edit, onBothDatabases, type Person, request, signedInAs, type TestApp } from '../testing.ts';

/** Columns that tell who somebody is, and why a removed account stays in them. Every other one must be empty. */
const KEPT: Record<string, string> = {
  'stock_movements.actor_id': 'the ledger is append-only; the id leads to nobody',
  'stock_movements.actor_name': 'covered by the hash of the movement; no response contains it',
  'item_events.actor_id': 'history is append-only; the id leads to nobody',
  'settings_events.actor_id': 'history is append-only; the id leads to nobody',
  'item_events.actor_name': 'history is append-only; no response contains it',
  'settings_events.actor_name': 'history is append-only; no response contains it',
  'count_entries.actor_id': 'counts are append-only; the id leads to nobody',
  'count_entries.actor_name': 'counts are append-only; no response contains it',
  'count_sessions.opened_by': 'the id leads to nobody',
  'count_sessions.closed_by': 'the id leads to nobody',
  'count_sessions.changed_by': 'the id leads to nobody',
  'count_lines.last_by': 'the id leads to nobody',
  'count_lines.reviewed_by': 'the id leads to nobody',
  'items.created_by': 'the id leads to nobody',
  'items.email': 'the contact of the item, until somebody edits it',
  'items.email_key': 'the contact of the item, until somebody edits it',
  'item_events.changes': 'history is append-only; here the contact of an item was edited',
};
/** These hold what an account did for a while, then are removed by themselves. */
const EXPIRING = ['answers', 'attempts', 'house_invitations'];

onBothDatabases('an account', (shared) => {
  const remove = (person: Person) => person.call('POST', '/api/auth/delete-user', { body: {} });
  const entriesOf = async (person: Person, itemId: string) =>
    (await person.call('GET', `/history?item=${itemId}`)).json<WireEntry[]>();

  test('that is removed while a request runs gets the request refused like any later one', async () => {
    const leaver = await signedInAs(shared);
    const change = shared.db.change;
    vi.spyOn(shared.db, 'change').mockImplementationOnce(async (...given) => {
      await removeAccount(shared.db, 'open', leaver.user.id, Date.now());
      return change(...given) as never;
    });
    const answer = await leaver.call('PUT', '/settings', { body: { alerts: { mail: 'at_once' } } });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'not_signed_in']);
  });

  test('of the last owner of a house from the time of ACCESS=houses can be removed', async () => {
    const [owner, keeper] = [await signedInAs(shared), await signedInAs(shared)];
    const row = {
      id: randomUUID(),
      name: 'Old house',
      slug: randomUUID(),
      created_at: 1,
      published: 0 as const,
      reorder_point: 10,
      reorder_point_at: 1,
    };
    await shared.db.change(async (db) => {
      const { num } = await db.insertInto('houses').values(row).returning('num').executeTakeFirstOrThrow();
      for (const [user_id, role] of [
        [owner.user.id, 'owner'],
        [keeper.user.id, 'keeper'],
      ] as const)
        await db.insertInto('members').values({ house: num, user_id, role, joined_at: 1 }).execute();
    });
    expect((await remove(owner)).statusCode).toBe(200);
  });

  test('is removed at once on every server, and everything that belongs to it goes', async () => {
    const other = await shared.sibling();
    const [leaver, stayer] = [await signedInAs(shared), await signedInAs(shared)];
    const { id, email } = leaver.user;
    await addPassword(shared.db, id, 'a hash', Date.now());
    await leaver.call('PUT', '/settings', { body: { alerts: { mail: 'at_once' } } });
    await leaver.call('POST', '/api/auth/update-user', { body: { name: 'Aria Noor' } });
    await leaver.call('POST', '/api/auth/request-password-reset', { body: { email } });
    const item = await anItem(leaver, { email, quantity: 5 });
    await deliver(leaver, item._id);
    await edit(leaver, item._id, { price: 12 });
    await leaver.call('POST', '/api/auth/passkey/generate-register-options');
    const links = () => shared.db.query.selectFrom('verifications').select('id').where('value', 'like', `%${id}%`);
    await expect.poll(async () => (await links().execute()).length).toBe(2);
    const count = (await leaver.call('POST', '/counts', { body: { name: 'Count', mine: true } })).json();
    await leaver.call('POST', `/counts/${count.id}/entries`, { body: { ids: [item._id], set: 3 } });
    await leaver.call('PUT', `/counts/${count.id}`, { body: { state: 'cancelled' } });
    const view = { name: 'Aria Noor', page: 'history', query: `by=${id}`, shared: true };
    await leaver.call('POST', '/views', { body: view });
    await expect.poll(() => placesOf(shared, [id])).toContain('verifications.value');
    expect(await placesOf(shared, [id, email])).toEqual(
      expect.arrayContaining(['users.id', 'accounts.user_id', 'sign_ins.user_id', 'views.user_id', 'views.query']),
    );

    const { accessToken } = (await leaver.call('POST', '/login', { body: { email } })).json();
    const answer = await remove(leaver);
    expect([answer.statusCode, answer.json().success]).toEqual([200, true]);
    expect(answer.cookies.map(({ name, maxAge }) => [name, maxAge])).toEqual(
      expect.arrayContaining([
        ['perfume', 0],
        ['perfume.known', 0],
      ]),
    );
    for (const server of [shared, other]) {
      const headers = { cookie: leaver.cookie };
      expect((await request(server, 'GET', '/all-inventory-items', { headers })).statusCode).toBe(401);
      const bearer = { authorization: `Bearer ${accessToken}` };
      expect((await request(server, 'GET', `/my-items?email=${email}`, { headers: bearer })).statusCode).toBe(401);
    }
    expect((await remove(leaver)).statusCode).toBe(401);

    const left = await placesOf(shared, [id, email, 'Aria Noor']);
    expect(left.filter((place) => !KEPT[place] && !EXPIRING.includes(place.split('.')[0] ?? ''))).toEqual([]);
    const subjects = (await outbox(shared)).filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(subjects).toContain('Your account was removed · Perfume Warehouse');

    const by = { id, name: 'Former member', isFormerMember: true, mark: personMark(id) };
    const formerMember = { ...by, earlierNames: [] };
    const entries = await entriesOf(stayer, item._id);
    expect(entries.map((entry) => [entry.kind, entry.by])).toEqual(
      ['edited', 'deliver', 'opening'].map((k) => [k, by]),
    );
    const movements = (await stayer.call('GET', `/inventory-items/${item._id}/movements`)).json();
    expect(movements.map((movement: WireEntry) => movement.by)).toEqual([by, by]);
    const people = (await stayer.call('GET', '/history/people')).json<WireActor[]>();
    expect(people.find((person) => person.id === id)).toEqual(formerMember);
    expect((await verifyLedger(shared.db.query)).broken).toBeNull();
    // The items stay, and what the former member did can be undone.
    const undone = await stayer.call('POST', `/history/${entries[1]?.id}/undo`);
    expect([undone.statusCode, undone.json().item.quantity, undone.json().item.email]).toEqual([201, '5', email]);
  });

  test('of somebody who comes back is a new one, and two former members stay different people', async () => {
    const first = await signedInAs(shared);
    const item = await anItem(first);
    await remove(first);
    const again = await signedInAs(shared, first.user.email);
    expect(again.user.id).not.toBe(first.user.id);
    await deliver(again, item._id);
    await remove(again);
    const [one, two] = await entriesOf(await signedInAs(shared), item._id);
    expect([one?.by.name, two?.by.name]).toEqual(['Former member', 'Former member']);
    expect([one?.by.mark, two?.by.mark]).toEqual([personMark(again.user.id), personMark(first.user.id)]);
  });

  test('is not removed by a session that was not proven lately', async () => {
    const person = await signedInAs(shared);
    const created_at = Date.now() - 11 * 60 * 1_000;
    await shared.db.change((db) =>
      db.updateTable('sign_ins').set({ created_at }).where('user_id', '=', person.user.id).execute(),
    );
    expect((await remove(person)).json().code).toBe('proof_needed');
    await addPassword(shared.db, person.user.id, await passwordHasher.hash(PASSWORD), Date.now());
    await person.call('POST', '/api/auth/prove', { body: { password: PASSWORD } });
    expect((await remove(person)).statusCode).toBe(200);
  });

  test('that is not verified stays until its time is over: the owner of the address may be somebody else', async () => {
    const stranger = await signedInAs(shared, undefined, { verified: false });
    const answer = await remove(stranger);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'email_not_verified']);
    expect((await stranger.call('GET', '/api/auth/list-sessions')).statusCode).toBe(200);
  });

  test('that everyone uses in the demo is not removed', async () => {
    const dealer = await ensureDemoDealer(shared.db, Date.now());
    const person = await signedInAs(shared, dealer.email);
    const answer = await remove(person);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'demo_account']);
    expect((await person.call('GET', '/all-inventory-items')).statusCode).toBe(200);
  });

  test('leaves nothing behind: every column that may name a person refers to the account or is decided upon', async () => {
    const columns = await columnsOf(shared);
    const cascading = new Set(await cascadingTables(shared));
    const undecided = columns.filter(
      ({ table, column }) =>
        table !== 'users' &&
        !cascading.has(table) &&
        !EXPIRING.includes(table) &&
        /user|actor|person|owner|member|email|created_by/.test(column) &&
        !KEPT[`${table}.${column}`] &&
        // An invitation is the operator's, and expires by itself.
        table !== 'invitations',
    );
    expect(undecided).toEqual([]);
    expect([...cascading]).toEqual(
      expect.arrayContaining(['accounts', 'sign_ins', 'alert_choices', 'renames', 'views', 'view_emails']),
    );
  });

  test('can be downloaded as one file with everything but secrets', async () => {
    const [person, stranger] = [await signedInAs(shared), await signedInAs(shared)];
    const { id, email, name } = person.user;
    await addPassword(shared.db, id, 'a secret hash', Date.now());
    await person.call('POST', '/api/auth/update-user', { body: { name: 'Aria Noor' } });
    await person.call('PUT', '/settings', { body: { alerts: { mail: 'off' } } });
    const item = await anItem(person, { email });
    const foreign = await anItem(stranger);
    await Promise.all(Array.from({ length: 3 }, () => deliver(person, foreign._id)));
    const count = (await person.call('POST', '/counts', { body: { name: 'Shelf 3' } })).json();
    await person.call('POST', `/counts/${count.id}/entries`, { body: { ids: [item._id], add: 2 } });
    const view = { name: 'Low stock', page: 'manageInventory', query: 'stock=low', pinned: true };
    await person.call('POST', '/views', { body: { ...view, email: true } });
    const answer = await person.call('GET', '/account/data');
    expect(answer.headers['content-disposition']).toContain('attachment');
    const data = readAccountData.replies[200].parse(answer.json());
    expect(data.account).toMatchObject({ id, email, name: 'Aria Noor', mark: personMark(id) });
    expect(data.logins).toMatchObject([{ provider: 'password', accountAtProvider: null }]);
    expect(data.sessions).toHaveLength(1);
    expect(data.alerts).toMatchObject({ mail: 'off', about: 'mine' });
    expect(data.renames).toMatchObject([{ from: name, to: 'Aria Noor' }]);
    expect(data.items).toEqual([{ id: item._id, name: item.name }]);
    expect(data.history.map(({ kind, itemId }) => [kind, itemId])).toEqual([
      ...Array.from({ length: 3 }, () => ['deliver', foreign._id]),
      ['opening', item._id],
    ]);
    expect(data.counts).toMatchObject([{ count: 'Shelf 3', itemId: item._id, kind: 'add', units: 2 }]);
    expect(data.views).toMatchObject([{ ...view, shared: false, deletedAt: null }]);
    expect(data.viewEmails).toEqual([{ view: 'Low stock', lastSentAt: null }]);
    expect(answer.body).not.toContain('a secret hash');
    const unverified = await signedInAs(shared, undefined, { verified: false });
    await edit(person, item._id, { email: unverified.user.email });
    expect((await unverified.call('GET', '/account/data')).json()).toMatchObject({ items: [], history: [] });
  });

  test('can be downloaded ten times an hour', async () => {
    const person = await signedInAs(shared);
    const codes: number[] = [];
    for (let n = 0; n < 11; n++) codes.push((await person.call('GET', '/account/data')).statusCode);
    expect(codes).toEqual([...Array(10).fill(200), 429]);
  });

  test('keeps a record of each new name, which nobody can change while it exists', async () => {
    const person = await signedInAs(shared);
    const unverified = await signedInAs(shared, undefined, { verified: false });
    for (const one of [person, unverified])
      for (const name of ['Aria Noor', 'Aria Noor', 'Ben Sand']) {
        const answer = await one.call('POST', '/api/auth/update-user', { body: { name } });
        expect(answer.json().user.name).toBe(name);
      }
    const renames = await shared.db.query.selectFrom('renames').selectAll().orderBy('at').execute();
    const names = (one: Person) => renames.filter(({ user_id }) => user_id === one.user.id).map((row) => row.to_name);
    expect([names(person), names(unverified)]).toEqual([['Aria Noor', 'Ben Sand'], []]);
    await anItem(person);
    const people = (await person.call('GET', '/history/people')).json<WirePerson[]>();
    const { name } = person.user;
    expect(people.find(({ id }) => id === person.user.id)).toMatchObject({
      name: 'Ben Sand',
      earlierNames: [{ name: 'Aria Noor' }, { name }],
    });
    for (const text of ["update renames set to_name = 'X'", 'delete from renames'])
      await expect(shared.db.change((db) => queryRows(db, text, []))).rejects.toThrow('append-only');
  });
});

type Column = { table: string; column: string };

async function columnsOf({ db }: TestApp): Promise<Column[]> {
  return queryRows<Column>(
    db.query,
    db.dialect === 'sqlite'
      ? `select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'item_search_index%'`
      : `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = current_schema()`,
    [],
  );
}

/** The tables whose rows are removed with the account that they refer to. */
async function cascadingTables({ db }: TestApp): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db.query,
    db.dialect === 'sqlite'
      ? `select m.name from sqlite_schema m join pragma_foreign_key_list(m.name) f
         where m.type = 'table' and f."table" = 'users' and f.on_delete = 'CASCADE'`
      : `select conrelid::regclass::text as name from pg_constraint
         where contype = 'f' and confrelid = 'users'::regclass and confdeltype = 'c'`,
    [],
  );
  return rows.map(({ name }) => name);
}

/** The columns of all tables that contain one of the texts. */
async function placesOf(test: TestApp, texts: string[]): Promise<string[]> {
  const places: string[] = [];
  for (const { table, column } of await columnsOf(test)) {
    const conditions = texts.map((_, index) => `cast("${column}" as text) like $${index + 1}`).join(' or ');
    const found = await queryRows(
      test.db.query,
      `select 1 from "${table}" where ${conditions} limit 1`,
      texts.map((text) => `%${text}%`),
    );
    if (found.length > 0) places.push(`${table}.${column}`);
  }
  return places;
}

async function outbox(test: TestApp): Promise<{ to: string; subject: string }[]> {
  return (await request(test, 'GET', '/demo/outbox')).json();
}
