import type { WireView } from '@perfume/contract/views';
import { MAX_VIEW_EMAILS } from '@perfume/domain/views';
import { afterAll, describe, expect, test } from 'vitest';
import { startMailbox } from '../../testing/mailbox.ts';
import { personBudget } from '../http/budgets.ts';
import type { Email } from '../mail/mailer.ts';
import {
  anItem,
  databases,
  edit,
  move,
  onBothDatabases,
  type Person,
  signedInAs,
  type TestApp,
  testApp,
} from '../testing.ts';
import { MAX_EMAILS } from './instant-readers.store.ts';
import { LOOK_BUDGET, MAX_VIEWS_AT_ONCE, sendViewEmails } from './view-emails.ts';

const HOME = 'https://stock.example.com';
const HOUR_MS = 60 * 60 * 1_000;
const silent = { warn: () => {} };

async function saveView(person: Person, fields: object): Promise<WireView> {
  const body = { name: 'To reorder', page: 'myItems', query: 'stock=low', email: true, ...fields };
  const answer = await person.call('POST', '/views', { body });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json();
}

/** Looks at all views, in turns. Returns the emails. */
async function sendFrom(
  { db, config }: TestApp,
  clock = Date.now,
  looks = personBudget(LOOK_BUDGET, Date.now),
): Promise<Email[]> {
  const sent: Email[] = [];
  const mailer = { send: (email: Email) => void sent.push(email), close: async () => {} };
  const deps = { db, access: config.access, mailer, address: () => HOME, clock, log: silent };
  let after = await sendViewEmails(deps, null, looks);
  while (after !== null) after = await sendViewEmails(deps, after, looks);
  return sent;
}
const subjectsOf = (sent: Email[], { user }: Person) =>
  sent.filter(({ to }) => to === user.email).map(({ subject }) => subject.replace(' · Perfume Warehouse', ''));

