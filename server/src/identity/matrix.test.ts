import { randomUUID } from 'node:crypto';
import type { Endpoint, KeyScope } from '@perfume/contract/endpoint';
import type { RouteOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { anAddress, anEmail, openBrowser } from '../../testing/browser.ts';
import { onAnyDatabase, signedInAs, type TestApp, testConfig } from '../testing.ts';
import { signInCookies } from './cookie.ts';
import { findUserByEmail, signInId } from './identity.store.ts';

/** Routes outside the contract, and why they need no login. A new one must be listed here. */
const openToAnyone = new Map([
  ['/*', 'the site itself'],
  ['/sitemap.xml', 'the site itself'],
  ['/robots.txt', 'the site itself'],
  ['/uploads/:name', 'a picture, as the home page shows it'],
  ['/healthz', 'for monitoring'],
  ['/readyz', 'for monitoring'],
  ['/metrics', 'loopback only; see http.test.ts'],
  ['/openapi.json', 'the API description'],
  ['/docs', 'the API description'],
  ['/demo/sign-in', 'demo: signs in'],
  ['/demo/outbox', 'demo: sent emails'],
  ['/demo/demo.css', 'demo: a style sheet'],
  ['/demo/oauth/:provider/authorize', 'demo: the stand-in for providers'],
  ['/demo/oauth/:provider/choose', 'demo: the stand-in for providers'],
  ['/demo/oauth/:provider/token', 'demo: the stand-in; asks for its own client secret'],
  ['/demo/oauth/:provider/userinfo', 'demo: the stand-in; asks for its own token'],
  ['/demo/oauth/:provider/user', 'demo: the stand-in; asks for its own token'],
  ['/demo/oauth/:provider/user/emails', 'demo: the stand-in; asks for its own token'],
]);

const OUT = 'not_signed_in';
const GATE = 'email_not_verified';
const IN = 'let in';
const NO_KEY = 'invalid_key';
const BEYOND = 'key_not_allowed';
const PROOF = 'proof_needed';
const callers = [
  'nobody',
  'unverified',
  'user A',
  'user B',
  'session without fresh proof',
  'half-way through two-step login',
  'forged',
  'expired',
  'signed-out',
] as const;
type Caller = (typeof callers)[number];

const insiders = { 'user A': IN, 'user B': IN, 'session without fresh proof': IN };

/** The refusal that each kind of caller gets with their cookie, or `IN`, for each kind of access in the contract. */
const declared: Record<Endpoint['who'], Record<Caller, string>> = {
  anyone: all(IN),
  user: { ...all(OUT), unverified: GATE, ...insiders },
  'signed-in': { ...all(OUT), unverified: IN, ...insiders },
  bearer: all('invalid_token'),
};

/**
 * The scope that a key needs for each endpoint outside /api/auth, where no key is accepted. A new endpoint must be listed
 * here: decide whether a script may call it.
 */
const scopes: Record<string, KeyScope | null> = {
  'GET /account/data': null,
  'POST /login': null,
  'POST /api-keys': null,
  'GET /api-keys': null,
  'DELETE /api-keys/:id': null,
  'GET /houses': null,
  'POST /houses': null,
  'PUT /houses/:id': null,
  'DELETE /houses/:id': null,
  'POST /houses/:id/enter': null,
  'GET /houses/:id/members': null,
  'PUT /houses/:id/members/:userId': null,
  'DELETE /houses/:id/members/:userId': null,
  'POST /houses/:id/invitations': null,
  'GET /houses/:id/invitations': null,
  'DELETE /invitations/:id': null,
  'POST /invitations/read': null,
  'POST /invitations/accept': null,
  'GET /houses/:id/events': null,
  'GET /operator/houses': null,
  'GET /operator/people': null,
  'POST /operator/people/:id/disable': null,
  'POST /operator/houses/:id/owner': null,
  'GET /inventory-items': 'read',
  'GET /published-houses/:slug': 'read',
  'GET /all-inventory-items': 'read',
  'GET /my-items': 'read',
  'GET /manage-inventory': 'read',
  'GET /codes/:code': 'read',
  'GET /inventory-items/:id/movements': 'read',
  'GET /history': 'read',
  'GET /history/people': 'read',
  'GET /history/:id/undo': 'read',
  'GET /batches/:id': 'read',
  'GET /as-of': 'read',
  'GET /as-of/figures': 'read',
  'GET /as-of/span': 'read',
  'GET /alerts': 'read',
  'GET /settings': 'read',
  'GET /insights/figures': 'read',
  'GET /insights/series': 'read',
  'GET /insights/sellers': 'read',
  'GET /insights/suppliers': 'read',
  'GET /insights/dead-stock': 'read',
  'GET /events': 'read',
  'GET /views': 'read',
  'GET /counts': 'read',
  'GET /counts/:id': 'read',
  'GET /counts/:id/lines': 'read',
  'PUT /inventory-items/:id': 'stock',
  'POST /inventory-items/:id/movements': 'stock',
  'POST /movements/:id/undo': 'stock',
  'POST /imports': 'full',
  'GET /imports': 'read',
  'GET /imports/:id': 'read',
  'PUT /imports/:id': 'full',
  'POST /imports/:id/apply': 'full',
  'POST /imports/:id/cancel': 'full',
  'GET /imports/:id/problems': 'read',
  'GET /exports/items': 'read',
  'GET /exports/history': 'read',
  'GET /exports/house': 'read',
  'GET /exports/series': 'read',
  'GET /exports/sellers': 'read',
  'GET /exports/suppliers': 'read',
  'GET /exports/dead-stock': 'read',
  'POST /counts': 'stock',
  'PUT /counts/:id': 'stock',
  'POST /counts/:id/entries': 'stock',
  'POST /count-entries/:id/undo': 'stock',
  'PUT /counts/:id/lines': 'stock',
  'POST /counts/:id/post': 'stock',
  'POST /new-inventory-item': 'full',
  'POST /uploads': 'full',
  'POST /inventory-items/:id/edit': 'full',
  'DELETE /inventory-items/:id': 'full',
  'POST /inventory-items/:id/restore': 'full',
  'POST /history/:id/undo': 'full',
  'POST /bulk': 'full',
  'POST /batches/:id/undo': 'full',
  'POST /alerts/seen': 'full',
  'PUT /settings': 'full',
  'POST /views': 'full',
  'PUT /views/:id': 'full',
  'DELETE /views/:id': 'full',
  'GET /webhooks': 'full',
  'POST /webhooks': 'full',
  'PUT /webhooks/:id': 'full',
  'DELETE /webhooks/:id': 'full',
  'POST /webhooks/:id/secret': 'full',
  'POST /webhooks/:id/test': 'full',
  'GET /webhooks/:id/deliveries': 'full',
  'POST /webhooks/:id/deliveries/:delivery/replay': 'full',
};

onAnyDatabase('the access matrix', matrix, { trustProxy: ['127.0.0.1'] });

function matrix(shared: TestApp): void {
  let base = '';
  let halfLogin: string | null = null;
  beforeAll(async () => {
    base = await shared.app.listen({ host: '127.0.0.1', port: 0 });
  });

  test('every route is an endpoint of the contract, or listed here as open', () => {
    const unknown = shared.routes.filter((route) => !endpointOf(route) && !openToAnyone.has(route.url));
    expect(unknown.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    expect(shared.routes.filter(endpointOf).length).toBeGreaterThan(20);
    for (const url of openToAnyone.keys()) expect(shared.routes.map((route) => route.url)).toContain(url);
  });

  test('an undeclared route is found', () => {
    const route = { method: 'GET', url: '/sneaked-in' } as RouteOptions;
    expect(endpointOf(route) || openToAnyone.has(route.url)).toBeFalsy();
  });

  describe.each(callers)('%s', (caller) => {
    test('is allowed exactly where the contract says', async () => {
      const wrong: unknown[] = [];
      let asked = 0;
      for (const route of shared.routes) {
        const endpoint = endpointOf(route);
        for (const method of [route.method].flat().filter((method) => method !== 'HEAD')) {
          const { cookie, email } = await credentials(caller);
          const told = await call(method, route.url, cookie ? { cookie } : {}, email);
          const unproven = endpoint?.proof && caller === 'session without fresh proof';
          const refusal = endpoint && (unproven ? PROOF : declared[endpoint.who][caller]);
          const expected = refusal ?? (told === OUT || told === GATE ? 'open' : told);
          asked++;
          if (told !== expected) wrong.push([method, route.url, { told, expected }]);
        }
      }
      expect(wrong).toEqual([]);
      expect(asked).toBeGreaterThan(35);
    });

    test('opens their own list with a valid token, and nothing else', async () => {
      const { bearer, email } = await credentials(caller);
      const lasts = caller in insiders;
      const own = await call('GET', '/my-items', { authorization: `Bearer ${bearer}` }, email);
      expect(own).toBe(lasts ? IN : caller === 'unverified' ? GATE : 'invalid_token');
      for (const route of shared.routes) {
        const who = endpointOf(route)?.who;
        if (who !== 'user' && who !== 'signed-in') continue;
        for (const method of [route.method].flat().filter((method) => method !== 'HEAD')) {
          const told = await call(method, route.url, { authorization: `Bearer ${bearer}` }, email);
          expect([method, route.url, told]).toEqual([method, route.url, OUT]);
        }
      }
    });
  });

  describe.each(['read', 'stock', 'full', 'expired', 'revoked', 'unverified', 'wrong'] as const)(
    'a key: %s',
    (kind) => {
      test('is allowed exactly where its scope says, whatever cookie comes with it', async () => {
        const { key, email, cookie } = await aKey(kind);
        const wrong: unknown[] = [];
        for (const { route, endpoint, method } of contractRoutes()) {
          // Each request comes from an address of its own, because wrong keys are limited by address.
          const headers = { authorization: `Bearer ${key}`, cookie, 'x-forwarded-for': anAddress() };
          const told = await call(method, route.url, headers, email);
          const needed = endpoint.path.startsWith('/api/auth/') ? null : scopes[`${method} ${route.url}`];
          if (needed === undefined) wrong.push([method, route.url, 'is not in the list of scopes']);
          const expected = expectedWith(kind, needed ?? null, endpoint.who);
          if (told !== expected) wrong.push([method, route.url, { told, expected }]);
        }
        expect(wrong).toEqual([]);
      });
    },
  );

  test('the list of scopes names no endpoint that does not exist', () => {
    const paths = contractRoutes().map(({ method, route }) => `${method} ${route.url}`);
    expect(Object.keys(scopes).filter((path) => !paths.includes(path))).toEqual([]);
  });

  test("nobody gets a token for, or the list of, somebody else's address", async () => {
    const people = [await signedInAs(shared), await signedInAs(shared), await signedInAs(shared)];
    for (const asker of people) {
      const login = await asker.call('POST', '/login', { body: { email: asker.user.email.toUpperCase() } });
      const headers = { authorization: `Bearer ${login.json().accessToken}` };
      for (const other of people) {
        const isOwn = other === asker;
        const token = await asker.call('POST', '/login', { body: { email: other.user.email } });
        expect([token.statusCode, token.json().code]).toEqual(isOwn ? [200, undefined] : [403, 'email_mismatch']);
        const list = await shared.app.inject({ url: `/my-items?email=${other.user.email}`, headers });
        expect(list.statusCode).toBe(isOwn ? 200 : 403);
      }
      const doubled = `/my-items?email=${asker.user.email}&email=${people[0]?.user.email}`;
      expect((await shared.app.inject({ url: doubled, headers })).statusCode).toBe(400);
    }
  });

  function contractRoutes() {
    return shared.routes.flatMap((route) => {
      const endpoint = endpointOf(route);
      const methods = [route.method].flat().filter((method) => method !== 'HEAD');
      return endpoint ? methods.map((method) => ({ route, endpoint, method })) : [];
    });
  }

  /** Creates a key, and the valid cookie of somebody else. */
  async function aKey(kind: KeyKind): Promise<{ key: string; email: string; cookie: string }> {
    const [owner, stranger] = [await signedInAs(shared), await signedInAs(shared)];
    const scope = kind === 'read' || kind === 'stock' ? kind : 'full';
    const { id, key } = (await owner.call('POST', '/api-keys', { body: { name: 'Scanner', scope } })).json();
    if (kind === 'revoked') await owner.call('DELETE', `/api-keys/${id}`);
    const change = { expired: { expires_at: Date.now() - 1 }, wrong: { key_hash: 'of another key' } }[kind as string];
    await shared.db.change(async (db) => {
      if (change) await db.updateTable('api_keys').set(change).where('id', '=', id).execute();
      if (kind === 'unverified')
        await db.updateTable('users').set({ email_verified: 0 }).where('id', '=', owner.user.id).execute();
    });
    return { key, email: owner.user.email, cookie: stranger.cookie };
  }

  /** Creates a cookie and an access token for `caller`: valid ones, ones that are no longer valid, or forged ones. */
  async function credentials(caller: Caller): Promise<{ cookie: string; bearer: string; email: string }> {
    const person = await signedInAs(shared, undefined, { verified: true });
    const { email } = person.user;
    const { accessToken } = (await person.call('POST', '/login', { body: { email } })).json();
    const good = { cookie: person.cookie, bearer: accessToken, email };
    const id = signInId(signInCookies(shared.config).tokenOf(person.cookie) ?? '');
    switch (caller) {
      case 'nobody':
        return { cookie: '', bearer: '', email };
      case 'unverified':
        await shared.db.change((db) =>
          db.updateTable('users').set({ email_verified: 0 }).where('id', '=', person.user.id).execute(),
        );
        return good;
      case 'forged': {
        const token = signInCookies(shared.config).tokenOf(person.cookie) ?? '';
        const other = signInCookies({ ...testConfig('', ''), secret: 'some other secret, just as long as ours' });
        return { cookie: other.signed(token), bearer: `${accessToken.slice(0, -4)}AAAA`, email };
      }
      case 'expired':
        await shared.db.change((db) =>
          db
            .updateTable('sign_ins')
            .set({ expires_at: Date.now() - 1 })
            .where('token_hash', '=', id)
            .execute(),
        );
        return good;
      case 'session without fresh proof':
        await shared.db.change((db) =>
          db
            .updateTable('sign_ins')
            .set({ proven_at: Date.now() - 10 * 60 * 1_000 })
            .where('token_hash', '=', id)
            .execute(),
        );
        return good;
      case 'half-way through two-step login':
        halfLogin ??= await startHalfLogin(shared);
        return { cookie: halfLogin, bearer: '', email };
      case 'signed-out':
        await person.call('POST', '/api/auth/sign-out');
        return good;
      default:
        return good;
    }
  }

  /** Returns the code of a refusal that is due to who is calling, or `IN` if the caller was allowed. */
  async function call(method: string, path: string, headers: Record<string, string>, email: string): Promise<string> {
    const url = `${base}${path
      .replace('*', 'nothing-here')
      .replace(/:provider/, 'github')
      .replace(/:\w+/, randomUUID())}`;
    const hasBody = method === 'POST' || method === 'PUT';
    const stop = new AbortController();
    const answer = await fetch(path === '/my-items' ? `${url}?email=${email}` : url, {
      method,
      redirect: 'manual',
      signal: stop.signal,
      headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: JSON.stringify(path === '/login' ? { email } : {}) }),
    });
    if (!answer.headers.get('content-type')?.includes('problem+json')) {
      stop.abort();
      return IN;
    }
    const { code } = (await answer.json()) as { code: string };
    return [OUT, GATE, PROOF, NO_KEY, BEYOND, 'invalid_token', 'email_mismatch', 'cross_site'].includes(code)
      ? code
      : IN;
  }
}

