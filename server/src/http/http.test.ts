import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { endpoints } from '@perfume/contract/endpoints';
import { describe, expect, test } from 'vitest';
import { aNewItem, anItem, itemNow, onBothDatabases, request, signedInAs } from '../testing.ts';

onBothDatabases('the wire', (shared) => {
  const add = '/new-inventory-item';

  test('serves every endpoint of the contract, and every protected one refuses requests without a login', async () => {
    // identity/matrix.test.ts covers the identity endpoints.
    for (const { method, path, who } of endpoints.filter(({ path }) => !path.startsWith('/api/auth'))) {
      const url = path.replace(':id', randomUUID());
      const answer = await request(shared, method, url, method === 'GET' ? {} : { body: {} });
      // What needs no login is a list, a house that nobody published, or a link without its token.
      const open = method === 'POST' ? 422 : path.includes(':slug') ? 404 : 200;
      const expected = who === 'anyone' ? open : 401;
      expect([method, path, answer.statusCode]).toEqual([method, path, expected]);
    }
  });

  describe('bodies', () => {
    test('must be JSON', async () => {
      const person = await signedInAs(shared);
      const text = JSON.stringify(aNewItem());
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
      ]) {
        const answer = await person.call('POST', add, { body: text, headers: { 'content-type': type } });
        expect([type, answer.statusCode, answer.json().code]).toEqual([type, 415, 'not_json']);
      }
      expect((await person.call('POST', add)).statusCode).toBe(415);
    });

    test.each([
      '{',
      '{"name":}',
      "{'a':1}",
      '{"a":1}{"b":2}',
      '\u0000',
      '{"__proto__":{"admin":true}}',
      '{"name":"\\ud8',
    ])('that cannot be parsed are refused: %s', async (body) => {
      const person = await signedInAs(shared);
      const answer = await person.call('POST', add, { body });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed']);
    });

    test('are limited to a thousand values, whatever their texts contain', async () => {
      const person = await signedInAs(shared);
      const send = async (body: string) => (await person.call('POST', add, { body })).statusCode;
      for (const body of [`[${'0,'.repeat(1_000)}0]`, `${'['.repeat(1_001)}`, `{${'"a":0,'.repeat(500)}"b":1}`])
        expect(await send(body)).toBe(413);
      const description = '[,:{ \\" \\\\ '.repeat(300);
      expect(await send(JSON.stringify(aNewItem({ description })))).toBe(201);
      expect(await send(`[${'0,'.repeat(998)}0]`)).toBe(422);
    });

    test('are limited to 64 KiB, with or without a content length', async () => {
      const person = await signedInAs(shared);
      const body = JSON.stringify(aNewItem({ description: 'x'.repeat(65 * 1024) }));
      expect((await person.call('POST', add, { body })).statusCode).toBe(413);
      const address = await listening();
      const chunked = await raw(address, (socket) => {
        socket.write(
          `POST ${add} HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        for (let i = 0; i < 80; i++) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
        socket.write('0\r\n\r\n');
      });
      expect(chunked).toMatch(/^HTTP\/1\.1 413/);
    });

    test('with extreme nesting are refused without a crash', async () => {
      const person = await signedInAs(shared);
      for (const deep of ['['.repeat(30_000) + ']'.repeat(30_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]) {
        const answer = await person.call('POST', add, { body: deep });
        expect(answer.statusCode).toBe(413);
      }
    });

    test('are not needed to delete, whatever the content type', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      const answer = await person.call('DELETE', `/inventory-items/${item._id}`, {
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.json().deletedCount).toBe(1);
    });
  });

  describe('changes from another origin', () => {
    test.each([
      [{ origin: 'https://evil.example' }],
      [{ origin: 'null' }],
      [{ origin: 'http://localhost:80.evil.example' }],
      [{ origin: 'http://evil.example', host: 'evil.example' }],
      [{ 'sec-fetch-site': 'cross-site' }],
      [{ 'sec-fetch-site': 'same-site' }],
    ])('are refused: %j', async (headers) => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      for (const [method, url] of [
        ['PUT', `/inventory-items/${item._id}`],
        ['DELETE', `/inventory-items/${item._id}`],
        ['POST', add],
      ] as const) {
        const answer = await person.call(method, url, {
          body: { quantity: '1' },
          headers: headers as unknown as Record<string, string>,
        });
        expect([method, answer.statusCode, answer.json().code]).toEqual([method, 403, 'cross_site']);
      }
      expect(await itemNow(person, item._id)).toEqual(item);
    });

    test('from our own page are accepted', async () => {
      const person = await signedInAs(shared);
      for (const headers of [
        { origin: 'http://localhost:80', host: 'localhost:80' },
        { 'sec-fetch-site': 'same-origin' },
      ]) {
        const given = headers as unknown as Record<string, string>;
        expect(
          (await person.call('POST', add, { body: aNewItem(), headers: { ...given, host: 'localhost' } })).statusCode,
        ).not.toBe(500);
      }
      const own = { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' };
      expect((await person.call('POST', add, { body: aNewItem(), headers: own })).statusCode).toBe(201);
    });
  });

  describe('every response', () => {
    test.each([
      '/inventory-items',
      '/all-inventory-items',
      '/nothing-here',
      '/openapi.json',
      '/healthz',
      '/inventory-items?limit=x',
    ])('of %s carries the security headers', async (url) => {
      const { headers } = await request(shared, 'GET', url);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('to a path that only looks like a file is a 404 that is never cached', async () => {
      const person = await signedInAs(shared);
      for (const url of [
        '/my-items/x.css',
        '/all-inventory-items/x.js',
        '/manage-inventory;x.png',
        '/..%2f..%2fetc/passwd',
        '/assets/../secret',
        '/%00',
      ]) {
        const answer = await person.call('GET', url);
        expect([url, [400, 404].includes(answer.statusCode), answer.headers['cache-control']]).toEqual([
          url,
          true,
          'no-store',
        ]);
      }
    });

    test('to an internal error reveals only the request id, and the log has the details', async () => {
      const broken = await shared.sibling();
      const person = await signedInAs(broken);
      await broken.db.close();
      const answer = await request(broken, 'GET', '/inventory-items?limit=7', { headers: { cookie: person.cookie } });
      expect(answer.statusCode).toBeGreaterThanOrEqual(500);
      expect(Object.keys(answer.json()).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type']);
      expect(answer.body).not.toMatch(/sql|select|stack|node_modules|\.ts/i);
      expect(broken.log.join('')).toContain(answer.json().requestId);
      broken.db.close = async () => {};
    });
  });

  test('logs no secrets', async () => {
    const person = await signedInAs(shared, 'canary-address@house.example');
    const { accessToken } = (await person.call('POST', '/login', { body: { email: person.user.email } })).json();
    const headers = { authorization: `Bearer ${accessToken}` };
    await request(shared, 'GET', `/my-items?email=${person.user.email}`, { headers });
    await person.call('POST', add, { body: aNewItem({ password: 'canary-password' }) });
    await person.call('GET', '/nowhere?token=canary-token');
    const log = shared.log.join('');
    expect(log).toContain('"reqId"');
    for (const secret of [accessToken, person.cookie.split('=')[1] ?? '', 'canary-']) expect(log).not.toContain(secret);
  });

  describe('health', () => {
    test('reports alive and ready', async () => {
      expect((await request(shared, 'GET', '/healthz')).json()).toEqual({ status: 'ok' });
      expect((await request(shared, 'GET', '/readyz')).json()).toEqual({ status: 'ready' });
    });

    test('is not ready when the database cannot be written', async () => {
      const away = await shared.sibling();
      await away.db.close();
      const answer = await request(away, 'GET', '/readyz');
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
      expect((await request(away, 'GET', '/healthz')).statusCode).toBe(200);
      away.db.close = async () => {};
    });

    test('shows metrics only to this machine', async () => {
      const own = await request(shared, 'GET', '/metrics');
      expect([own.statusCode, own.body]).toEqual([200, expect.stringContaining('http_request_duration_seconds_count')]);
      expect(
        (await request(shared, 'GET', '/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode,
      ).toBe(404);
      const away = await shared.app.inject({ url: '/metrics', remoteAddress: '192.0.2.7' });
      expect(away.statusCode).toBe(404);
    });
  });

  async function listening(): Promise<{ port: number }> {
    if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
    return shared.app.server.address() as { port: number };
  }
});

function raw({ port }: { port: number }, talk: (socket: ReturnType<typeof connect>) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => talk(socket));
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
      resolve(answer);
    });
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    socket.on('close', () => resolve(answer));
  });
}
