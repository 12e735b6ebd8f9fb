import { randomUUID } from 'node:crypto';
import { createView, type WireView } from '@perfume/contract/views';
import { MAX_VIEW_EMAILS, MAX_VIEWS } from '@perfume/domain/views';
import { expect, test } from 'vitest';
import { watch } from '../../testing/watch.ts';
import { onBothDatabases, type Person, request, signedInAs } from '../testing.ts';

let ahead = 0;
const clock = () => Date.now() + ahead;

const lowStock = { name: 'Low stock', page: 'manageInventory', query: 'stock=low&sort=-quantity' };

async function save(person: Person, fields: object = {}): Promise<WireView> {
  const answer = await person.call('POST', '/views', { body: { ...lowStock, ...fields } });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return createView.replies[201].parse(answer.json());
}
const list = async (person: Person) => (await person.call('GET', '/views')).json<WireView[]>();
const idsOf = async (person: Person) => (await list(person)).map(({ id }) => id);
const change = (person: Person, id: string, body: object) => person.call('PUT', `/views/${id}`, { body });
const remove = (person: Person, id: string) => person.call('DELETE', `/views/${id}`);

onBothDatabases(
  'saved views',
  (shared) => {
    test('keep the page and its filters under a name, newest first', async () => {
      const person = await signedInAs(shared);
      const first = await save(person, { name: '  Low stock ' });
      expect(first).toMatchObject({ ...lowStock, shared: false, pinned: false, email: false, mine: true });
      expect(first.by).toMatchObject({ id: person.user.id, name: person.user.name });
      ahead += 1_000;
      const second = await save(person, { page: 'history', query: '', pinned: true });
      expect(await list(person)).toEqual([second, first]);
    });

    test('are saved once, however often the request is repeated', async () => {
      const person = await signedInAs(shared);
      const headers = { 'idempotency-key': randomUUID() };
      const send = (body: object) => person.call('POST', '/views', { body, headers });
      const [first, again] = [await send(lowStock), await send(lowStock)];
      expect(again.body).toBe(first.body);
      expect(await idsOf(person)).toEqual([headers['idempotency-key']]);
      expect((await send({ ...lowStock, name: 'Other' })).json().code).toBe('key_reused');
    });

    test('are seen by others only while they are shared, and changed by nobody else', async () => {
      const [owner, other] = [await signedInAs(shared), await signedInAs(shared)];
      const view = await save(owner);
      expect(await idsOf(other)).not.toContain(view.id);
      await change(owner, view.id, { shared: true });
      const seen = (await list(other)).find(({ id }) => id === view.id);
      expect(seen).toMatchObject({ ...lowStock, shared: true, mine: false, by: { name: owner.user.name } });
      for (const id of [view.id, randomUUID(), 'x'])
        for (const answer of [await change(other, id, { name: 'Taken' }), await remove(other, id)])
          expect([answer.statusCode, answer.json().code]).toEqual([404, 'view_not_found']);
      expect(await list(owner)).toMatchObject([{ id: view.id, name: 'Low stock' }]);
      await change(owner, view.id, { shared: false });
      expect(await idsOf(other)).not.toContain(view.id);
    });

    test('keep what a change does not mention', async () => {
      const person = await signedInAs(shared);
      const view = await save(person, { pinned: true });
      const renamed = (await change(person, view.id, { name: 'Reorder' })).json<WireView>();
      expect(renamed).toMatchObject({ ...lowStock, name: 'Reorder', pinned: true });
      const changed = { page: 'myItems', query: 'stock=out', pinned: false };
      expect((await change(person, view.id, changed)).json()).toMatchObject({ name: 'Reorder', ...changed });
    });

    test('come back under the same id within a day after they were deleted', async () => {
      const person = await signedInAs(shared);
      const view = await save(person);
      expect((await remove(person, view.id)).json()).toEqual({ id: view.id });
      expect((await remove(person, view.id)).statusCode).toBe(200);
      expect(await list(person)).toEqual([]);
      expect((await change(person, view.id, {})).json()).toMatchObject({ id: view.id, ...lowStock });
      expect(await idsOf(person)).toEqual([view.id]);
      await remove(person, view.id);
      ahead += 25 * 60 * 60 * 1_000;
      expect((await change(person, view.id, {})).json().code).toBe('view_not_found');
      expect((await remove(person, view.id)).json().code).toBe('view_not_found');
      await remove(person, (await save(person)).id);
      const rows = shared.db.query.selectFrom('views').select('id').where('user_id', '=', person.user.id);
      expect((await rows.execute()).map(({ id }) => id)).not.toContain(view.id);
    });

    test(`are at most ${MAX_VIEWS} per person, also if the last places are taken at once or by a restored one`, async () => {
      const person = await signedInAs(shared);
      const deleted = await save(person);
      await remove(person, deleted.id);
      for (let n = 0; n < MAX_VIEWS - 2; n++) await save(person);
      const last = await Promise.all([1, 2, 3, 4].map(() => person.call('POST', '/views', { body: lowStock })));
      expect(last.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409]);
      expect(last.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('too_many_views');
      expect((await change(person, deleted.id, {})).json().code).toBe('too_many_views');
      expect(await list(person)).toHaveLength(MAX_VIEWS);
    });

    test.each([
      ['name', { name: '' }],
      ['name', { name: 'x'.repeat(81) }],
      ['page', { page: 'settings' }],
      ['query', { query: '?stock=low' }],
      ['query', { query: `q=${'x'.repeat(2_000)}` }],
      ['shared', { shared: 'yes' }],
      ['pinned', { pinned: 1 }],
      ['email', { email: 'yes' }],
      ['email', { email: true, page: 'history' }],
      ['userId', { userId: 'x' }],
    ])('are refused with a wrong %s, and nothing changes', async (field, wrong) => {
      const person = await signedInAs(shared);
      const view = await save(person);
      for (const answer of [
        await person.call('POST', '/views', { body: { ...lowStock, ...wrong } }),
        await change(person, view.id, wrong),
      ])
        expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([422, [field]]);
      expect(await list(person)).toEqual([view]);
    });

    test('have emails that each person turns on for themselves, also of a view that others share', async () => {
      const [owner, other] = [await signedInAs(shared), await signedInAs(shared)];
      const view = await save(owner, { shared: true, email: true });
      expect(view.email).toBe(true);
      const seen = async () => (await list(other)).find(({ id }) => id === view.id);
      expect(await seen()).toMatchObject({ email: false });
      ahead += 1_000;
      expect((await change(other, view.id, { email: true })).json()).toMatchObject({ email: true, mine: false });
      expect((await change(owner, view.id, { email: false })).json()).toEqual({ ...view, email: false });
      expect(await seen()).toMatchObject({ email: true, updatedAt: view.updatedAt });
      for (const body of [{ email: false, name: 'Taken' }, {}])
        expect((await change(other, view.id, body)).json().code).toBe('view_not_found');
      await change(owner, view.id, { shared: false });
      expect((await change(other, view.id, { email: false })).json().code).toBe('view_not_found');
      await change(owner, view.id, { shared: true });
      expect(await seen()).toMatchObject({ name: view.name, email: true });
      await change(owner, view.id, { page: 'history' });
      expect(await seen()).toMatchObject({ email: false });
    });

    test(`have emails for at most ${MAX_VIEW_EMAILS} of them per person`, async () => {
      const person = await signedInAs(shared);
      const first = await save(person, { email: true });
      for (let n = 1; n < MAX_VIEW_EMAILS; n++) await save(person, { email: true });
      const last = await save(person);
      const full = [409, { code: 'too_many_view_emails' }];
      const refused = await change(person, last.id, { name: 'Other', email: true });
      expect([refused.statusCode, refused.json()]).toMatchObject(full);
      const another = await person.call('POST', '/views', { body: { ...lowStock, email: true } });
      expect([another.statusCode, another.json()]).toMatchObject(full);
      expect((await list(person)).find(({ id }) => id === last.id)).toEqual(last);
      expect((await change(person, first.id, { email: true })).statusCode).toBe(200);
      await remove(person, first.id);
      expect((await change(person, last.id, { email: true })).json()).toMatchObject({ name: last.name, email: true });
    });

    test('need a login', async () => {
      const { id } = await save(await signedInAs(shared));
      for (const [method, url] of [
        ['GET', '/views'],
        ['POST', '/views'],
        ['PUT', `/views/${id}`],
        ['DELETE', `/views/${id}`],
      ] as const)
        expect((await request(shared, method, url, { ...(method !== 'GET' && { body: lowStock }) })).statusCode).toBe(
          401,
        );
    });

    test('tell open screens that something changed, and nothing of what it was', async () => {
      const [owner, other] = [await signedInAs(shared), await signedInAs(shared)];
      const screen = await watch(shared, other.cookie);
      const view = await save(owner, { name: 'Nobody’s business' });
      await screen.receivedText('event: view\ndata: {}\n');
      for (const secret of [view.id, view.name, owner.user.id]) expect(screen.text()).not.toContain(secret);
      screen.close();
    });
  },
  {},
  { clock },
);

