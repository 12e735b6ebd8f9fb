import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aNewItem, anItem, request, signedInAs, type TestApp, testApp } from '../testing.ts';

/** What docs/security.md claims and no other test shows. In production, as people reach it. */
const publicUrl = 'https://stock.example.com';
const partner = 'https://partner.example';
/** Read by any script without leave. */
const safelisted = ['cache-control', 'content-length', 'content-type'];
/** Orders to the browser, or about the connection. */
const forBrowsers =
  /^(?:access-control-.*|connection|content-security-policy|cross-origin-.*|date|referrer-policy|strict-transport-security|vary|x-content-type-options)$/;
let shared: TestApp;

beforeAll(async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'post@house.example' };
  shared = await testApp('SQLite', { publicUrl, demo: false, mail, corsOrigins: [partner], logLevel: 'info' });
  await shared.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => shared.close());

describe('every answer in production', () => {
  test.each(['/inventory-items', '/nothing-here', '/docs', '/healthz'])(
    'to %s asks for https for two years',
    async (url) => {
      const { headers } = await request(shared, 'GET', url);
      expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains; preload');
    },
  );

  test('says what it is, and text says its character set', async () => {
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

  test('to another origin carries a leave only for the listed one', async () => {
    const asked = async (origin: string) =>
      (await request(shared, 'GET', '/inventory-items', { headers: { origin } })).headers[
        'access-control-allow-origin'
      ];
    expect(await asked(partner)).toBe(partner);
    for (const origin of ['https://evil.example', 'null', `${partner}.evil.example`, 'http://partner.example'])
      expect([origin, await asked(origin)]).toEqual([origin, undefined]);
  });

  test('tells a front end on the listed origin every header the answer has for it', async () => {
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

  test('sets no cookie but secure ones of this host', async () => {
    const answer = await request(shared, 'POST', '/api/auth/sign-up/email', {
      body: { name: 'Ann', email: 'ann@house.example', password: 'velvet anchor 93 tulip' },
      headers: { origin: publicUrl },
    });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Host-[^;]+;.*Path=\/; HttpOnly; Secure; SameSite=Lax/);
  });
});

describe('nobody is given', () => {
  test.each(['/.git/config', '/.env', '/package.json', '/server/src/app.ts', '/data/secret', '/uploads/', '/assets/'])(
    'the file or folder %s',
    async (url) => {
      expect((await request(shared, 'GET', url)).statusCode).toBe(404);
    },
  );

  test('their own request back, as TRACE would', async () => {
    const answer = await raw('TRACE /inventory-items HTTP/1.1\r\nHost: x\r\nCookie: canary=1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).not.toContain('canary');
  });

  test('the demo, the outbox or a sign-in without a password', async () => {
    const routes = shared.routes.map(({ url }) => url).filter((url) => url.startsWith('/demo'));
    expect(routes).toEqual([]);
    expect(
      await shared.db.query.selectFrom('users').selectAll().where('email_key', 'like', 'demo@%').execute(),
    ).toEqual([]);
  });
});

const second = 'GET /inventory-items HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('a second request behind one whose end is clear is answered', async () => {
  const answer = await raw(`POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}${second}`);
  expect(answer).toMatch(/HTTP\/1\.1 200/);
});

test.each([
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 7'],
  ['a length beside chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
  ['an encoding nobody knows', 'Transfer-Encoding: xchunked'],
  ['an encoding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
])('a request whose end is unclear is refused, and the connection with it: %s', async (_, headers) => {
  const answer = await raw(`POST /login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n{}${second}`);
  expect(answer).toMatch(/"code":"malformed"[^\n]*ended by the server$/);
  expect(answer).not.toMatch(/HTTP\/1\.1 [23]\d\d/);
});

describe('the log', () => {
  test('says of a change who made it, from where, when and what came of it', async () => {
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
      'a sign-in that failed',
      '/api/auth/sign-in/email',
      { email: 'x@y.example', password: 'guessed' },
      'invalid_email_or_password',
    ],
    ['a change by nobody', '/new-inventory-item', aNewItem(), 'not_signed_in'],
    ['what is no JSON', '/login', '{', 'malformed'],
  ])('has %s with its reason', async (_, url, body, code) => {
    await request(shared, 'POST', url, { body, headers: { origin: publicUrl } });
    expect(lines().at(-1)).toMatchObject({ req: { route: url }, code });
  });

  test('has a read that was refused, and none that was answered', async () => {
    await request(shared, 'GET', '/all-inventory-items');
    expect(lines().at(-1)).toMatchObject({ status: 401, code: 'not_signed_in' });
    const before = lines().length;
    await request(shared, 'GET', '/inventory-items');
    expect(lines()).toHaveLength(before);
  });

  test('has a change from another site with its reason', async () => {
    await request(shared, 'POST', '/login', { body: {}, headers: { origin: 'https://evil.example' } });
    expect(lines().at(-1)).toMatchObject({ status: 403, code: 'cross_site' });
  });

  test('is a line of JSON each, whatever somebody puts into an address', async () => {
    await request(shared, 'GET', '/x%0a%7b%22level%22%3a30%7d?a=%0d%0aforged');
    for (const line of shared.log) expect(line.trimEnd().split('\n')).toHaveLength(1);
    expect(shared.log.join('')).not.toContain('forged');
  });

  function lines() {
    return shared.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'answered');
  }
});

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