onBothDatabases('the email of a saved view', (shared) => {
  test('is sent once when the view is no longer empty, by one of two servers, and again after it was empty again', async () => {
    const other = await shared.sibling();
    const person = await signedInAs(shared);
    const send = async () =>
      subjectsOf((await Promise.all([shared, other].map((server) => sendFrom(server)))).flat(), person);
    const view = await saveView(person, {});
    expect(await send()).toEqual([]);
    const item = await anItem(person, { name: 'Iris', quantity: 11, email: person.user.email });
    await move(person, item._id, 'deliver', 1);
    expect(await send()).toEqual(['1 item in “To reorder”']);
    await anItem(person, { quantity: 0, email: person.user.email });
    expect(await send()).toEqual([]);
    const { id } = view;
    const stored = shared.db.query.selectFrom('view_emails').selectAll().where('view_id', '=', id);
    expect(await stored.execute()).toMatchObject([{ was_zero: 0, last_sent: expect.any(Number) }]);
    await person.call('PUT', `/views/${id}`, { body: { query: 'stock=out' } });
    expect(await send()).toEqual([]);
    await person.call('PUT', `/views/${id}`, { body: { query: 'stock=low' } });
    await move(person, item._id, 'restock', 1);
    for (const found of (await person.call('GET', '/all-inventory-items?stock=out')).json())
      await move(person, found._id, 'restock', 20);
    expect(await send()).toEqual([]);
    await move(person, item._id, 'deliver', 1);
    expect(await send()).toEqual(['1 item in “To reorder”']);
    await person.call('PUT', `/views/${id}`, { body: { email: false } });
    await move(person, item._id, 'restock', 1);
    await send();
    await move(person, item._id, 'deliver', 1);
    expect(await send()).toEqual([]);
  });

  test('waits if looks at views of the same person took long', async () => {
    const person = await signedInAs(shared);
    await saveView(person, {});
    await sendFrom(shared);
    await anItem(person, { quantity: 0, email: person.user.email });
    const looks = personBudget(LOOK_BUDGET, Date.now);
    looks.add(person.user.id, LOOK_BUDGET.burst + 60_000);
    expect(subjectsOf(await sendFrom(shared, Date.now, looks), person)).toEqual([]);
    expect(subjectsOf(await sendFrom(shared), person)).toEqual(['1 item in “To reorder”']);
  });

  test('is not sent about more views than allowed, also if some were deleted and are there again', async () => {
    const person = await signedInAs(shared);
    const first = await saveView(person, {});
    await person.call('DELETE', `/views/${first.id}`);
    for (let n = 0; n < MAX_VIEW_EMAILS; n++) await saveView(person, { name: `View ${n}` });
    const again = await person.call('PUT', `/views/${first.id}`, { body: { name: 'Again' } });
    expect(again.json()).toMatchObject({ name: 'Again', email: false });
    const more = await person.call('PUT', `/views/${first.id}`, { body: { email: true } });
    expect(more.json().code).toBe('too_many_view_emails');
  });

  test('is not sent for a view that had items from the start, nor when its filters change', async () => {
    const person = await signedInAs(shared);
    const word = `w${person.user.id.replaceAll('-', '')}`;
    await anItem(person, { name: word });
    const view = await saveView(person, { page: 'manageInventory', query: `q=${word}` });
    expect(subjectsOf(await sendFrom(shared), person)).toEqual([]);
    await person.call('PUT', `/views/${view.id}`, { body: { query: `q=${word}x` } });
    expect(subjectsOf(await sendFrom(shared), person)).toEqual([]);
    await person.call('PUT', `/views/${view.id}`, { body: { query: `q=${word}` } });
    expect(subjectsOf(await sendFrom(shared), person)).toEqual([]);
  });

  test('goes to everybody who chose it and still sees the view', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => signedInAs(shared)));
    const [owner, reader, unverified, disabled, quiet] = people as [Person, Person, Person, Person, Person];
    const word = `w${owner.user.id.replaceAll('-', '')}`;
    const view = await saveView(owner, { page: 'manageInventory', query: `q=${word}`, shared: true });
    for (const person of [reader, unverified, disabled])
      expect((await person.call('PUT', `/views/${view.id}`, { body: { email: true } })).statusCode).toBe(200);
    await shared.db.change(async (db) => {
      await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', unverified.user.id).execute();
      await db.updateTable('users').set({ disabled_at: 1 }).where('id', '=', disabled.user.id).execute();
    });
    // Also of those who must not get it.
    const markZero = () =>
      shared.db.change((db) =>
        db.updateTable('view_emails').set({ was_zero: 1 }).where('view_id', '=', view.id).execute(),
      );
    await markZero();
    const item = await anItem(quiet, { name: word });
    const recipients = async () => (await sendFrom(shared)).map(({ to }) => to).sort();
    expect(await recipients()).toEqual([owner, reader].map(({ user }) => user.email).sort());
    await owner.call('DELETE', `/inventory-items/${item._id}`);
    await sendFrom(shared);
    await owner.call('PUT', `/views/${view.id}`, { body: { shared: false } });
    await owner.call('POST', `/inventory-items/${item._id}/restore`);
    expect(await recipients()).toEqual([owner.user.email]);
    await owner.call('DELETE', `/views/${view.id}`);
    await markZero();
    expect(await recipients()).toEqual([]);
  });

  test('shares the limit of alert emails, and is sent later', async () => {
    const person = await signedInAs(shared);
    const view = await saveView(person, {});
    const { id } = await anItem(person, { quantity: 11, email: person.user.email }).then(({ _id }) => ({ id: _id }));
    let now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
    let count = 0;
    await sendFrom(shared, () => now);
    for (let i = 0; i < MAX_EMAILS.hour + 2; i++) {
      await move(person, id, 'deliver', 1);
      count += subjectsOf(await sendFrom(shared, () => now), person).length;
      await move(person, id, 'restock', 1);
      await sendFrom(shared, () => now);
    }
    expect(count).toBe(MAX_EMAILS.hour);
    await move(person, id, 'deliver', 1);
    expect(subjectsOf(await sendFrom(shared, () => now), person)).toEqual([]);
    now += HOUR_MS;
    expect(subjectsOf(await sendFrom(shared, () => now), person)).toEqual(['1 item in “To reorder”']);
    await person.call('DELETE', `/views/${view.id}`);
  });

  test('comes however many other views there are, and although one cannot be read', async () => {
    const people = await Promise.all([1, 2].map(() => signedInAs(shared)));
    for (const person of people)
      for (let n = 0; n < MAX_VIEWS_AT_ONCE; n++) await saveView(person, { name: `View ${n}` });
    await sendFrom(shared);
    const broken = { ...shared, db: { ...shared.db } };
    let queries = 0;
    broken.db.longQuery = (text, params) =>
      ++queries === 1 ? Promise.reject(new Error('too slow')) : shared.db.longQuery(text, params);
    for (const person of people) await anItem(person, { quantity: 0, email: person.user.email });
    const sent = await sendFrom(broken);
    expect(sent.length).toBeGreaterThanOrEqual(2 * MAX_VIEWS_AT_ONCE - 2);
    // Views with the same filters are looked up once in each turn.
    expect(queries).toBeLessThan(MAX_VIEWS_AT_ONCE);
    await shared.db.change((db) => db.deleteFrom('view_emails').execute());
  });
});

