import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { listHistory } from '@perfume/contract/history';
import { listHouseEvents } from '@perfume/contract/houses';
import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anItem, deliver, onBothDatabases, type Person, request, signedInAs } from '../testing.ts';
import { LIMITS, longQuestions, READ_LIMITS } from './long-questions.ts';

test('long questions require a login, so each has a person to count it for', () => {
  expect([...longQuestions].filter(({ who }) => who !== 'user' && who !== 'signed-in')).toEqual([]);
});

test('the history of a house is a long question, like that of its items', () => {
  expect([listHistory, listHouseEvents].filter((endpoint) => !longQuestions.has(endpoint))).toEqual([]);
});

onBothDatabases('long questions', (shared) => {
  test('beyond the limit of one person are refused at once, and delay nobody else', async () => {
    const [greedy, other] = [await signedInAs(shared), await signedInAs(shared)];
    const item = await anItem(other, { quantity: 5 });
    const database = blockedQueries();
    const allowed = LIMITS.running + LIMITS.waiting;
    const answers = Array.from({ length: allowed + 1 }, (_, n) => lookBack(greedy, n));
    // The first response is the refusal, because the database is blocked and answers no request.
    const refused = await Promise.race(answers);
    expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'too_many', '1']);
    await expect.poll(() => database.started()).toBe(LIMITS.running);
    const otherAnswer = lookBack(other, 100);
    await expect.poll(() => database.started()).toBe(LIMITS.running + 1);
    await deliver(greedy, item._id);

    database.unblock();
    expect((await otherAnswer).statusCode).toBe(200);
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([...Array(allowed).fill(200), 429]);
    expect((await lookBack(greedy, 101)).statusCode).toBe(200);
  });

  test.runIf(shared.database === 'PostgreSQL')('of one person leave a connection for others', async () => {
    const other = await signedInAs(shared);
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const lock = 'select pg_advisory_xact_lock(4711)';
    const holder = shared.db.change(async (db) => {
      await db.executeQuery(CompiledQuery.raw(lock));
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const endless = Array.from({ length: LIMITS.running }, () => shared.db.longQuery(lock, []));
    expect((await lookBack(other, 1)).statusCode).toBe(200);
    release.resolve();
    await Promise.all([holder, ...endless]);
  });

  test.runIf(shared.database === 'SQLite')('searches that compare many texts keep nobody else waiting', async () => {
    const person = await signedInAs(shared);
    const word = randomUUID();
    const texts = Array.from({ length: 300 }, () => anItem(person, { description: `On the same shelf: ${word}` }));
    const [item] = await Promise.all(texts);
    const database = blockedQueries('searchQuery');
    const find = (n: number) => request(shared, 'GET', `/inventory-items?q=${word}&skip=${n}`);
    const answers = Array.from({ length: READ_LIMITS.running + READ_LIMITS.waiting + 1 }, (_, n) => find(n));
    const refused = await Promise.race(answers);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many']);
    await expect.poll(() => database.started()).toBe(READ_LIMITS.running);
    await deliver(person, item?._id ?? '');
    database.unblock();
    expect((await answers[0])?.json().length).toBe(50);
  });

  test('lists that nobody waits for any more are not read', async () => {
    const person = await signedInAs(shared);
    await anItem(person);
    const server = await shared.sibling();
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const words = ['first', 'second', 'third'].map((word) => word + randomUUID().slice(0, 8));
    const unblock = Promise.withResolvers<void>();
    const searched: string[] = [];
    const prepare = server.db.prepareSearch;
    vi.spyOn(server.db, 'prepareSearch').mockImplementation(async () => {
      searched.push('a list');
      await unblock.promise;
      return prepare();
    });
    const ask = (q: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /all-inventory-items?q=${q} HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\n\r\n`);
      return socket;
    };
    const arrived: string[] = [];
    const gone: string[] = [];
    server.app.server.on('request', (request, answer) => {
      arrived.push(request.url ?? '');
      answer.on('close', () => gone.push(request.url ?? ''));
    });
    const sockets = words.map(ask);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await expect.poll(() => [arrived.length, searched.length]).toEqual([3, READ_LIMITS.running]);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => gone).toHaveLength(3);
    unblock.resolve();
    const answer = await fetch(`http://127.0.0.1:${port}/all-inventory-items?q=last`, {
      headers: { cookie: person.cookie },
    });
    expect([answer.status, searched.length]).toEqual([200, READ_LIMITS.running + 1]);
  });

  test('that waited are refused when the answers before them were large and nobody reads them', async () => {
    const person = await signedInAs(shared);
    const server = await shared.sibling();
    const description = '\u{5b57}'.repeat(5_000);
    await Promise.all(Array.from({ length: 200 }, () => anItem(person, { description })));
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.app.server.address() as AddressInfo;
    const answers: ServerResponse[] = [];
    server.app.server.on('request', (_request, answer) => void answers.push(answer));
    const allowed = LIMITS.running + LIMITS.waiting;
    const at = new Date().toISOString();
    const ask = `GET /as-of?at=${at}&limit=200 HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\n\r\n`;
    // The system keeps some megabytes of each connection, so there are two only.
    const sockets = [1, 2].map(() => {
      const socket = connect(port, '127.0.0.1').pause();
      socket.write(ask.repeat(allowed / 2));
      return socket;
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await expect
      .poll(() => answers.filter((answer) => answer.writableEnded), { timeout: 20_000 })
      .toHaveLength(allowed);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 429]));
    const unsent = answers.reduce((sum, answer) => sum + answer.writableLength, 0);
    // The limit is 32 MB; the answer that exceeds it was allowed, and so was the one that was read at the same time.
    expect(unsent).toBeLessThan(42_000_000);
  });

  test('also read what one person can make long: their alerts, the entries of a bulk action, a line of a count', async () => {
    const person = await signedInAs(shared);
    const { _id } = await anItem(person, { quantity: 5 });
    const batch = randomUUID();
    await person.call('POST', '/bulk', { body: { batch, action: 'deliver', ids: [_id] } });
    const count = (await person.call('POST', '/counts', { body: { name: 'Cellar', mine: true } })).json();
    const database = blockedQueries();
    const requests = [
      () => person.call('GET', '/alerts'),
      () => person.call('POST', `/batches/${batch}/undo`),
      () => person.call('GET', `/counts/${count.id}/lines?show=counted&item=${_id}`),
    ];
    const answers = [];
    for (const [started, request] of requests.entries()) {
      answers.push(request());
      await expect.poll(() => database.started()).toBe(started + 1);
    }
    await deliver(person, _id);
    database.unblock();
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  const lookBack = (person: Person, seconds: number) =>
    person.call('GET', `/as-of?at=${new Date(Date.UTC(2026, 0) + seconds * 1_000).toISOString()}`);

  function blockedQueries(sort: 'longQuery' | 'searchQuery' = 'longQuery') {
    let unblock = () => {};
    const unblocked = new Promise<void>((resolve) => {
      unblock = resolve;
    });
    const query = shared.db[sort];
    const spy = vi.spyOn(shared.db, sort).mockImplementation(async (...given) => {
      await unblocked;
      return query(...given) as never;
    });
    onTestFinished(() => spy.mockRestore());
    return { started: () => spy.mock.calls.length, unblock };
  }
});
