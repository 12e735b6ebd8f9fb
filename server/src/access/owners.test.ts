import { randomUUID } from 'node:crypto';
import type { WireCount } from '@perfume/contract/counts';
import type { WireItem } from '@perfume/contract/wire-item';
import { beforeAll, describe, expect, test } from 'vitest';
import { aNewItem, anItem, onAnyDatabase, onBothDatabases, type Person, signedInAs, type TestApp } from '../testing.ts';

type Answer = Awaited<ReturnType<Person['call']>>;
/** Tries to change `item`, whose history has a delivery and an edit. Before a restore, the item is deleted. */
type Attempt = (by: Person, item: WireItem, entry: Entries) => Promise<Answer>;
type Entries = { delivery: string; edit: string; batch: string; count: string; counted: string };

/**
 * Every route that changes one item, with an attempt to use it. A new route must be added to one of these lists.
 */
const attempts: Record<string, Attempt> = {
  'POST /new-inventory-item': (by, item) =>
    by.call('POST', '/new-inventory-item', { body: aNewItem({ email: item.email }) }),
  'PUT /inventory-items/:id': (by, { _id }) => by.call('PUT', `/inventory-items/${_id}`, { body: { quantity: '1' } }),
  'DELETE /inventory-items/:id': (by, { _id }) => by.call('DELETE', `/inventory-items/${_id}`),
  'POST /inventory-items/:id/edit': (by, { _id }) =>
    by.call('POST', `/inventory-items/${_id}/edit`, { body: { changes: { name: 'Mine now' } } }),
  'POST /inventory-items/:id/restore': (by, { _id }) => by.call('POST', `/inventory-items/${_id}/restore`),
  'POST /inventory-items/:id/movements': (by, { _id }) =>
    by.call('POST', `/inventory-items/${_id}/movements`, { body: { kind: 'deliver', units: 1 } }),
  'POST /movements/:id/undo': (by, _, { delivery }) => by.call('POST', `/movements/${delivery}/undo`),
  'POST /history/:id/undo': (by, _, { edit }) => by.call('POST', `/history/${edit}/undo`),
  'POST /count-entries/:id/undo': (by, _, { counted }) => by.call('POST', `/count-entries/${counted}/undo`),
  'PUT /counts/:id/lines': (by, { _id }, { count }) =>
    by.call('PUT', `/counts/${count}/lines`, { body: { ids: [_id], reason: 'theft', decision: 'post' } }),
};

/** The same for bulk routes. Their response reports a result per row. */
const attemptsInBulk: Record<string, Attempt> = {
  'POST /bulk': (by, { _id }) =>
    by.call('POST', '/bulk', { body: { batch: randomUUID(), action: 'deliver', ids: [_id] } }),
  'POST /batches/:id/undo': (by, _, { batch }) => by.call('POST', `/batches/${batch}/undo`),
  'POST /counts/:id/entries': (by, { _id }, { count }) =>
    by.call('POST', `/counts/${count}/entries`, { body: { ids: [_id], set: 1 } }),
};

/** Routes that close or change a count session. Only whoever opened it may. */
const attemptsOnCounts: Record<string, Attempt> = {
  'PUT /counts/:id': (by, _, { count }) => by.call('PUT', `/counts/${count}`, { body: { name: 'Mine now' } }),
  'POST /counts/:id/post': (by, _, { count }) =>
    by.call('POST', `/counts/${count}/post`, { body: { batch: randomUUID() } }),
};

const changesNoItem = [
  'POST /login',
  'POST /uploads',
  'POST /alerts/seen',
  'PUT /settings',
  'POST /api-keys',
  'POST /counts',
  'DELETE /api-keys/:id',
  ...['sign-up/email', 'sign-in/email', 'sign-in/social', 'sign-out', 'change-password', 'update-user'].map(authRoute),
  ...['revoke-session', 'revoke-other-sessions', 'revoke-sessions'].map(authRoute),
  ...['send-verification-email', 'request-password-reset', 'reset-password'].map(authRoute),
  ...['verify-email', 'prove', 'delete-user', 'unlink-account'].map(authRoute),
  ...['enable', 'confirm', 'disable', 'generate-backup-codes', 'verify-totp', 'verify-backup-code'].map((step) =>
    authRoute(`two-factor/${step}`),
  ),
  ...['generate-register-options', 'verify-registration', 'update-passkey', 'delete-passkey'].map((step) =>
    authRoute(`passkey/${step}`),
  ),
  ...['generate-authenticate-options', 'verify-authentication'].map((step) => authRoute(`passkey/${step}`)),
];

onBothDatabases('changes by owners only', (shared) => describeOwners(shared), { changesBy: 'owners' });

onAnyDatabase('changes by anyone, as the spec has it', (shared) => {
  test.each(Object.entries({ ...attempts, ...attemptsInBulk, ...attemptsOnCounts }))(
    'anyone may: %s',
    async (_, attempt) => {
      const [owner, other] = [await signedInAs(shared), await signedInAs(shared)];
      const { item, entries } = await itemWithLife(owner);
      const answer = await attempt(other, item, entries);
      expect(answer.statusCode).toBeLessThan(300);
      expect(answer.body).not.toContain('not_the_owner');
    },
  );
});

