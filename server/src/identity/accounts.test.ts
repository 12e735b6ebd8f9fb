import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { anEmail, openBrowser, PASSWORD, tokenIn } from '../../testing/browser.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import type { Db } from '../db/core/database.ts';
import { onBothDatabases, signedInAs, type TestApp, testApp } from '../testing.ts';
import { cleanUpIdentity } from './identity.cleanup.ts';
import { findUserByEmail, signInId } from './identity.store.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

onBothDatabases(
  'signing in',
  (shared) => {
    const newcomer = async (email = anEmail()) => {
      const browser = openBrowser(shared);
      await browser.signUp({ email });
      return { email, browser };
    };
    const verified = async (email = anEmail()) => {
      const person = await newcomer(email);
      await person.browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
      return person;
    };
    const resetLink = async (email: string) => {
      await openBrowser(shared).post('/api/auth/request-password-reset', { email });
      return new URL((await mailbox.mailTo(email, 'Set a new password')).links[0] ?? '');
    };

    test('a new user signs up, is refused until verified, verifies and gets in', async () => {
      const email = anEmail();
      const browser = openBrowser(shared);
      const answer = await browser.signUp({ email, name: ' Ann\u0301 ', returnTo: '/dashboard/my-item?x=1#top' });
      const name = 'Ann\u0301'.normalize('NFC');
      expect(answer.json()).toMatchObject({
        user: {
          id: expect.any(String),
          email,
          name,
          displayName: name,
          image: null,
          photoURL: null,
          emailVerified: false,
        },
      });
      expect(answer.json().user.providers).toEqual(['password']);
      const stopped = await browser.get('/all-inventory-items');
      expect([stopped.statusCode, stopped.json().code]).toEqual([403, 'email_not_verified']);
      expect((await browser.post('/login', { email })).json().code).toBe('email_not_verified');

      const mail = await mailbox.mailTo(email, 'Verify');
      expect(mail.from).toContain('post@warehouse.example');
      expect(mail.html).toContain('Verify my address');
      expect(mail.links).toHaveLength(1);
      expect(mail.links[0]).toMatch(/\/verify-email#token=[\w.-]+&returnTo=%2Fdashboard%2Fmy-item%3Fx%3D1%23top$/);
      expect((await browser.verify(mail.links[0])).json()).toEqual({ status: true, resetToken: null });
      expect(await browser.may()).toBe(200);
      expect(await browser.user()).toMatchObject({ email, emailVerified: true });
      expect((await browser.post('/login', { email })).json()).toEqual({
        accessToken: expect.any(String),
        expiresAt: expect.any(String),
      });
    });

    test('the verification email is sent again on request, and never to verified users', async () => {
      const { browser, email } = await newcomer();
      await mailbox.mailTo(email, 'Verify');
      const before = mailbox.mails.length;
      expect((await browser.post('/api/auth/send-verification-email', {})).json()).toEqual({ status: true });
      await expect.poll(() => mailbox.mails.slice(before).filter((mail) => mail.to === email).length).toBe(1);
      await browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
      const again = await browser.post('/api/auth/send-verification-email', {});
      expect([again.statusCode, again.json().code]).toEqual([409, 'already_verified']);
      expect((await openBrowser(shared).post('/api/auth/send-verification-email', {})).statusCode).toBe(401);
    });

    test('verifying ends every session but the one that verified', async () => {
      const { browser, email } = await newcomer();
      const elsewhere = openBrowser(shared);
      await elsewhere.signIn(email);
      expect(await elsewhere.user()).toMatchObject({ email });
      await browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
      expect(await browser.may()).toBe(200);
      expect(await elsewhere.user()).toBeNull();
    });

    test('verified elsewhere, nothing is left of the sign-up: no session, no password, no way back', async () => {
      const { browser: stranger, email } = await newcomer();
      const phone = openBrowser(shared);
      const { links } = await mailbox.mailTo(email, 'Verify');
      // A browser with the session of another account is not the one that signed up either.
      await phone.signUp({ email: anEmail() });
      const { status, resetToken: token } = (await phone.verify(links[0])).json();
      expect([status, await stranger.user()]).toEqual([true, null]);
      expect((await stranger.signIn(email)).statusCode).toBe(401);
      expect((await stranger.verify(links[0])).json().code).toBe('invalid_link');
      const newPassword = 'chosen by the owner';
      expect((await phone.post('/api/auth/reset-password', { token, newPassword })).statusCode).toBe(200);
      expect((await stranger.signIn(email)).statusCode).toBe(401);
      await phone.signIn(email, newPassword);
      expect([await phone.may(), (await phone.user()).email]).toEqual([200, email]);
      // Now that this browser is logged in to the account, the link leads on instead of failing.
      expect((await phone.verify(links[0])).json()).toEqual({ status: true, resetToken: null });
    });

    test('a login under way while the owner verifies gets no session', async () => {
      const { browser: stranger, email } = await newcomer();
      const { links } = await mailbox.mailTo(email, 'Verify');
      const newPassword = 'another tulip anchor 17';
      const [verified] = await Promise.all([
        openBrowser(shared).verify(links[0]),
        stranger.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword }),
        ...[1, 2, 3, 4].map(() => openBrowser(shared).signIn(email)),
      ]);
      expect(verified.json().resetToken).toEqual(expect.any(String));
      expect(await stranger.user()).toBeNull();
      const sessions = shared.db.query.selectFrom('sign_ins').innerJoin('users', 'users.id', 'sign_ins.user_id');
      expect(await sessions.select('sign_ins.id').where('users.email', '=', email).execute()).toEqual([]);
    });

    test('opening a link verifies nobody, with or without cookies, so a mail scanner cannot', async () => {
      const { browser, email } = await newcomer();
      const token = tokenIn((await mailbox.mailTo(email, 'Verify')).links[0]);
      const url = `/api/auth/verify-email?token=${token}&returnTo=/about%23x`;
      for (const visitor of [browser, openBrowser(shared)]) {
        const { statusCode, headers } = await visitor.get(url);
        expect([statusCode, headers.location]).toEqual([302, `/verify-email#token=${token}&returnTo=%2Fabout%23x`]);
      }
      expect((await shared.app.inject({ method: 'HEAD', url })).statusCode).toBe(302);
      expect(await browser.user()).toMatchObject({ emailVerified: false });
    });

    test('the owner hears of every new way in: a password, and a login from an unknown browser', async () => {
      const { browser, email } = await verified();
      const subjects = () =>
        mailbox.mails.filter(({ to }) => to === email).map(({ subject }) => subject.split(' ·')[0]);
      await browser.post('/api/auth/sign-out', {});
      await browser.signIn(email);
      // Somebody else uses the same computer in between.
      const other = await verified();
      await browser.signIn(other.email);
      await browser.signIn(email);
      const elsewhere = openBrowser(shared);
      await elsewhere.signIn(email, PASSWORD, {});
      const userAgent = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
      const body = { email, password: PASSWORD };
      await openBrowser(shared).post('/api/auth/sign-in/email', body, { 'user-agent': userAgent });
      const newLogins = () => subjects().filter((subject) => subject === 'New login to your account').length;
      await expect.poll(newLogins).toBe(2);
      // They go out after the responses, in any order.
      expect(mailbox.mails.filter(({ to }) => to === email).map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/Browser: Firefox · Windows\s+Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC/),
      );
      for (let i = 0; i < 6; i++) await openBrowser(shared).signIn(email);
      // These emails go out after the responses.
      await expect.poll(newLogins, { timeout: 5_000 }).toBe(5);
      const token = tokenIn(await resetLink(email));
      await elsewhere.post('/api/auth/reset-password', { token, newPassword: 'quite another phrase' });
      await elsewhere.signIn(email, 'quite another phrase');
      await mailbox.mailTo(email, 'was changed');
      // At most five an hour, and none for the login that follows a reset in the same browser.
      expect(newLogins()).toBe(5);
    });

    test('a forged or changed link verifies nobody', async () => {
      const { browser, email } = await newcomer();
      const link = (await mailbox.mailTo(email, 'Verify')).links[0] ?? '';
      for (const token of ['x', tokenIn(link).slice(0, -2), unsigned(link)]) {
        const answer = await browser.post('/api/auth/verify-email', { token });
        expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_link']);
      }
      expect(await browser.may()).toBe(403);
    });

    test('wrong passwords and unknown addresses get the same message', async () => {
      const { email } = await verified();
      const wrong = await openBrowser(shared).signIn(email, 'not the password');
      const unknown = await openBrowser(shared).signIn(anEmail(), 'not the password');
      for (const answer of [wrong, unknown]) {
        expect(answer.statusCode).toBe(401);
        expect(answer.json()).toMatchObject({
          code: 'invalid_email_or_password',
          message: 'Invalid email or password',
          detail: 'Invalid email or password',
        });
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });

    test("'Remember me' off ends with the browser; on lasts thirty days", async () => {
      const { email } = await verified();
      const cookieOf = (answer: { headers: Record<string, unknown> }) =>
        [answer.headers['set-cookie']].flat().find((line) => String(line).startsWith('perfume='));
      const on = String(cookieOf(await openBrowser(shared).signIn(email)));
      expect(on).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
      const off = openBrowser(shared);
      expect(String(cookieOf(await off.signIn(email, PASSWORD, { rememberMe: false })))).not.toMatch(/Max-Age|Expires/);
      expect(await off.may()).toBe(200);
      // A new password changes nothing about it.
      const newPassword = 'quite another phrase';
      const changed = await off.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
      expect(String(cookieOf(changed))).not.toMatch(/Max-Age|Expires/);
      const { session } = (await off.get('/api/auth/get-session')).json();
      expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBeLessThanOrEqual(24 * 60 * 60 * 1_000);
    });

    test('a password is reset by email, once, and every session ends, here and on the other server', async () => {
      const { browser, email } = await verified();
      const sibling = await shared.sibling();
      const { accessToken } = (await browser.post('/login', { email })).json();
      const bearer = { authorization: `Bearer ${accessToken}` };
      const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const onSibling = async () => [
        (await sibling.app.inject({ url: '/all-inventory-items', headers: { cookie } })).statusCode,
        (await sibling.app.inject({ url: `/my-items?email=${email}`, headers: bearer })).statusCode,
      ];
      expect(await onSibling()).toEqual([200, 200]);

      // Somebody else asks for another link.
      const { id } = (await findUserByEmail(shared.db, email)) as { id: string };
      const another = { id: randomUUID(), identifier: randomUUID(), value: id, created_at: 1, updated_at: 1 };
      await shared.db.change((db) =>
        db
          .insertInto('verifications')
          .values({ ...another, expires_at: Date.now() + 60_000 })
          .execute(),
      );
      const link = await resetLink(email);
      expect(link.pathname).toBe('/reset-password');
      const token = tokenIn(link);
      const newPassword = 'quite another phrase';
      const stranger = openBrowser(shared);
      expect((await stranger.post('/api/auth/reset-password', { token, newPassword })).json()).toEqual({
        status: true,
      });
      expect(await browser.may()).toBe(401);
      expect((await browser.get(`/my-items?email=${email}`, bearer)).statusCode).toBe(401);
      expect(await onSibling()).toEqual([401, 401]);
      const again = await stranger.post('/api/auth/reset-password', { token, newPassword });
      expect([again.statusCode, again.json().code]).toEqual([400, 'invalid_link']);
      const links = shared.db.query.selectFrom('verifications').select('id').where('value', '=', id);
      expect(await links.execute()).toEqual([]);
      expect((await stranger.signIn(email, PASSWORD)).statusCode).toBe(401);
      expect((await stranger.signIn(email, newPassword)).statusCode).toBe(200);
      await mailbox.mailTo(email, 'was changed');
    });

    test('a reset link expires', async () => {
      const { email } = await verified();
      const token = tokenIn(await resetLink(email));
      await shared.db.change((db) => db.updateTable('verifications').set({ expires_at: 1 }).execute());
      const answer = await openBrowser(shared).post('/api/auth/reset-password', { token, newPassword: PASSWORD });
      expect(answer.json().code).toBe('invalid_link');
    });

    test('a new password ends all other sessions and keeps this one', async () => {
      const { browser, email } = await verified();
      const other = openBrowser(shared);
      await other.signIn(email);
      const change = (currentPassword: string, newPassword: string) =>
        browser.post('/api/auth/change-password', { currentPassword, newPassword });
      expect((await change('wrong', 'quite another phrase')).json().code).toBe('wrong_password');
      expect((await change(PASSWORD, 'password123')).json().code).toBe('password_too_common');
      expect(await other.may()).toBe(200);
      expect((await change(PASSWORD, 'quite another phrase')).statusCode).toBe(200);
      expect([await browser.may(), await other.may()]).toEqual([200, 401]);
      expect((await other.signIn(email, 'quite another phrase')).statusCode).toBe(200);
    });

    test('nobody is logged out when a new password cannot be stored', async () => {
      const { browser, email } = await verified();
      const token = tokenIn(await resetLink(email));
      const newPassword = 'quite another phrase';
      const changes = [
        ['/api/auth/change-password', { currentPassword: PASSWORD, newPassword }],
        ['/api/auth/reset-password', { token, newPassword }],
      ] as const;
      await refusing(shared.db, 'update on accounts', async () => {
        for (const [url, body] of changes) expect((await browser.post(url, body)).statusCode).toBe(500);
      });
      expect(await browser.may()).toBe(200);
      expect((await openBrowser(shared).signIn(email)).statusCode).toBe(200);
    });

    test('a login whose session ends at the same moment is refused', async () => {
      const { browser, email } = await verified();
      const { id } = await browser.user();
      const change = shared.db.change;
      vi.spyOn(shared.db, 'change').mockImplementation(async (...given) => {
        const result = await change(...given);
        await change((db) => db.deleteFrom('sign_ins').where('user_id', '=', id).execute());
        return result as never;
      });
      const answer = await openBrowser(shared).signIn(email);
      vi.restoreAllMocks();
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'not_signed_in']);
    });

    test('a name can be changed and is plain text', async () => {
      const { browser } = await verified();
      const answer = await browser.post('/api/auth/update-user', { name: ' Zoë ' });
      expect(answer.json().user.name).toBe('Zoë');
      expect((await browser.user()).name).toBe('Zoë');
      for (const name of ['', ' ', 'a\nb', 'x'.repeat(101), '\u202eevil']) {
        expect((await browser.post('/api/auth/update-user', { name })).statusCode).toBe(422);
      }
      expect((await browser.post('/api/auth/update-user', {})).statusCode).toBe(422);
      for (const more of [
        { email: 'x@y.example' },
        { emailVerified: true },
        { image: 'http://x.example/a.png' },
        { image: 'https://x.example/\0' },
      ]) {
        const refused = await browser.post('/api/auth/update-user', { name: 'Zoë', ...more });
        expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([422, Object.keys(more)]);
      }
    });

    test('logging out ends the cookie and the access token at once, and works when already logged out', async () => {
      const { browser, email } = await verified();
      const cookie = `perfume=${browser.jar.get('perfume')}`;
      const { accessToken } = (await browser.post('/login', { email })).json();
      expect((await browser.call('POST', '/api/auth/sign-out')).json()).toEqual({ success: true });
      expect(browser.jar.has('perfume')).toBe(false);
      expect((await browser.get('/all-inventory-items', { cookie })).statusCode).toBe(401);
      const bearer = { authorization: `Bearer ${accessToken}` };
      expect((await browser.get(`/my-items?email=${email}`, bearer)).statusCode).toBe(401);
      expect((await browser.call('POST', '/api/auth/sign-out')).json()).toEqual({ success: true });
    });

    test.each([
      ['too short', '7 chars', 422, 'invalid_input'],
      ['common', 'Password123!', 422, 'password_too_common'],
      ['their own name', 'Ann Lefèvre', 422, 'password_is_personal'],
      ['as long as 257 characters', 'x y'.repeat(86).slice(0, 257), 422, 'invalid_input'],
      ['a long phrase', `${'a phrase that goes on '.repeat(10)}`, 200, undefined],
      ['eight emoji', '🌸🌿🍋🌲🪻🌾🍊🌹', 200, undefined],
    ])('a password that is %s', async (_, password, status, code) => {
      const email = anEmail();
      const browser = openBrowser(shared);
      const answer = await browser.signUp({ email, name: 'Ann Lefèvre', password });
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      if (status === 422) expect(answer.json().fields.password).toMatch(/\w/);
      else expect((await openBrowser(shared).signIn(email, password)).statusCode).toBe(200);
    });

    test('unknown fields are refused, not ignored', async () => {
      const browser = openBrowser(shared);
      for (const more of [{ emailVerified: true }, { role: 'admin' }, { idToken: 'x' }]) {
        const answer = await browser.post('/api/auth/sign-up/email', {
          ...{ name: 'Ann', email: anEmail(), password: PASSWORD },
          ...more,
        });
        expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([422, Object.keys(more)]);
      }
    });

    test('only the routes we need exist', async () => {
      const { browser } = await verified();
      for (const path of ['list-accounts', 'link-social', 'delete-user/callback', 'change-email', 'error', 'ok']) {
        for (const method of ['GET', 'POST'] as const) {
          const answer = await browser.call(method, `/api/auth/${path}`, method === 'POST' ? { body: {} } : {});
          expect([path, answer.statusCode]).toEqual([path, 404]);
        }
      }
    });

    test('unverified accounts are deleted after two days, and nothing else is', async () => {
      const [stale, fresh, proven] = [await newcomer(), await newcomer(), await verified()];
      const old = Date.now() - 49 * 60 * 60 * 1_000;
      await shared.db.change(async (db) => {
        for (const { email } of [stale, proven])
          await db.updateTable('users').set({ created_at: old }).where('email_key', '=', email).execute();
      });
      await cleanUpIdentity(shared.db, Date.now());
      expect(await stale.browser.user()).toBeNull();
      expect((await openBrowser(shared).signIn(stale.email)).statusCode).toBe(401);
      expect(await fresh.browser.user()).toMatchObject({ email: fresh.email });
      expect(await proven.browser.may()).toBe(200);
    });

    test('a session token is stored as a hash, so reading the table logs nobody in', async () => {
      const { browser } = await newcomer();
      const token = decodeURIComponent(browser.jar.get('perfume') ?? '').split('.')[0] ?? '';
      const rows = await shared.db.query.selectFrom('sign_ins').selectAll().execute();
      const accounts = await shared.db.query.selectFrom('accounts').selectAll().execute();
      expect(token).toHaveLength(32);
      expect(JSON.stringify(rows)).toContain(signInId(token));
      expect(JSON.stringify(rows)).not.toContain(token);
      expect(JSON.stringify(accounts)).not.toContain(PASSWORD);
    });

    test('users made by the test helper are like any other', async () => {
      const person = await signedInAs(shared);
      expect((await person.call('GET', '/api/auth/get-session')).json().user.email).toBe(person.user.email);
      expect((await person.call('POST', '/api/auth/update-user', { body: { name: 'New' } })).statusCode).toBe(200);
      await person.call('POST', '/api/auth/sign-out');
      expect((await person.call('GET', '/all-inventory-items')).statusCode).toBe(401);
    });

    describe('after AUTH_SECRET was replaced', () => {
      const secret = 'another secret for tests, just as long';
      /** Servers that accept both secrets, and only the new one. */
      let [both, onlyNew] = [shared, shared];
      beforeAll(async () => {
        both = await shared.sibling({ secret, previousSecret: shared.config.secret });
        onlyNew = await shared.sibling({ secret });
      });
      type Browser = ReturnType<typeof openBrowser>;
      /** The same browser with the same cookies, connected to another server. */
      const at = (server: TestApp, { jar }: Browser) => openBrowser(server, undefined, new Map(jar));
      const accessToken = async (browser: Browser, email: string): Promise<string> =>
        (await browser.post('/login', { email })).json().accessToken;
      const reads = async (server: TestApp, email: string, token: string) =>
        (await openBrowser(server).get(`/my-items?email=${email}`, { authorization: `Bearer ${token}` })).statusCode;

      test('sessions and access tokens work as long as AUTH_SECRET_PREVIOUS is set', async () => {
        const { email, browser } = await verified();
        const token = await accessToken(browser, email);
        expect([await at(both, browser).may(), await reads(both, email, token)]).toEqual([200, 200]);
        expect([await at(onlyNew, browser).may(), await reads(onlyNew, email, token)]).toEqual([401, 401]);
        const forged = openBrowser(both);
        forged.jar.set(
          'perfume',
          browser.jar.get('perfume')?.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')) ?? '',
        );
        expect(await forged.may()).toBe(401);
      });

      test('an older session can change the profile and the password', async () => {
        const { browser } = await newcomer();
        expect((await at(both, browser).post('/api/auth/update-user', { name: 'New' })).statusCode).toBe(200);
        const passwords = { currentPassword: PASSWORD, newPassword: 'another tulip anchor 17' };
        const changed = at(both, browser);
        expect((await changed.post('/api/auth/change-password', passwords)).statusCode).toBe(200);
        expect(await at(onlyNew, changed).user()).toMatchObject({ name: 'New' });
      });

      test('logging out with an older cookie ends the session', async () => {
        const { browser } = await newcomer();
        await at(both, browser).call('POST', '/api/auth/sign-out');
        expect(await browser.user()).toBeNull();
      });

      test('a login that ends with the browser still does', async () => {
        const { email } = await newcomer();
        const browser = openBrowser(shared);
        await browser.signIn(email, PASSWORD, { rememberMe: false });
        const passwords = { currentPassword: PASSWORD, newPassword: 'another tulip anchor 17' };
        const answer = await at(both, browser).post('/api/auth/change-password', passwords);
        const cookies = [answer.headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('perfume='));
        expect(cookies.map((line) => line.includes('Max-Age'))).toEqual([false]);
      });

      test('emailed links work, and no longer without AUTH_SECRET_PREVIOUS if the secret signed them', async () => {
        const { email, browser } = await newcomer();
        const link = (await mailbox.mailTo(email, 'Verify')).links[0] ?? '';
        expect((await at(onlyNew, browser).verify(link)).json().code).toBe('invalid_link');
        expect(await browser.user()).toMatchObject({ emailVerified: false });
        expect((await at(both, browser).verify(link)).json()).toEqual({ status: true, resetToken: null });
        expect(await browser.user()).toMatchObject({ emailVerified: true });
        // Reset links are random and stored as hashes: the secret does not sign them.
        const token = tokenIn(await resetLink(email));
        const body = { token, newPassword: 'another tulip anchor 17' };
        expect((await openBrowser(onlyNew).post('/api/auth/reset-password', body)).statusCode).toBe(200);
      });

      test('everything new is signed with the new secret', async () => {
        const email = anEmail();
        const browser = openBrowser(both);
        await browser.signUp({ email });
        await at(onlyNew, browser).verify((await mailbox.mailTo(email, 'Verify')).links[0]);
        const token = await accessToken(browser, email);
        expect([await at(onlyNew, browser).may(), await reads(onlyNew, email, token)]).toEqual([200, 200]);
        expect([await at(shared, browser).may(), await reads(shared, email, token)]).toEqual([401, 401]);
      });

      test('a known browser stays known, and its next login renews the cookie with the same id', async () => {
        const { email, browser } = await verified();
        await browser.signIn(email);
        const old = browser.jar.get('perfume.known') ?? '';
        const again = at(both, browser);
        await again.signIn(email);
        const renewed = again.jar.get('perfume.known') ?? '';
        expect(renewed).not.toBe(old);
        expect(renewed.split('.')[0]).toBe(old.split('.')[0]);
        const later = at(onlyNew, again);
        await later.signIn(email);
        expect(later.jar.get('perfume.known')).toBe(renewed);
      });
    });
  },
  { mail: mailbox.settings },
);