onBothDatabases(
  'the email of a saved view of a house',
  (shared) => {
    test('is about that house and ends with the membership', async () => {
      const [owner, member] = [await signedInAs(shared), await signedInAs(shared)];
      const [house] = (await owner.call('GET', '/houses')).json<{ id: string; name: string }[]>();
      await member.call('GET', '/houses');
      await shared.db.change(async (db) => {
        const query = db
          .selectFrom('houses')
          .select('num')
          .where('id', '=', house?.id ?? '');
        const { num } = await query.executeTakeFirstOrThrow();
        const user_id = member.user.id;
        await db.insertInto('members').values({ house: num, user_id, role: 'viewer', joined_at: Date.now() }).execute();
      });
      const view = await saveView(owner, { page: 'manageInventory', query: '', shared: true });
      const there = { headers: { house: house?.id ?? '' }, body: { email: true } };
      expect((await member.call('PUT', `/views/${view.id}`, there)).json()).toMatchObject({ email: true });
      expect((await member.call('PUT', `/views/${view.id}`, { body: { email: true } })).statusCode).toBe(404);
      expect(await sendFrom(shared)).toEqual([]);
      // An item of the member's own house is none of this view.
      await anItem(member);
      expect(await sendFrom(shared)).toEqual([]);
      const item = await anItem(owner);
      const sent = await sendFrom(shared);
      expect(subjectsOf(sent, owner)).toEqual(['1 item in “To reorder”']);
      expect(subjectsOf(sent, member)).toEqual([`${house?.name}: 1 item in “To reorder”`]);
      await owner.call('DELETE', `/inventory-items/${item._id}`);
      await sendFrom(shared);
      await owner.call('DELETE', `/houses/${house?.id}/members/${member.user.id}`);
      await owner.call('POST', `/inventory-items/${item._id}/restore`);
      expect((await sendFrom(shared)).map(({ to }) => to)).toEqual([owner.user.email]);
      const left = shared.db.query.selectFrom('view_emails').select('user_id').where('view_id', '=', view.id);
      expect(await left.execute()).toEqual([{ user_id: owner.user.id }]);
    });
  },
  { access: 'houses' },
);

describe.each(databases)('over a real mail server, on %s', async (database) => {
  const mailbox = await startMailbox();
  afterAll(() => mailbox.close());

  test('a delivery leads to the email of a view within seconds', async () => {
    const test = await testApp(database, { mail: mailbox.settings, publicUrl: HOME, demo: false });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const person = await signedInAs(test, 'ann@house.example');
    const item = await anItem(person, { name: 'Iris <b>', quantity: 11, email: 'ann@house.example' });
    const view = await saveView(person, { name: 'Reorder & “call” www.evil.example' });
    const looked = test.db.query.selectFrom('view_emails').select('was_zero');
    await expect.poll(() => looked.execute(), { timeout: 20_000 }).toEqual([{ was_zero: 1 }]);
    await edit(person, item._id, { reorderPoint: 11 });
    await expect.poll(() => mailbox.mails.length, { timeout: 20_000 }).toBe(1);
    const mail = await mailbox.mailTo('ann@house.example');
    expect(mail.subject).toMatch(/^1 item in “Reorder & “call” www\.\u2060evil\.\u2060example” · Perfume Warehouse$/);
    expect(mail.links).toEqual([
      `${HOME}/dashboard/inventory/${item._id}`,
      `${HOME}/dashboard/saved/${view.id}`,
      `${HOME}/dashboard/saved`,
    ]);
    expect(mail.html).toContain('Iris &#60;b&#62;</bdi></a>');
    expect(mail.unsubscribe).toBe(`${HOME}/dashboard/saved`);
    await test.close();
  }, 60_000);
});
