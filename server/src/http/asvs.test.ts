import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { endpoints } from '@perfume/contract/endpoints';
import type { WireHouse } from '@perfume/contract/houses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aNewItem, anItem, deliver, move, request, signedInAs, type TestApp, testApp } from '../testing.ts';
import { MASS_READ } from './mass-reads.ts';

/** This file tests the claims of docs/security.md that no other test covers, on a server configured for production. */
const publicUrl = 'https://stock.example.com';
const partner = 'https://partner.example';
/** Headers that any script can read without CORS permission. */
const safelisted = ['cache-control', 'content-length', 'content-type'];
/** Headers for the browser or about the connection, which scripts need not read. */
const forBrowsers =
  /^(?:access-control-.*|connection|content-security-policy|cross-origin-.*|date|referrer-policy|strict-transport-security|vary|x-content-type-options)$/;
let shared: TestApp;

beforeAll(async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'mail@house.example' };
  shared = await testApp('SQLite', { publicUrl, demo: false, mail, corsOrigins: [partner], logLevel: 'info' });
  await shared.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => shared.close());

describe('every response in production', () => {
  test.each(['/inventory-items', '/nothing-here', '/docs', '/healthz'])(
    'to %s requires https for two years',
    async (url) => {
      const { headers } = await request(shared, 'GET', url);
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains; preload');
    },
  );

  test('has a content type, and text has a character set', async () => {
    const paths = shared.routes
      .filter(({ method, url }) => [method].flat().includes('GET') && !url.includes(':') && url !== '/events')
      .map(({ url }) => url.replace('*', ''));
    expect(paths.length).toBeGreaterThan(15);
    for (const url of paths) {
      const { headers, body } = await request(shared, 'GET', url);
      const type = String(headers['content-type'] ?? '');
      expect([url, body === '' || /^[a-z]+\/[a-z.+-]+/.test(type)]).toEqual([url, true]);
      if (/^text\/|xml/.test(type)) expect([url, type]).toEqual([url, expect.stringContaining('charset=utf-8')]);
    }
  });

  test('allows only the configured origin to read across origins', async () => {
    const allowedOrigin = async (origin: string) =>
      (await request(shared, 'GET', '/inventory-items', { headers: { origin } })).headers[
        'access-control-allow-origin'
      ];
    expect(await allowedOrigin(partner)).toBe(partner);
    for (const origin of ['https://evil.example', 'null', `${partner}.evil.example`, 'http://partner.example'])
      expect([origin, await allowedOrigin(origin)]).toEqual([origin, undefined]);
  });

  test('exposes every response header to a front end on the configured origin', async () => {
    const person = await signedInAs(shared);
    const headers = { origin: partner };
    const made = await person.call('POST', '/new-inventory-item', { body: aNewItem(), headers });
    await anItem(person);
    const { _id: id } = made.json();
    const answers = [made];
    for (const url of [
      '/all-inventory-items?limit=1',
      `/manage-inventory?_id=${id}`,
      `/inventory-items/${id}/movements?limit=1`,
      '/history?limit=1',
      '/as-of?at=2030-01-01T00:00:00Z&limit=1',
      '/alerts?limit=1',
      '/insights/figures',
    ])
      answers.push(await person.call('GET', url, { headers }));
    answers.push(await person.call('PUT', `/inventory-items/${id}`, { body: { quantity: '1' }, headers }));
    for (const { statusCode, headers, raw } of answers) {
      expect([raw.req.url, statusCode < 300]).toEqual([raw.req.url, true]);
      const readable = new Set([...safelisted, ...String(headers['access-control-expose-headers']).split(', ')]);
      const hidden = Object.keys(headers).filter((name) => !readable.has(name) && !forBrowsers.test(name));
      expect([raw.req.url, hidden]).toEqual([raw.req.url, []]);
    }
    const exposed = String(answers[0]?.headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['x-unseen-count', 'x-alerts-up-to', 'x-alerts-about']));
  });

  test('sets only secure cookies of this host', async () => {
    const answer = await request(shared, 'POST', '/api/auth/sign-up/email', {
      body: { name: 'Ann', email: 'ann@house.example', password: 'velvet anchor 93 tulip' },
      headers: { origin: publicUrl },
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-[^;]+;.*Path=\/; HttpOnly; Secure; SameSite=Lax/);
  });
});