describe('under https', () => {
  test('the cookie is for this host only, and secure', async () => {
    const publicUrl = 'https://stock.example.com';
    const app = await testApp('SQLite', { publicUrl, demo: false, mail: mailbox.settings });
    const browser = openBrowser(app);
    const email = anEmail();
    const answer = await browser.signUp({ email });
    const [cookie] = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/^__Host-perfume=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { links } = await mailbox.mailTo(email, 'Verify');
    expect(links[0]).toMatch(/^https:\/\/stock\.example\.com\/verify-email#/);
    await browser.verify(links[0]);
    expect(await browser.may()).toBe(200);
    const plain = { cookie: `perfume=${browser.jar.get('__Host-perfume')}` };
    expect((await openBrowser(app).get('/all-inventory-items', plain)).statusCode).toBe(401);
    for (const url of ['/demo/outbox', '/demo/oauth/github/authorize', '/demo/oauth/google/userinfo']) {
      expect([url, (await browser.get(url)).statusCode]).toEqual([url, 404]);
    }
    expect((await browser.call('POST', '/demo/sign-in')).statusCode).toBe(404);
    const social = await browser.post('/api/auth/sign-in/social', { provider: 'github' });
    expect([social.statusCode, social.json().code]).toEqual([404, 'provider_not_found']);
    await app.close();
  });
});

/** Returns the token of `link` with the same claims, but with `alg: none` and without a signature. */
function unsigned(link: string): string {
  const [, claims] = tokenIn(link).split('.');
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
}

/** Lets the database refuse such a change meanwhile. */
async function refusing(db: Db, change: string, work: () => Promise<void>): Promise<void> {
  const run = (text: string) => db.change((db) => sql.raw(text).execute(db));
  if (db.dialect === 'postgres') {
    await run(`create function refused() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
    await run(`create trigger refusing before ${change} for each row execute function refused()`);
  } else await run(`create trigger refusing before ${change} begin select raise(abort, 'refused'); end`);
  await work();
  await run(db.dialect === 'postgres' ? 'drop function refused cascade' : 'drop trigger refusing');
}
