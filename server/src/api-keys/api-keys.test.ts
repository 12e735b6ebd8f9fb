import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { DAY_MS, dayOf, dayText } from '@perfume/domain/insights';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { anAddress, anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { emails } from '../mail/emails.ts';
import { anItem, deliver, onBothDatabases, type Person, request, signedInAs, type TestApp } from '../testing.ts';
import { apiKeyHash, isApiKey, newApiKey } from './api-key.ts';
import { createApiKey } from './api-keys.store.ts';
import { WRONG_KEYS } from './api-keys.ts';

let now = Date.now();
const clock = () => now;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function aKey(person: Person, wanted: { scope?: string; expiresOn?: string; name?: string } = {}) {
  const answer = await person.call('POST', '/api-keys', { body: { name: 'Scanner 2', scope: 'read', ...wanted } });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json<{ id: string; key: string }>();
}

const statusWith = async (server: TestApp, key: string, remoteAddress = anAddress()) => {
  const answer = await request(server, 'GET', '/all-inventory-items?limit=1', { headers: bearer(key), remoteAddress });
  return answer.statusCode === 200 ? 200 : answer.json().code;
};

describe('an API key', () => {
  test('begins with pw_, is never the same and carries a checksum, so a typing error is noticed', () => {
    const key = newApiKey();
    expect(key).toMatch(/^pw_[0-9a-z]{57}$/);
    expect(newApiKey()).not.toBe(key);
    expect(isApiKey(key)).toBe(true);
    for (let at = 3; at < key.length; at++) {
      const typo = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
      expect([typo, isApiKey(typo)]).toEqual([typo, false]);
    }
    for (const wrong of ['', 'pw_', key.slice(0, -1), `${key}a`, key.toUpperCase(), `${key}\n`])
      expect([wrong, isApiKey(wrong)]).toEqual([wrong, false]);
  });
});

onBothDatabases(
  'API keys',
  (shared) => {
    beforeAll(() => {
      now = Date.now();
    });

    test('are shown once, stored as a hash, and listed without it', async () => {
      const person = await signedInAs(shared);
      const expiresOn = dayText(dayOf(now) + 30);
      const { id, key } = await aKey(person, { scope: 'stock', expiresOn, name: ' Scanner 2 ' });
      const list = await person.call('GET', '/api-keys');
      expect(list.json()).toEqual([
        {
          id,
          name: 'Scanner 2',
          scope: 'stock',
          expiresOn,
          isExpired: false,
          createdAt: new Date(now).toISOString(),
          lastUsedAt: null,
        },
      ]);
      const [row] = await shared.db.query.selectFrom('api_keys').selectAll().where('id', '=', id).execute();
      expect(row?.key_hash).toBe(apiKeyHash(key));
      for (const text of [list.body, JSON.stringify(row)]) expect(text).not.toContain(key.slice(3));
      expect(list.body).not.toContain(row?.key_hash);
    });

    test('deliver in the name of their owner, from any origin, and set no cookie', async () => {
      const person = await signedInAs(shared);
      const stranger = await signedInAs(shared);
      const item = await anItem(person);
      const { key } = await aKey(person, { scope: 'stock' });
      // The cookie is somebody else's, and a browser would not send this origin to us.
      const headers = { ...bearer(key), cookie: stranger.cookie, origin: 'https://elsewhere.example' };
      const body = { kind: 'deliver', units: 1 };
      const answer = await request(shared, 'POST', `/inventory-items/${item._id}/movements`, { body, headers });
      expect(answer.statusCode).toBe(201);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.json().movement.by).toMatchObject({ id: person.user.id });
      const own = `/my-items?email=${person.user.email}`;
      expect((await request(shared, 'GET', own, { headers })).statusCode).toBe(200);
      expect((await request(shared, 'GET', `/my-items?email=${stranger.user.email}`, { headers })).statusCode).toBe(
        403,
      );
    });

    test('end at once on every server when revoked, and only their owner can do that', async () => {
      const [person, stranger] = [await signedInAs(shared), await signedInAs(shared)];
      const other = await shared.sibling();
      const { id, key } = await aKey(person);
      expect([await statusWith(shared, key), await statusWith(other, key)]).toEqual([200, 200]);
      for (const wrong of [id, 'x', '%00'])
        expect((await stranger.call('DELETE', `/api-keys/${wrong}`)).json().code).toBe('key_not_found');
      expect((await stranger.call('GET', '/api-keys')).json()).toEqual([]);
      expect(await statusWith(shared, key)).toBe(200);
      expect((await person.call('DELETE', `/api-keys/${id}`)).json()).toEqual({ id });
      expect([await statusWith(shared, key), await statusWith(other, key)]).toEqual(['invalid_key', 'invalid_key']);
      expect((await person.call('DELETE', `/api-keys/${id}`)).statusCode).toBe(404);
    });

    test('work through their last day in UTC and no longer, and stay in the list', async () => {
      const person = await signedInAs(shared);
      const { key } = await aKey(person, { expiresOn: dayText(dayOf(now)) });
      const before = now;
      now = (dayOf(now) + 1) * DAY_MS - 1;
      expect(await statusWith(shared, key)).toBe(200);
      now += 1;
      expect(await statusWith(shared, key)).toBe('invalid_key');
      expect((await person.call('GET', '/api-keys')).json()).toMatchObject([{ isExpired: true }]);
      now = before;
    });

    test('expire from today to five years ahead', async () => {
      const person = await signedInAs(shared);
      for (const [expiresOn, code] of [
        [dayText(dayOf(now) - 1), 'not_a_coming_day'],
        [dayText(dayOf(now) + 5 * 366 + 1), 'not_a_coming_day'],
        ['2026-02-30', 'not_a_date'],
      ]) {
        const body = { name: 'Scanner', scope: 'read', expiresOn };
        const answer = await person.call('POST', '/api-keys', { body });
        expect(answer.json()).toMatchObject({ status: 422, fieldCodes: { expiresOn: code } });
      }
      const { key } = await aKey(person, { expiresOn: dayText(dayOf(now) + 5 * 365) });
      expect(await statusWith(shared, key)).toBe(200);
    });

    test('are at most twenty per person, also when made at the same time', async () => {
      const person = await signedInAs(shared);
      const body = { name: 'Scanner', scope: 'read' };
      const made = await Promise.all(Array.from({ length: 22 }, () => person.call('POST', '/api-keys', { body })));
      expect(made.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20);
      expect(made.find(({ statusCode }) => statusCode !== 201)?.json()).toMatchObject({ code: 'too_many_keys' });
    });

    test('are not made for an account that is removed at the same moment', async () => {
      const key = {
        house: SHARED_HOUSE,
        userId: randomUUID(),
        name: 'Scanner 2',
        scope: 'read',
        expiresAt: null,
        now,
      } as const;
      expect(await createApiKey(shared.db, key)).toBe('not_signed_in');
    });

    test('survive a new password, and the email says so; they end with the account', async () => {
      const browser = openBrowser(shared);
      const email = anEmail();
      await browser.signUp({ email });
      await shared.db.change((db) =>
        db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
      );
      const { key } = (await browser.post('/api-keys', { name: 'Scanner', scope: 'read' })).json();
      const newPassword = 'tulip anchor velvet 39';
      const changed = await browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
      expect(changed.statusCode).toBe(200);
      expect(await statusWith(shared, key)).toBe(200);
      const outbox = (await browser.get('/demo/outbox', { accept: 'application/json' })).json() as {
        to: string;
        subject: string;
        text: string;
      }[];
      const sent = outbox.filter(({ to }) => to === email).map(({ subject, text }) => `${subject}\n${text}`);
      expect(sent.find((text) => text.startsWith('A new API key was made'))).toContain('“Scanner”');
      expect(sent.find((text) => text.startsWith('Your password was changed'))).toContain(
        'You can remove API keys and passkeys and unlink providers in the settings.',
      );
      expect(emails.reset(email, '').text).toContain(
        'You can remove API keys and passkeys and unlink providers in the settings.',
      );
      await shared.db.change((db) => db.deleteFrom('users').where('email', '=', email).execute());
      expect(await statusWith(shared, key)).toBe('invalid_key');
    });

    test('that are wrong are limited by IP address without a write, and keys that work are not', async () => {
      const person = await signedInAs(shared);
      const address = anAddress();
      const { key } = await aKey(person);
      expect(await statusWith(shared, key, address)).toBe(200);
      const writes = vi.spyOn(shared.db, 'change');
      expect(await statusWith(shared, `${newApiKey().slice(0, -1)}-`, address)).toBe('invalid_key');
      for (let sent = 2; sent < WRONG_KEYS.burst; sent++)
        expect(await statusWith(shared, newApiKey(), address)).toBe('invalid_key');
      const refused = await request(shared, 'GET', '/inventory-items', {
        headers: bearer(newApiKey()),
        remoteAddress: address,
      });
      expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([429, 'too_many', '5']);
      expect(await statusWith(shared, key, address)).toBe(200);
      expect(await statusWith(shared, newApiKey())).toBe('invalid_key');
      expect(writes).not.toHaveBeenCalled();
      vi.restoreAllMocks();
    });

    test('say when they were last used, and the log names the id of the key', async () => {
      const person = await signedInAs(shared);
      const { id, key } = await aKey(person, { scope: 'full' });
      const headers = bearer(key);
      const item = await anItem({
        ...person,
        call: (method, url, more) => request(shared, method, url, { ...more, headers }),
      });
      expect((await person.call('GET', '/api-keys')).json()).toMatchObject([
        { lastUsedAt: new Date(now).toISOString() },
      ]);
      await deliver(person, item._id);
      const lines = shared.log.map((line) => JSON.parse(line)).filter(({ user }) => user === person.user.id);
      const keyOf = (route: string) => lines.find(({ req }) => req?.route === route)?.key;
      expect([keyOf('/new-inventory-item'), keyOf('/inventory-items/:id/movements')]).toEqual([id, undefined]);
      expect(shared.log.join('')).not.toContain(key.slice(3));
    });

    test('open the live stream, which ends when the key is revoked', async () => {
      const person = await signedInAs(shared);
      const { id, key } = await aKey(person);
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const server = await shared.sibling();
        const base = await server.app.listen({ host: '127.0.0.1', port: 0 });
        const [stream] = (await once(get(`${base}/events`, { headers: bearer(key) }), 'response')) as [IncomingMessage];
        expect(stream.statusCode).toBe(200);
        await once(stream, 'data');
        const ended = once(stream.resume(), 'end');
        await person.call('DELETE', `/api-keys/${id}`);
        await vi.advanceTimersByTimeAsync(15_000);
        await ended;
      } finally {
        vi.useRealTimers();
      }
    });
  },
  {},
  { clock },
);
