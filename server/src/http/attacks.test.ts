import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { endpoints } from '@perfume/contract/endpoints';
import { openApi } from '@perfume/contract/openapi';
import { describe, expect, test } from 'vitest';
import { isLongForm } from '../../testing/form.ts';
import { aNewItem, anItem, itemNow, onBothDatabases, signedInAs } from '../testing.ts';

onBothDatabases('an attacker', (shared) => {
  describe('who sends unexpected fields', () => {
    const planted = {
      _id: randomUUID(),
      id: randomUUID(),
      version: 99,
      createdAt: '2001-01-01T00:00:00Z',
      created_by: 'me',
      by: { id: 'x', name: 'Somebody else' },
      actorId: randomUUID(),
      emailVerified: true,
      role: 'admin',
      constructor: { prototype: { admin: true } },
    };

    test('gets each extra field refused by name on every route with a body, and the item stays unchanged', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      const passkey = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} };
      const bodies: Record<string, object> = {
        '/login': { email: person.user.email },
        '/new-inventory-item': aNewItem(),
        '/inventory-items/:id': { quantity: '1' },
        '/inventory-items/:id/edit': { changes: { name: 'Other' } },
        '/inventory-items/:id/movements': { kind: 'deliver', units: 1 },
        '/bulk': { batch: randomUUID(), action: 'delete', ids: [item._id] },
        '/alerts/seen': { upTo: '0-0' },
        '/settings': { reorderPoint: 3 },
        '/api-keys': { name: 'Scanner', scope: 'read' },
        '/api/auth/sign-up/email': { name: 'A', email: `${randomUUID()}@x.example`, password: 'quiet otter lamp 7' },
        '/api/auth/sign-in/email': { email: 'a@x.example', password: 'quiet otter lamp 7' },
        '/api/auth/sign-in/social': { provider: 'github' },
        '/api/auth/send-verification-email': {},
        '/api/auth/request-password-reset': { email: 'a@x.example' },
        '/api/auth/reset-password': { token: 'x', newPassword: 'quiet otter lamp 7' },
        '/api/auth/change-password': { currentPassword: 'x', newPassword: 'quiet otter lamp 7' },
        '/api/auth/update-user': { name: 'A' },
        '/api/auth/revoke-session': { token: 'x' },
        '/api/auth/verify-email': { token: 'x' },
        '/api/auth/prove': { password: 'x' },
        '/api/auth/two-factor/enable': {},
        '/api/auth/two-factor/confirm': { code: 'x' },
        '/api/auth/two-factor/disable': {},
        '/api/auth/two-factor/generate-backup-codes': {},
        '/api/auth/two-factor/verify-totp': { code: 'x' },
        '/api/auth/two-factor/verify-backup-code': { code: 'x' },
        '/api/auth/passkey/verify-registration': { response: passkey, name: 'Phone' },
        '/api/auth/passkey/update-passkey': { id: 'x', name: 'Phone' },
        '/api/auth/passkey/delete-passkey': { id: 'x' },
        '/api/auth/unlink-account': { providerId: 'github' },
        '/api/auth/passkey/verify-authentication': { response: passkey },
        '/api/auth/delete-user': {},
        '/houses': { name: 'Atelier' },
        '/houses/:id': { name: 'Atelier' },
        '/houses/:id/members/:userId': { role: 'viewer' },
        '/houses/:id/invitations': { email: 'a@x.example', role: 'viewer' },
        '/invitations/read': { token: 'x' },
        '/invitations/accept': { token: 'x' },
        '/operator/people/:id/disable': { disabled: true },
        '/operator/houses/:id/owner': { userId: 'x' },
        '/imports/:id': { mapping: ['name'], mode: 'add' },
        '/views': { name: 'Low stock', page: 'manageInventory', query: 'stock=low' },
        '/webhooks': { url: 'https://hooks.example/', events: ['stock.changed'] },
        '/webhooks/:id': { active: false },
        '/views/:id': { name: 'Low stock' },
        '/counts': { name: 'Cellar' },
        '/counts/:id': { name: 'Cellar' },
        '/counts/:id/entries': { ids: [item._id], add: 1 },
        '/counts/:id/lines': { ids: [item._id] },
        '/counts/:id/post': { batch: randomUUID() },
      };
      for (const { method, path } of endpoints.filter(({ body }) => body)) {
        const body = bodies[path];
        expect(body, `a body for ${path}`).toBeDefined();
        for (const [name, value] of Object.entries(planted)) {
          if (Object.hasOwn(body ?? {}, name)) continue;
          const url = path.replace(':id', item._id);
          const answer = await person.call(method, url, { body: { ...body, [name]: value } });
          expect([path, name, answer.statusCode, answer.json().fields]).toEqual([
            path,
            name,
            422,
            { [name]: 'Unknown field' },
          ]);
        }
      }
      expect(await itemNow(person, item._id)).toEqual(item);
    });

    test('gets it refused inside an edit too', async () => {
      const person = await signedInAs(shared);
      const item = await anItem(person);
      for (const [name, value] of Object.entries({ ...planted, quantity: '7' })) {
        const body = { changes: { name: 'Other', [name]: value } };
        expect((await person.call('POST', `/inventory-items/${item._id}/edit`, { body })).statusCode).toBe(422);
      }
      expect(await itemNow(person, item._id)).toEqual(item);
    });
  });

  test('who sends SQL in any parameter of any route gets no error and no other row', async () => {
    const person = await signedInAs(shared);
    const item = await anItem(person);
    const sql = [
      "' or '1'='1",
      "'; drop table items; --",
      '1) or 1=1 --',
      '" or ""="',
      "\\' or 1=1 #",
      "' union select password from accounts --",
      '%',
      '_',
      "x'||(select 1)||'",
      '$1',
      ':id',
      '?',
    ];
    const { paths } = openApi(endpoints, '0');
    for (const { method, path, who } of endpoints) {
      if (who === 'bearer' || path.startsWith('/api/auth') || path === '/events') continue;
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as {
        parameters: { in: string; name: string }[];
      };
      for (const text of sql) {
        const id = encodeURIComponent(text);
        const url = path.replace(':id', id);
        const named = operation.parameters.filter((parameter) => parameter.in === 'query');
        const urls = [url, ...named.map(({ name }) => `${url}?${name}=${id}`)];
        for (const one of urls) {
          const answer = await person.call(method, one, method === 'GET' ? {} : { body: { quantity: text } });
          expect([one, answer.statusCode < 500]).toEqual([one, true]);
          if (one.includes('_id=')) expect(answer.json()).toEqual([]);
        }
      }
    }
    expect(await itemNow(person, item._id)).toEqual(item);
  });

  test('who gives a URL as a picture cannot make the server connect to it: it connects only to the database', async () => {
    const called: Socket[] = [];
    const trap = createServer((socket) => called.push(socket));
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const { port } = trap.address() as { port: number };
    const databasePort = shared.database === 'PostgreSQL' ? Number(new URL(shared.config.databaseUrl).port) : null;
    const opened: (number | undefined)[] = [];
    const note = (message: unknown) => {
      const { socket } = message as { socket: Socket };
      socket.once('connect', () => opened.push(socket.remotePort));
    };
    diagnostics.subscribe('net.client.socket', note);
    try {
      const person = await signedInAs(shared);
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '169.254.169.254']) {
        const item = await anItem(person, { img: `http://${host}/latest/meta-data` });
        const changes = { img: `http://${host}/other` };
        await person.call('POST', `/inventory-items/${item._id}/edit`, { body: { changes } });
        for (const url of ['/', '/inventory-items', `/manage-inventory?_id=${item._id}`, '/insights/sellers'])
          await person.call('GET', url, { headers: { accept: 'text/html' } });
      }
    } finally {
      diagnostics.unsubscribe('net.client.socket', note);
      trap.close();
    }
    expect(called).toEqual([]);
    expect(opened.filter((remote) => remote !== databasePort)).toEqual([]);
  });

  test('who asks for everything gets the first page and a link to the next', async () => {
    // The limits are in the code of the routes: one database is enough.
    if (shared.database === 'PostgreSQL' && !isLongForm) return;
    const person = await signedInAs(shared);
    const many = 1_010;
    for (let at = 0; at < many; at += 101)
      await Promise.all(Array.from({ length: 101 }, () => anItem(person, { name: 'Many', email: person.user.email })));
    const { accessToken } = (await person.call('POST', '/login', { body: { email: person.user.email } })).json();
    const authorization = { authorization: `Bearer ${accessToken}` };
    for (const [url, most] of [
      ['/inventory-items', 50],
      ['/all-inventory-items', 1_000],
      [`/my-items?email=${person.user.email}`, 1_000],
      ['/all-inventory-items?limit=200', 200],
    ] as const) {
      const answer = await person.call('GET', url, { headers: authorization });
      expect([url, answer.json().length, answer.headers.link]).toEqual([
        url,
        most,
        expect.stringContaining('rel="next"'),
      ]);
    }
    for (const url of ['/history', '/alerts', '/insights/sellers', '/insights/suppliers', '/insights/dead-stock']) {
      const body = (await person.call('GET', url)).json();
      expect([url, (Array.isArray(body) ? body : (body.items ?? body.suppliers)).length <= 500]).toEqual([url, true]);
    }
  });

  test('who sends ten megabytes, or 200,000 nested levels, is stopped at 64 KiB', async () => {
    const person = await signedInAs(shared);
    for (const body of [' '.repeat(10_000_000), `${'['.repeat(200_000)}${']'.repeat(200_000)}`]) {
      const answer = await person.call('POST', '/new-inventory-item', { body });
      expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large']);
    }
  });

  test('who is slow runs into a timeout: every wait of the server is limited', () => {
    const { server } = shared.app;
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect([server.requestTimeout > 0, server.requestTimeout <= 30_000]).toEqual([true, true]);
    expect([server.timeout > 0, server.timeout <= 60_000]).toEqual([true, true]);
    expect([server.maxConnections > 0, server.maxConnections <= 10_000]).toEqual([true, true]);
  });
});