describe('nobody gets', () => {
  test.each(['/.git/config', '/.env', '/package.json', '/server/src/app.ts', '/data/secret', '/uploads/', '/assets/'])(
    'the file or folder %s',
    async (url) => {
      expect((await request(shared, 'GET', url)).statusCode).toBe(404);
    },
  );

  test('their own request back, as TRACE would do', async () => {
    const answer = await raw(
      'TRACE /inventory-items HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: canary=1\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).not.toContain('canary');
  });

  test('the demo, the outbox or a login without a password', async () => {
    const routes = shared.routes.map(({ url }) => url).filter((url) => url.startsWith('/demo'));
    expect(routes).toEqual([]);
    expect(
      await shared.db.query.selectFrom('users').selectAll().where('email_key', 'like', 'demo@%').execute(),
    ).toEqual([]);
  });
});

const second = 'GET /inventory-items HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('answers a second request after one with a clear end', async () => {
  const answer = await raw(`POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}${second}`);
  expect(answer).toMatch(/HTTP\/1\.1 200/);
});

test.each([
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 7'],
  ['a length beside chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
  ['an unknown encoding', 'Transfer-Encoding: xchunked'],
  ['an encoding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
])('refuses a request with an ambiguous end and closes the connection: %s', async (_, headers) => {
  const answer = await raw(`POST /login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n{}${second}`);
  expect(answer).toMatch(/"code":"malformed"[^\n]*ended by the server$/);
  expect(answer).not.toMatch(/HTTP\/1\.1 [23]\d\d/);
});

describe('the log', () => {
  test('records who made a change, from where, when and with what result', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    await person.call('DELETE', `/inventory-items/${item._id}`);
    const line = lines().at(-1);
    expect(line).toMatchObject({
      req: { method: 'DELETE', route: '/inventory-items/:id' },
      status: 200,
      user: person.user.id,
      from: '127.0.0.1',
      time: expect.any(Number),
      reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test.each([
    [
      'a failed login',
      '/api/auth/sign-in/email',
      { email: 'x@y.example', password: 'guessed' },
      'invalid_email_or_password',
    ],
    ['a change without a login', '/new-inventory-item', aNewItem(), 'not_signed_in'],
    ['a body that is not JSON', '/login', '{', 'malformed'],
  ])('records %s with the reason', async (_, url, body, code) => {
    await request(shared, 'POST', url, { body, headers: { origin: publicUrl } });
    expect(lines().at(-1)).toMatchObject({ req: { route: url }, code });
  });

  test('records which account a failed login was for, without its address', async () => {
    const accountOf = async (email: string) => {
      const body = { email, password: 'guessed' };
      await request(shared, 'POST', '/api/auth/sign-in/email', { body, headers: { origin: publicUrl } });
      return lines().at(-1).account;
    };
    const account = await accountOf('mia@attacked.example');
    expect(account).toMatch(/^[\w-]{22}$/);
    expect(await accountOf('Mia@Attacked.example')).toBe(account);
    expect(await accountOf('leo@attacked.example')).not.toBe(account);
    expect(shared.log.join('')).not.toMatch(/attacked/i);
  });

  test('records a refused read but not a successful one', async () => {
    await request(shared, 'GET', '/all-inventory-items');
    expect(lines().at(-1)).toMatchObject({ status: 401, code: 'not_signed_in' });
    const before = lines().length;
    await request(shared, 'GET', '/inventory-items');
    expect(lines()).toHaveLength(before);
  });

  test('records who reads a whole list or exports it, how many rows, and from where', async () => {
    const person = await signedInAs(shared);
    await shared.db.change(async (db) => {
      await db.updateTable('users').set({ operator: 0 }).execute();
      await db.updateTable('users').set({ operator: 1 }).where('id', '=', person.user.id).execute();
    });
    const [house] = (await person.call('GET', '/houses')).json<WireHouse[]>();
    await person.call('PUT', '/settings', { body: { reorderPoint: 11 } });
    const items = await Promise.all(Array.from({ length: 40 }, () => anItem(person, { email: person.user.email })));
    const id = items[0]?._id ?? '';
    for (let n = 0; n < 40; n++) await deliver(person, id);
    await Promise.all(items.slice(1).map(({ _id }) => move(person, _id, 'deliver', 42)));
    const { accessToken } = (await person.call('POST', '/login', { body: { email: person.user.email } })).json();
    for (let n = 0; n < 9; n++) await person.call('POST', '/counts', { body: { name: `Shelf ${n}` } });
    const count = (await person.call('POST', '/counts', { body: { name: 'Everything' } })).json();
    const hook = { url: 'https://hooks.example/in', events: ['stock.changed'] };
    const webhook = (await person.call('POST', '/webhooks', { body: hook })).json();
    for (let n = 0; n < 30; n++) await person.call('POST', `/webhooks/${webhook.id}/test`);
    const urls: Record<string, string> = {
      '/all-inventory-items': '/all-inventory-items?limit=40',
      '/my-items': `/my-items?limit=40&email=${person.user.email}`,
      '/inventory-items/:id/movements': `/inventory-items/${id}/movements?limit=40`,
      '/history': '/history?limit=40',
      '/as-of': '/as-of?limit=40&at=2030-01-01T00:00:00Z',
      '/alerts': '/alerts?limit=40',
      '/counts': '/counts?limit=40',
      '/webhooks/:id/deliveries': `/webhooks/${webhook.id}/deliveries?limit=40`,
      '/counts/:id/lines': `/counts/${count.id}/lines?show=uncounted&limit=40`,
      // The other insights count their rows in the same function.
      '/insights/series': '/insights/series',
      '/manage-inventory': `/manage-inventory?_id=${id}`,
      '/houses/:id/events': `/houses/${house?.id}/events`,
      '/operator/houses': '/operator/houses',
      '/operator/people': '/operator/people',
      '/exports/items': '/exports/items?format=jsonl',
      '/exports/history': '/exports/history?format=jsonl',
    };
    for (const { path, who, query, tag } of endpoints)
      if (query && 'limit' in query.shape && who !== 'anyone' && tag !== 'Insights')
        expect(urls).toHaveProperty([path]);
    const headers = { authorization: `Bearer ${accessToken}` };
    for (const [route, url] of Object.entries(urls)) {
      const logged = () => shared.log.filter((line) => line.includes('many rows read')).map((line) => JSON.parse(line));
      const before = logged().length;
      let rows = 0;
      while (rows < MASS_READ.rows) {
        expect([route, logged().length]).toEqual([route, before]);
        const answer = await person.call('GET', url, { headers });
        const body = route.startsWith('/exports/') ? answer.body.trimEnd().split('\n') : answer.json();
        rows += (body.points ?? body).length;
      }
      expect(logged().slice(before)).toEqual([
        expect.objectContaining({ req: { method: 'GET', route }, user: person.user.id, rows, from: '127.0.0.1' }),
      ]);
    }
  });

  test('records what a client did that hung up before the answer, and counts the rows it read', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    const hungUp = () => shared.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'client hung up');
    const counted = async () => {
      const metrics = await request(shared, 'GET', '/metrics');
      return Number(/^http_request_duration_seconds_count\{method="DELETE".*\} (\d+)$/m.exec(metrics.body)?.[1]);
    };
    const before = await counted();
    await hangUp(`DELETE /inventory-items/${item._id} HTTP/1.1`, person.cookie);
    await expect.poll(hungUp).toEqual([expect.objectContaining({ status: 200, user: person.user.id })]);
    expect(await counted()).toBe(before + 1);

    const rowsRead = () =>
      shared.log.filter((line) => line.includes('many rows read') && line.includes(person.user.id));
    const { length } = (await person.call('GET', '/history?limit=100')).json();
    for (let rows = length; rows < MASS_READ.rows; rows += length)
      await hangUp('GET /history?limit=100 HTTP/1.1', person.cookie);
    await expect.poll(rowsRead).toHaveLength(1);
    expect(hungUp()).toHaveLength(1);
  });

  test('records a change from another site with the reason', async () => {
    await request(shared, 'POST', '/login', { body: {}, headers: { origin: 'https://evil.example' } });
    expect(lines().at(-1)).toMatchObject({ status: 403, code: 'cross_site' });
  });

  test('is one line of JSON per request, whatever the URL contains', async () => {
    await request(shared, 'GET', '/x%0a%7b%22level%22%3a30%7d?a=%0d%0aforged');
    for (const line of shared.log) expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(shared.log.join('')).not.toContain('forged');
  });

  function lines() {
    return shared.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  }
});

/** Sends a request whose connection breaks as soon as the server has read it. */
async function hangUp(line: string, cookie: string): Promise<void> {
  const { port } = shared.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  shared.app.server.once('request', ({ socket }) => socket.destroy());
  socket.write(`${line}\r\nHost: x\r\nOrigin: ${publicUrl}\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'close');
}

async function raw(text: string): Promise<string> {
  const { port } = shared.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => {});
  socket.write(text);
  let by = 'the server';
  socket.setTimeout(2_000, () => {
    by = 'us';
    socket.destroy();
  });
  await once(socket, 'close');
  return `${answer} ended by ${by}`;
}