function describeOwners(shared: TestApp): void {
  let owner: Person;
  let other: Person;
  beforeAll(async () => {
    owner = await signedInAs(shared);
    other = await signedInAs(shared);
  });

  test('every changing route is tested here, or listed as changing no item', () => {
    const changing = shared.routes.flatMap(({ method, url, config }) =>
      config?.endpoint
        ? [method]
            .flat()
            .filter(isChange)
            .map((verb) => `${verb} ${url}`)
        : [],
    );
    const named = Object.keys({ ...attempts, ...attemptsInBulk, ...attemptsOnCounts }).concat(changesNoItem);
    expect(changing.sort()).toEqual(named.sort());
  });

  describe.each(Object.entries(attempts))('%s', (_, attempt) => {
    test('of somebody else’s item is refused and changes nothing', async () => {
      const { item, entries } = await itemWithLife(owner);
      const before = await everything(owner, item);
      const answer = await attempt(other, item, entries);
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_the_owner']);
      expect(await everything(owner, item)).toEqual(before);
    });

    test('of their own item works', async () => {
      const { item, entries } = await itemWithLife(owner);
      expect((await attempt(owner, item, entries)).statusCode).toBeLessThan(300);
    });
  });

  describe.each(Object.entries(attemptsInBulk))('%s', (_, attempt) => {
    test('of somebody else’s item is refused in its row and changes nothing', async () => {
      const { item, entries } = await itemWithLife(owner);
      const before = await everything(owner, item);
      const answer = await attempt(other, item, entries);
      expect(answer.json().results).toEqual([{ _id: item._id, ok: false, code: 'not_the_owner' }]);
      expect(await everything(owner, item)).toEqual(before);
    });

    test('of their own item works', async () => {
      const { item, entries } = await itemWithLife(owner);
      expect((await attempt(owner, item, entries)).json().results).toMatchObject([{ _id: item._id, ok: true }]);
    });
  });

  test.each(Object.entries(attemptsOnCounts))('%s works only for whoever opened the session', async (_, attempt) => {
    const opener = await signedInAs(shared);
    const { item, entries } = await itemWithLife(opener);
    const session = async () => (await opener.call('GET', `/counts/${entries.count}`)).json();
    const before = await session();
    const answer = await attempt(other, item, entries);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_the_opener']);
    expect(await session()).toEqual(before);
    expect((await attempt(opener, item, entries)).statusCode).toBe(200);
  });

  test('a count corrects only items of whoever posts it, and lists the others as refused', async () => {
    const opener = await signedInAs(shared);
    const { item, entries } = await itemWithLife(opener);
    const mine = await anItem(other, { email: other.user.email });
    await other.call('POST', `/counts/${entries.count}/entries`, { body: { ids: [mine._id], set: 1 } });
    const posted = await opener.call('POST', `/counts/${entries.count}/post`, { body: { batch: randomUUID() } });
    expect(posted.json().results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ _id: item._id, ok: true }),
        { _id: mine._id, ok: false, code: 'not_the_owner' },
      ]),
    );
  });

  test.each([
    { action: 'deliver', units: 2 },
    { action: 'restock', units: 2 },
    { action: 'setReorderPoint', reorderPoint: 3 },
    { action: 'delete' },
    { action: 'restore' },
  ])('in bulk, $action changes own rows and refuses the others', async (action) => {
    const mine = await anItem(other, { email: other.user.email });
    const { item: theirs } = await itemWithLife(owner);
    const body = { batch: randomUUID(), ...action, ids: [theirs._id, mine._id, theirs._id] };
    const { results } = (await other.call('POST', '/bulk', { body })).json();
    expect(results).toMatchObject([
      { _id: theirs._id, ok: false, code: 'not_the_owner' },
      { _id: mine._id, ok: true },
    ]);
  });

  test('an item that its owner deleted cannot be restored by others', async () => {
    const { item, entries } = await itemWithLife(owner);
    await owner.call('DELETE', `/inventory-items/${item._id}`);
    for (const attempt of [attempts['POST /inventory-items/:id/restore'], attempts['DELETE /inventory-items/:id']]) {
      expect((await attempt?.(other, item, entries))?.json().code).toBe('not_the_owner');
    }
    expect((await owner.call('POST', `/inventory-items/${item._id}/restore`)).statusCode).toBe(200);
  });

  test('the owner is recognised by any spelling of the email address', async () => {
    const [local = '', host = ''] = owner.user.email.split('@');
    const fullWidth = local.replaceAll('a', '\uff41');
    for (const email of [owner.user.email.toUpperCase(), `${fullWidth}@${host}`]) {
      const item = await anItem(owner, { email });
      expect((await owner.call('DELETE', `/inventory-items/${item._id}`)).statusCode).toBe(200);
    }
  });

  test('an item cannot be given away, neither by an edit nor by undoing one', async () => {
    const item = await anItem(owner, { email: owner.user.email });
    const hand = { body: { changes: { email: other.user.email } } };
    expect((await owner.call('POST', `/inventory-items/${item._id}/edit`, hand)).json().code).toBe('not_the_owner');

    // Gives the item away without the access check, as if this had happened before the setting was turned on.
    const given = await shared.db.change(async (db) => {
      const { editInTransaction } = await import('../items/edit.store.ts');
      const action = { id: randomUUID(), actor: owner.user, at: Date.now(), batch: null, undoes: null };
      return editInTransaction(db, { itemId: item._id, wanted: { email: other.user.email }, seen: {}, action });
    });
    const entry = given.ok ? given.event?.id : undefined;
    for (const person of [owner, other]) {
      const undone = await person.call('POST', `/history/${entry}/undo`);
      expect([undone.statusCode, undone.json().code]).toEqual([403, 'not_the_owner']);
      const preview = (await person.call('GET', `/history/${entry}/undo`)).json();
      expect(preview).toEqual({ possible: false, code: 'not_the_owner', onHand: null, effect: null });
    }
  });

  test('checks run in order: logged in, allowed, idempotency key, fields', async () => {
    const { item } = await itemWithLife(owner);
    const url = `/inventory-items/${item._id}`;
    const headers = { 'idempotency-key': randomUUID(), 'stock-base': '41' };
    const body = { quantity: '40' };
    expect((await owner.call('PUT', url, { body, headers })).statusCode).toBe(200);
    const nobody = await shared.app.inject({ method: 'PUT', url, headers, payload: body });
    expect(nobody.json().code).toBe('not_signed_in');
    const unverified = await signedInAs(shared, undefined, { verified: false });
    expect((await unverified.call('PUT', url, { body, headers })).json().code).toBe('email_not_verified');
    expect((await other.call('PUT', url, { body, headers })).json().code).toBe('not_the_owner');
    expect((await other.call('PUT', url, { body: { quantity: 'x' } })).json().code).toBe('not_the_owner');
    expect((await owner.call('PUT', url, { body: { quantity: 'x' }, headers })).json().code).toBe('key_reused');
    expect((await owner.call('PUT', url, { body, headers })).json().quantity).toBe('40');
  });

  test('a missing item is still 404', async () => {
    for (const id of [randomUUID(), 'no-id', '%00', randomUUID().toUpperCase()]) {
      const answer = await other.call('PUT', `/inventory-items/${id}`, { body: { quantity: '1' } });
      expect([id, answer.json().code]).toEqual([id, 'item_not_found']);
      expect((await other.call('POST', `/history/${id}/undo`)).json().code).toBe('entry_not_found');
      expect((await other.call('POST', `/movements/${id}/undo`)).json().code).toBe('movement_not_found');
    }
  });

  test('an id in capitals names the same item and the same owner', async () => {
    const { item } = await itemWithLife(owner);
    const answer = await other.call('DELETE', `/inventory-items/${item._id.toUpperCase()}`);
    expect(answer.json().code).toBe('not_the_owner');
  });

  test('everyone may still read everything', async () => {
    const { item } = await itemWithLife(owner);
    for (const url of ['/all-inventory-items', `/manage-inventory?_id=${item._id}`, '/history']) {
      expect((await other.call('GET', url)).body).toContain(item._id);
    }
    expect((await other.call('GET', `/inventory-items/${item._id}/movements`)).json()).toHaveLength(2);
  });
}