onBothDatabases(
  'saved views of a house',
  (shared) => {
    test('are private to a viewer, who may not share them', async () => {
      const viewer = await signedInAs(shared);
      const view = await save(viewer);
      await shared.db.change((db) =>
        db.updateTable('members').set({ role: 'viewer' }).where('user_id', '=', viewer.user.id).execute(),
      );
      for (const answer of [
        await viewer.call('POST', '/views', { body: { ...lowStock, shared: true } }),
        await change(viewer, view.id, { shared: true }),
      ])
        expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'not_allowed', role: 'keeper' }]);
      expect((await change(viewer, view.id, { shared: false, pinned: true })).statusCode).toBe(200);
      await save(viewer);
      expect(await list(viewer)).toMatchObject([{ shared: false }, { shared: false, pinned: true }]);
    });

    test('belong to the house they were saved in, and end when their person leaves it', async () => {
      const [owner, member] = [await signedInAs(shared), await signedInAs(shared)];
      const own = await save(member, { shared: true });
      const [house] = (await owner.call('GET', '/houses')).json<{ id: string }[]>();
      await shared.db.change(async (db) => {
        const { num } = await db
          .selectFrom('houses')
          .select('num')
          .where('id', '=', house?.id ?? '')
          .executeTakeFirstOrThrow();
        await db
          .insertInto('members')
          .values({ house: num, user_id: member.user.id, role: 'keeper', joined_at: Date.now() })
          .execute();
      });
      const headers = { house: house?.id ?? '' };
      const answer = await member.call('POST', '/views', { body: { ...lowStock, shared: true }, headers });
      const there = answer.json<WireView>();
      expect(await idsOf(owner)).toEqual([there.id]);
      expect(await idsOf(member)).toEqual([own.id]);
      expect((await change(member, there.id, { name: 'Elsewhere' })).json().code).toBe('view_not_found');
      await owner.call('DELETE', `/houses/${house?.id}/members/${member.user.id}`);
      expect(await idsOf(owner)).toEqual([]);
      expect(await idsOf(member)).toEqual([own.id]);
    });
  },
  { access: 'houses' },
);