/** Logs in with the password of a user with two-step login. Returns the cookies. */
async function startHalfLogin(shared: TestApp): Promise<string> {
  const email = anEmail();
  await openBrowser(shared).signUp({ email });
  const user = await findUserByEmail(shared.db, email);
  await shared.db.change((db) =>
    db
      .insertInto('two_step')
      .values({ user_id: user?.id ?? '', secret: '', confirmed_at: 1, last_step: 0 })
      .execute(),
  );
  const browser = openBrowser(shared);
  await browser.signIn(email);
  expect([...browser.jar.keys()]).toEqual(['perfume.two-step']);
  return [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

function endpointOf(route: RouteOptions): Endpoint | undefined {
  return route.config?.endpoint;
}

type KeyKind = KeyScope | 'expired' | 'revoked' | 'unverified' | 'wrong';

function expectedWith(kind: KeyKind, needed: KeyScope | null, who: Endpoint['who']): string {
  if (kind === 'expired' || kind === 'revoked' || kind === 'wrong') return NO_KEY;
  const allowed = { read: ['read'], stock: ['read', 'stock'], full: ['read', 'stock', 'full'] };
  const scope = kind === 'unverified' ? 'full' : kind;
  if (needed === null || !allowed[scope].includes(needed)) return BEYOND;
  return kind === 'unverified' && who !== 'anyone' ? GATE : IN;
}

function all(told: string): Record<Caller, string> {
  return Object.fromEntries(callers.map((caller) => [caller, told])) as Record<Caller, string>;
}
