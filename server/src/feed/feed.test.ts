import { connect } from 'node:net';
import { changeEvent } from '@perfume/contract/feed';
import { expect, test, vi } from 'vitest';
import { watch } from '../../testing/watch.ts';
import * as feed from '../db/core/changes.ts';
import { queryRows } from '../db/core/statement.ts';
import { anItem, onBothDatabases, type Person, request, signedInAs, type TestApp } from '../testing.ts';

/** Runs `run` after the feed's next matching read and before its result is used. */
function interruptRead(
  { db }: TestApp,
  { when, run }: { when(from: feed.Position, changes: feed.Change[]): boolean; run(): Promise<unknown> },
): void {
  const read = feed.changesAfter;
  const spy = vi.spyOn(feed, 'changesAfter').mockImplementation(async (readDb, from, house) => {
    const changes = await read(readDb, from, house);
    if (readDb === db && when(from, changes)) {
      spy.mockRestore();
      await run();
    }
    return changes;
  });
}

onBothDatabases('the change feed', (shared) => {
  test('sends each change to every screen of every server, in order', async () => {
    const person = await signedInAs(shared);
    const other = await shared.sibling();
    const screens = [
      await watch(shared, person.cookie),
      await watch(other, person.cookie),
      await watch(other, person.cookie),
    ];
    const item = await anItem(person, { quantity: 3 });
    await person.call('PUT', `/inventory-items/${item._id}`, {
      body: { quantity: '2' },
      headers: { 'stock-base': '3' },
    });
    await person.call('DELETE', `/inventory-items/${item._id}`);
    await person.call('POST', `/inventory-items/${item._id}/restore`);
    for (const screen of screens) {
      const received = await screen.received(4);
      expect(received.map(({ kind, itemId }) => [kind, itemId])).toEqual(
        ['created', 'stock', 'deleted', 'restored'].map((kind) => [kind, item._id]),
      );
      expect(received.at(-1)?.item).toMatchObject({ _id: item._id, quantity: '2' });
      for (const event of received) changeEvent.parse(event);
    }
    const count = (await person.call('POST', '/counts', { body: { name: 'Count of today' } })).json();
    await person.call('POST', '/views', { body: { name: 'Low stock', page: 'manageInventory', query: 'stock=low' } });
    for (const screen of screens) {
      await screen.receivedText(`event: count\ndata: {"id":`);
      await screen.receivedText(`"countId":"${count.id}"`);
      await screen.receivedText('event: view\ndata: {}\n');
      screen.close();
    }
  });

  test('resumes after the last event received, without gaps or duplicates', async () => {
    const person = await signedInAs(shared);
    const first = await watch(shared, person.cookie);
    const item = await anItem(person, { quantity: 100 });
    const [created] = await first.received(1);
    first.close();
    for (let i = 0; i < 5; i++) await deliver(person, item._id);
    const second = await watch(shared, person.cookie, created?.id);
    const during = Array.from({ length: 20 }, () => deliver(person, item._id));
    const events = await second.received(25);
    await Promise.all(during);
    expect(new Set(events.map(({ id }) => id)).size).toBe(25);
    expect(events.every(({ itemId, kind }) => itemId === item._id && kind === 'stock')).toBe(true);
    expect(events.at(-1)?.item?.quantity).toBe('75');
    second.close();
  });

  test('starts after the event that its address names, but resumes after the last one received', async () => {
    const person = await signedInAs(shared);
    const before = await watch(shared, person.cookie);
    const item = await anItem(person, { quantity: 9 });
    const [created] = await before.received(1);
    before.close();
    await deliver(person, item._id);
    await deliver(person, item._id);
    const path = `/events?after=${created?.id}`;
    const first = await watch(shared, person.cookie, undefined, path);
    const [early, late] = await first.received(2);
    expect([early?.kind, late?.kind]).toEqual(['stock', 'stock']);
    first.close();
    const second = await watch(shared, person.cookie, early?.id, path);
    expect(await second.received(1)).toEqual([late]);
    second.close();
    const unknown = await watch(shared, person.cookie, undefined, '/events?after=9-0');
    await unknown.receivedText('event: reset');
    expect(unknown.text()).toMatch(/id: \d+-[1-9]\d*\nevent: reset\n/);
    unknown.close();
    const refused = await person.call('GET', '/events?after=yesterday');
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { code: 'invalid_query', fields: { after: {} } }]);
  });

  test('a stream receives a change that is committed while it joins', async () => {
    const person = await signedInAs(shared);
    const server = await shared.sibling();
    const first = await watch(server, person.cookie);
    const item = await anItem(person, { quantity: 100 });
    const [created] = await first.received(1);
    const committed = Promise.withResolvers<void>();
    interruptRead(server, {
      // The shared feed reads on from a change, which has a `kind`; a stream that resumes has only a position.
      when: (from, changes) => !('kind' in from) && changes.length === 0,
      async run() {
        await deliver(person, item._id);
        await first.received(2);
        committed.resolve();
      },
    });
    const second = await watch(server, person.cookie, created?.id);
    await committed.promise;
    await deliver(person, item._id);
    const expected = (await first.received(3)).slice(1).map(({ id }) => id);
    expect((await second.receivedUpTo(expected.at(-1))).map(({ id }) => id)).toEqual(expected);
    first.close();
    second.close();
  });

  test('a stream that joins ahead of the feed receives nothing twice', async () => {
    const person = await signedInAs(shared);
    const server = await shared.sibling();
    const first = await watch(server, person.cookie);
    const item = await anItem(person, { quantity: 100 });
    const [created] = await first.received(1);
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    interruptRead(server, {
      when: (_, changes) => changes.length === 1,
      run() {
        held.resolve();
        return release.promise;
      },
    });
    await deliver(person, item._id);
    await held.promise;
    await deliver(person, item._id);
    // On PostgreSQL a change becomes visible when every older transaction on the database server has ended, and other
    // tests use the same database server.
    const [txid = 0, seq = 0] = (created?.id ?? '').split('-').map(Number);
    await expect.poll(async () => (await feed.changesAfter(shared.db, { txid, seq })).length).toBe(2);
    const second = await watch(server, person.cookie, created?.id);
    await second.received(2);
    // The second stream joins one event-loop turn after its last write; a whole request takes longer than that.
    await request(server, 'GET', '/inventory-items');
    release.resolve();
    await first.received(3);
    await deliver(person, item._id);
    const expected = (await first.received(4)).slice(1).map(({ id }) => id);
    expect((await second.receivedUpTo(expected.at(-1))).map(({ id }) => id)).toEqual(expected);
    first.close();
    second.close();
  });

  test('answers a HEAD request without opening a stream', async () => {
    const person = await signedInAs(shared);
    const answer = await request(shared, 'HEAD', '/events', { headers: { cookie: person.cookie } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  test('a client that missed more than one buffer receives all of it, in order', async () => {
    const person = await signedInAs(shared);
    const first = await watch(shared, person.cookie);
    const item = await anItem(person, { quantity: 100, description: '\u{1f338}'.repeat(1_000) });
    const [created] = await first.received(1);
    first.close();
    const total = 600;
    for (let at = 0; at < total; at += 100) {
      await Promise.all(Array.from({ length: 50 }, () => deliver(person, item._id)));
      await Promise.all(Array.from({ length: 50 }, () => deliver(person, item._id, '11')));
    }
    const back = await watch(shared, person.cookie, created?.id);
    const events = await back.received(total);
    expect(new Set(events.map(({ id }) => id)).size).toBe(total);
    expect(events.every(({ kind }) => kind === 'stock')).toBe(true);
    await deliver(person, item._id);
    expect((await back.received(total + 1)).at(-1)?.item?.quantity).toBe('99');
    back.close();
  });

  test('streams of one person catch up in turns, and those of others do not wait for them', async () => {
    const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
    const server = await shared.sibling();
    const first = await watch(server, person.cookie);
    const item = await anItem(person, { quantity: 100 });
    const [created] = await first.received(1);
    first.close();
    await deliver(person, item._id);
    const release = Promise.withResolvers<void>();
    let reading = 0;
    const read = feed.changesAfter;
    const spy = vi.spyOn(feed, 'changesAfter').mockImplementation(async (db, from, house) => {
      // Only a stream that resumes asks for the changes of a house.
      if (db === server.db && house !== undefined) {
        reading++;
        await release.promise;
      }
      return read(db, from, house);
    });
    try {
      const screens = [];
      for (const { cookie } of [person, person, person, person, other])
        screens.push(await watch(server, cookie, created?.id));
      await expect.poll(() => reading).toBe(2);
      release.resolve();
      for (const screen of screens) {
        expect((await screen.received(1)).map(({ kind }) => kind)).toEqual(['stock']);
        screen.close();
      }
    } finally {
      spy.mockRestore();
    }
  });

  test('what a person misses and reads again counts as rows, and beyond their budget streams are refused', async () => {
    const [person, other] = [await signedInAs(shared), await signedInAs(shared)];
    // Leaves 20 rows to each person.
    const server = await shared.sibling({ budgetFactor: 0.000_01 });
    const first = await watch(server, person.cookie);
    const item = await anItem(person, { quantity: 100 });
    const [created] = await first.received(1);
    first.close();
    for (let n = 0; n < 15; n++) await deliver(person, item._id);
    for (let n = 0; n < 2; n++) {
      const screen = await watch(server, person.cookie, created?.id);
      await screen.received(15);
      screen.close();
    }
    await expect(watch(server, person.cookie, created?.id)).rejects.toThrow('429');
    (await watch(server, other.cookie, created?.id)).close();
  });

  test('a client that was away too long is told to reload', async () => {
    const person = await signedInAs(shared);
    const screen = await watch(shared, person.cookie);
    await anItem(person);
    const [old] = await screen.received(1);
    screen.close();
    await anItem(person);
    await anItem(person);
    await feed.pruneChanges(shared.db, Date.now() + 24 * 60 * 60 * 1_000);
    const back = await watch(shared, person.cookie, old?.id);
    expect(await back.receivedText('event: reset')).toBe(true);
    back.close();
  });

  test('a signed-out user stops receiving with the next heartbeat, and others go on', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const [leaver, stayer] = [await signedInAs(shared), await signedInAs(shared)];
      const server = await shared.sibling();
      const screens = [await watch(server, leaver.cookie), await watch(server, stayer.cookie)];
      await leaver.call('POST', '/api/auth/sign-out');
      await vi.advanceTimersByTimeAsync(15_000);
      await screens[0]?.ended;
      expect(await screens[1]?.receivedText(': beat')).toBe(true);
      screens[1]?.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a stream whose end cannot be sent does not affect others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [listener, leaver] = [await signedInAs(shared), await signedInAs(shared)];
    const server = await shared.sibling();
    try {
      if (!server.app.server.listening) await server.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = server.app.server.address() as { port: number };
      const socket = connect(port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        received += part;
      });
      socket.on('error', () => {});
      // Both requests use one connection, so the second response waits for the first, which never ends. The second
      // stream can be ended, but its end is never sent.
      for (const { cookie } of [listener, leaver])
        socket.write(`GET /events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`);
      await expect.poll(() => received).toContain('event: hello');
      await leaver.call('POST', '/api/auth/sign-out');
      const item = await anItem(listener, { quantity: 10 });
      for (let n = 0; n < 3; n++) {
        await vi.advanceTimersByTimeAsync(15_000);
        await deliver(listener, item._id);
        await expect.poll(() => received.match(/"kind":"stock"/g)?.length ?? 0).toBe(n + 1);
      }
      socket.destroy();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a client that cannot catch up is disconnected', async () => {
    const person = await signedInAs(shared);
    const server = await shared.sibling();
    const first = await watch(server, person.cookie);
    await anItem(person);
    const [created] = await first.received(1);
    first.close();
    const rename = (from: string, to: string) =>
      shared.db.change((db) => queryRows(db, `alter table ${from} rename to ${to}`, []));
    await rename('changes', 'changes_away');
    try {
      const back = await watch(server, person.cookie, created?.id).catch(() => null);
      await back?.closed;
    } finally {
      await rename('changes_away', 'changes');
    }
  });

  test('one user can open at most 30 streams, also in parallel', async () => {
    const person = await signedInAs(shared);
    const server = await shared.sibling();
    const opened = await Promise.all(
      Array.from({ length: 40 }, () => watch(server, person.cookie).catch((refused: Error) => refused.message)),
    );
    const screens = opened.filter((one) => typeof one !== 'string');
    expect([screens.length, new Set(opened.filter((one) => typeof one === 'string'))]).toEqual([30, new Set(['429'])]);
    for (const screen of screens) screen.close();
  });

  test('requires a signed-in user and a valid event id', async () => {
    expect((await request(shared, 'GET', '/events')).statusCode).toBe(401);
    const unverified = await signedInAs(shared, undefined, { verified: false });
    expect((await unverified.call('GET', '/events')).statusCode).toBe(403);
    const person = await signedInAs(shared);
    expect((await person.call('GET', '/events', { headers: { 'last-event-id': 'x' } })).statusCode).toBe(400);
  });

  async function deliver(person: Person, id: string, quantity = '9'): Promise<void> {
    const answer = await person.call('PUT', `/inventory-items/${id}`, {
      body: { quantity },
      headers: { 'stock-base': '10' },
    });
    expect(answer.statusCode).toBe(200);
  }
});

onBothDatabases(
  'the change feed of a house',
  (shared) => {
    test('has nothing of another house, wherever it starts', async () => {
      const [owner, stranger] = [await signedInAs(shared), await signedInAs(shared)];
      const before = await watch(shared, owner.cookie);
      const [first, second] = [await anItem(owner), await anItem(owner)];
      const [created] = await before.received(1);
      before.close();
      const mine = await anItem(stranger);
      const stream = await watch(shared, stranger.cookie, undefined, `/events?after=${created?.id}`);
      expect(await stream.received(1)).toMatchObject([{ itemId: mine._id }]);
      for (const { _id } of [first, second]) expect(stream.text()).not.toContain(_id);
      stream.close();
    });

    test('sends somebody who is removed while their screen catches up nothing that happened since', async () => {
      const [owner, member] = [await signedInAs(shared), await signedInAs(shared)];
      const [{ id: houseId }] = (await owner.call('GET', '/houses')).json();
      const before = await watch(shared, owner.cookie);
      await anItem(owner);
      const [created] = await before.received(1);
      before.close();
      await shared.db.change(async (db) => {
        const { num } = await db.selectFrom('houses').select('num').where('id', '=', houseId).executeTakeFirstOrThrow();
        const { id } = member.user;
        await db.insertInto('members').values({ house: num, user_id: id, role: 'viewer', joined_at: 1 }).execute();
        await db.updateTable('users').set({ house: num }).where('id', '=', id).execute();
      });
      // It is called when the stream is open, and before it reads what it missed.
      const stillHeld = feed.stillHeld;
      let secret = '';
      const spy = vi.spyOn(feed, 'stillHeld').mockImplementation(async (...given) => {
        spy.mockRestore();
        await owner.call('DELETE', `/houses/${houseId}/members/${member.user.id}`);
        secret = (await anItem(owner))._id;
        return stillHeld(...given);
      });
      const stream = await watch(shared, member.cookie, created?.id);
      await stream.closed;
      expect(stream.text()).not.toContain(secret);
      expect(secret).not.toBe('');
    });
  },
  { access: 'houses' },
);