/** Creates an item that belongs to the person, delivers it once in bulk, edits it once and counts it once. */
async function itemWithLife(person: Person): Promise<{ item: WireItem; entries: Entries }> {
  const item = await anItem(person, { email: person.user.email });
  const batch = randomUUID();
  const body = { batch, action: 'deliver', ids: [item._id] };
  const { results } = (await person.call('POST', '/bulk', { body })).json();
  const edit = randomUUID();
  const edited = await person.call('POST', `/inventory-items/${item._id}/edit`, {
    body: { changes: { name: 'Nuit Claire' } },
    headers: { 'idempotency-key': edit },
  });
  if (edited.statusCode !== 200) throw new Error(edited.body);
  const count = await openCountOf(person);
  const scan = await person.call('POST', `/counts/${count}/entries`, { body: { ids: [item._id], set: 7 } });
  const counted = scan.json().results[0].entryId;
  return { item: edited.json<WireItem>(), entries: { delivery: results[0].movementId, edit, batch, count, counted } };
}

/** A person may have 20 open sessions, so all items of a person are counted in one. */
async function openCountOf(person: Person): Promise<string> {
  const open = (await person.call('GET', '/counts?state=open')).json<WireCount[]>();
  const own = open.find(({ openedBy }) => openedBy.id === person.user.id);
  return (own ?? (await person.call('POST', '/counts', { body: { name: 'Count' } })).json<WireCount>()).id;
}

/** Reads what a refused request must leave unchanged: the item, its history and the number of items. */
async function everything(person: Person, item: WireItem): Promise<unknown> {
  const read = async (url: string) => (await person.call('GET', url)).json();
  const all = await read('/all-inventory-items?limit=200');
  return [await read(`/manage-inventory?_id=${item._id}`), await read(`/history?item=${item._id}`), all.length];
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function authRoute(path: string): string {
  return `POST /api/auth/${path}`;
}
