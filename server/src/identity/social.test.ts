import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { anEmail, openBrowser, PASSWORD, pathOf, tokenIn } from '../../testing/browser.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import { isPostgres } from '../db/open.ts';
import { onBothDatabases, type TestApp, testApp } from '../testing.ts';
import { cleanUpIdentity } from './identity.cleanup.ts';
import { INVITATION_LIFETIME_MS, inviteAddress } from './invitations.store.ts';

type Sent = { to: string; subject: string; text: string; links: string[] };

async function sentTo(test: TestApp, email: string): Promise<Sent[]> {
  const answer = await test.app.inject({ url: '/demo/outbox' });
  return answer.json<Sent[]>().filter(({ to }) => to === email);
}

onBothDatabases('signing in through a provider', (shared) => {
  beforeAll(async () => {
    await shared.app.listen({ host: '127.0.0.1', port: 0 });
  });

  test.each(['github', 'google'])(
    '%s: a new user is signed in and back on the page they came from',
    async (provider) => {
      const browser = openBrowser(shared);
      const email = anEmail();
      const back = await browser.social(
        provider,
        { email, verified: true, name: 'Ines' },
        { returnTo: '/dashboard/my-item?q=1#x' },
      );
      expect([back.statusCode, back.headers.location]).toEqual([302, '/dashboard/my-item?q=1#x']);
      expect(await browser.user()).toMatchObject({
        ...{ email, emailVerified: true, name: 'Ines', displayName: 'Ines' },
        ...{ image: null, photoURL: null, providers: [provider] },
      });
      expect(await browser.may()).toBe(200);
      await browser.social(provider, { email, verified: true });
      expect(await sentTo(shared, email)).toEqual([]);
      const again = openBrowser(shared);
      await again.social(provider, { email, verified: true });
      expect((await again.user()).id).toBe((await browser.user()).id);
      await expect.poll(() => sentTo(shared, email)).toMatchObject([{ subject: expect.stringMatching(/^New login/) }]);
    },
  );

  test("without 'Remember me' opens a session that ends with the browser and after a day", async () => {
    const email = anEmail();
    const open = async (rememberMe: boolean) => {
      const browser = openBrowser(shared);
      const back = await browser.social('github', { email, verified: true }, { rememberMe });
      const cookie = [back.headers['set-cookie'] ?? []].flat().findLast((line) => line.startsWith('perfume='));
      const { session } = (await browser.get('/api/auth/get-session')).json();
      const days = Math.round((Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / 86_400_000);
      return { days, outlives: cookie?.includes('Max-Age') };
    };
    expect(await open(false)).toEqual({ days: 1, outlives: false });
    expect(await open(true)).toEqual({ days: 14, outlives: true });
  });

  test('no token of a provider is stored', async () => {
    const browser = openBrowser(shared);
    await browser.social('github', { email: anEmail(), verified: true });
    const [row] = await shared.db.query
      .selectFrom('accounts')
      .selectAll()
      .where('provider_id', '=', 'github')
      .execute();
    expect(Object.keys(row ?? {}).sort()).toEqual(
      ['account_id', 'created_at', 'id', 'password', 'provider_id', 'updated_at', 'user_id'].sort(),
    );
  });

  describe('the email address is', () => {
    /** Creates an account with this address and a password. */
    async function holder(email: string, verified: boolean) {
      const browser = openBrowser(shared);
      await browser.signUp({ email });
      if (verified) await browser.verify((await sentTo(shared, email))[0]?.links[0]);
      return browser;
    }

    test('verified by us and by the provider: one account, both logins work', async () => {
      const email = anEmail();
      const before = await (await holder(email, true)).user();
      const browser = openBrowser(shared);
      await browser.social('google', { email, verified: true });
      expect(await browser.user()).toMatchObject({ id: before.id, providers: ['password', 'google'] });
      expect((await openBrowser(shared).signIn(email)).statusCode).toBe(200);
      await browser.social('google', { email, verified: true });
      const linked = (await sentTo(shared, email)).filter(({ subject }) => subject.includes('log in with Google'));
      expect(linked).toHaveLength(1);
    });

    test('unlinked by its owner, who gets an email, unless nothing else logs them in', async () => {
      const email = anEmail();
      const browser = openBrowser(shared);
      await browser.social('google', { email, verified: true });
      const unlink = (providerId: string) => browser.post('/api/auth/unlink-account', { providerId });
      const refused = await unlink('google');
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'last_way_in']);
      await browser.social('github', { email, verified: true });
      const [first, second] = await Promise.all([unlink('github'), unlink('google')]);
      // Of two at the same moment, one stays.
      expect([first.statusCode, second.statusCode].sort()).toEqual([200, 409]);
      const { id, providers } = await browser.user();
      expect(providers).toHaveLength(1);
      expect([first, second].find(({ statusCode }) => statusCode === 200)?.json().user).toMatchObject({ providers });
      const told = async () =>
        (await sentTo(shared, email)).filter(({ subject }) => subject.startsWith('You can no longer log in with'));
      expect(await told()).toHaveLength(1);
      // What is not linked cannot be unlinked, and nobody hears of it.
      expect((await unlink(providers[0] === 'github' ? 'google' : 'github')).statusCode).toBe(200);
      expect(await told()).toHaveLength(1);
      const passkey = { id, user_id: id, name: 'Phone', public_key: '', counter: 0, transports: '', created_at: 1 };
      await shared.db.change((db) => db.insertInto('passkeys').values(passkey).execute());
      expect((await unlink(providers[0])).statusCode).toBe(200);
      const removed = await browser.post('/api/auth/passkey/delete-passkey', { id });
      expect([removed.statusCode, removed.json().code]).toEqual([409, 'last_way_in']);
    });

    test('unlinking a provider or removing a passkey ends the other sessions, and a new login links the provider again', async () => {
      const email = anEmail();
      const [owner, thief] = [openBrowser(shared), openBrowser(shared)];
      await owner.social('google', { email, verified: true });
      const google = () => thief.social('google', { email, verified: true });
      const github = () => thief.social('github', { email, verified: true });
      const unlink = () => owner.post('/api/auth/unlink-account', { providerId: 'github' });
      await github();
      expect(await thief.may()).toBe(200);
      expect((await unlink()).statusCode).toBe(200);
      expect([await thief.may(), await owner.may()]).toEqual([401, 200]);
      // Nothing was unlinked, so nobody is logged out.
      await google();
      expect((await unlink()).statusCode).toBe(200);
      expect(await thief.may()).toBe(200);
      await github();
      const { id, providers } = await owner.user();
      expect(providers).toEqual(['google', 'github']);
      const linked = (await sentTo(shared, email)).filter(({ subject }) => subject.includes('log in with GitHub'));
      expect(linked.map(({ subject }) => subject.split(' · ')[0]).sort()).toEqual([
        'You can no longer log in with GitHub',
        'You can now log in with GitHub',
        'You can now log in with GitHub',
      ]);
      expect(linked.find(({ subject }) => subject.includes('now'))?.text).toContain('unlink GitHub in the settings');
      const passkey = { id, user_id: id, name: 'Phone', public_key: '', counter: 0, transports: '', created_at: 1 };
      await shared.db.change((db) => db.insertInto('passkeys').values(passkey).execute());
      const remove = () => owner.post('/api/auth/passkey/delete-passkey', { id });
      expect((await remove()).statusCode).toBe(200);
      expect([await thief.may(), await owner.may()]).toEqual([401, 200]);
      await google();
      expect((await remove()).statusCode).toBe(200);
      expect(await thief.may()).toBe(200);
    });

    test('a login under way while the provider is unlinked opens a session only if it links the provider again', async () => {
      const email = anEmail();
      const owner = openBrowser(shared);
      await owner.social('google', { email, verified: true });
      const userId = (await owner.user()).id;
      const { change } = shared.db;
      const opened = new Set<number>();
      // Unlinks before the first write of the login, before the second, and so on.
      for (let at = 1, writes = at; writes >= at; at++) {
        await openBrowser(shared).social('github', { email, verified: true });
        const thief = openBrowser(shared);
        writes = 0;
        const spy = vi.spyOn(shared.db, 'change').mockImplementation(async (work, options) => {
          if (++writes === at)
            await change(async (db) => {
              await db
                .deleteFrom('accounts')
                .where('user_id', '=', userId)
                .where('provider_id', '=', 'github')
                .execute();
              await db.deleteFrom('sign_ins').where('user_id', '=', userId).execute();
            });
          return change(work, options);
        });
        await thief.social('github', { email, verified: true });
        spy.mockRestore();
        const linked = shared.db.query.selectFrom('accounts').select('id').where('user_id', '=', userId);
        const isLinked = (await linked.where('provider_id', '=', 'github').execute()).length > 0;
        opened.add(await thief.may());
        expect([at, await thief.may()]).toEqual([at, isLinked ? 200 : 401]);
      }
      expect([...opened].sort()).toEqual([200, 401]);
    });

    test('verified by us, not by the provider: refused', async () => {
      const email = anEmail();
      await holder(email, true);
      const thief = openBrowser(shared);
      const back = await thief.social('google', { email, verified: false });
      expect(back.headers.location).toBe('/login?error=account_not_linked');
      expect(await thief.user()).toBeNull();
    });

    test('verified by the provider, not by us: the owner replaces the unverified account', async () => {
      const email = anEmail();
      const squatter = await holder(email, false);
      const planted = (await squatter.user()).id;
      const owner = openBrowser(shared);
      await owner.social('github', { email, verified: true });
      expect(await owner.may()).toBe(200);
      expect((await owner.user()).id).not.toBe(planted);
      expect(await squatter.user()).toBeNull();
      expect((await openBrowser(shared).signIn(email, PASSWORD)).statusCode).toBe(401);
    });

    test('verified by neither: refused', async () => {
      const email = anEmail();
      const first = await holder(email, false);
      const second = openBrowser(shared);
      const back = await second.social('github', { email, verified: false });
      expect(back.headers.location).toBe('/login?error=account_not_linked');
      expect(await second.user()).toBeNull();
      expect(await first.user()).toMatchObject({ email, emailVerified: false });
    });

    test('an unverified provider account is refused, and loses access to the owner of the mailbox', async () => {
      const email = anEmail();
      const squatter = openBrowser(shared);
      await squatter.social('github', { email, verified: false });
      expect(await squatter.may()).toBe(403);
      expect((await sentTo(shared, email))[0]?.subject).toContain('Verify');

      await openBrowser(shared).post('/api/auth/request-password-reset', { email });
      await expect.poll(async () => (await sentTo(shared, email))[0]?.subject).toContain('Set a new password');
      const token = tokenIn((await sentTo(shared, email))[0]?.links[0]);
      const owner = openBrowser(shared);
      await owner.post('/api/auth/reset-password', { token, newPassword: 'the owner of the mailbox' });
      await owner.signIn(email, 'the owner of the mailbox');
      expect(await owner.may()).toBe(200);
      expect(await squatter.user()).toBeNull();
      const back = await squatter.social('github', { email, verified: false });
      expect(back.headers.location).toBe('/login?error=account_not_linked');
    });

    test('one address in full-width and normal letters is one person', async () => {
      const browser = openBrowser(shared);
      await browser.social('google', { email: 'wide-person@house.example', verified: true });
      const other = openBrowser(shared);
      await other.social('github', { email: 'ＷＩＤＥ-person@House.Example', verified: true });
      expect((await other.user()).id).toBe((await browser.user()).id);
    });
  });

  describe('a new account', () => {
    afterEach(() => Object.assign(shared.config, { signUp: 'open', signUpDomains: [] }));

    /** Signs up with each address by password, then through a provider. Returns both results of each. */
    async function attempts(...emails: string[]) {
      const results: string[] = [];
      for (const email of emails) {
        const answer = await openBrowser(shared).signUp({ email });
        results.push(answer.statusCode === 200 ? 'opened' : `${answer.statusCode} ${answer.json().code}`);
        const back = await openBrowser(shared).social('google', { email: `social-${email}`, verified: true });
        results.push(String(back.headers.location));
      }
      return results;
    }
    /** Invites both addresses that `attempts` uses. */
    async function invite(email: string, at: number) {
      for (const address of [email, `social-${email}`]) await inviteAddress(shared.db, address, at);
    }
    const refused = ['403 sign_up_refused', '/login?error=sign_up_refused'];

    test('is opened by nobody when sign-up is closed, and existing accounts log in and link a provider', async () => {
      const [known, invited] = [anEmail(), anEmail()];
      const opened = openBrowser(shared);
      await opened.signUp({ email: known });
      await opened.verify((await sentTo(shared, known))[0]?.links[0]);
      await invite(invited, Date.now());
      shared.config.signUp = 'closed';

      const closed = ['403 sign_up_closed', '/login?error=sign_up_closed'];
      expect(await attempts(known, invited, anEmail())).toEqual([...closed, ...closed, ...closed]);
      expect((await openBrowser(shared).signIn(known)).statusCode).toBe(200);
      const linked = openBrowser(shared);
      await linked.social('google', { email: known, verified: true });
      expect(await linked.user()).toMatchObject({ email: known, providers: ['password', 'google'] });
      const dealer = openBrowser(shared);
      await dealer.call('POST', '/demo/sign-in');
      expect(await dealer.may()).toBe(200);
    });

    test('needs an address of exactly one of the domains, in any case', async () => {
      shared.config.signUpDomains = ['one.example', 'two.example'];
      const [outside, person] = [anEmail(), anEmail().split('@')[0]];
      expect(await attempts(`${person}@Two.EXAMPLE`)).toEqual(['opened', '/']);
      const others = ['sub.one.example', 'xone.example', 'one.example.evil.example'];
      expect(await attempts(outside, ...others.map((domain) => `${person}@${domain}`))).toEqual([
        ...refused,
        ...refused,
        ...refused,
        ...refused,
      ]);
    });

    test('needs an invitation, which works once and for 14 days', async () => {
      shared.config.signUp = 'invited';
      const email = anEmail();
      expect(await attempts(email)).toEqual(refused);
      await invite(email, Date.now() - INVITATION_LIFETIME_MS);
      expect(await attempts(email)).toEqual(refused);
      await invite(email, Date.now());
      await cleanUpIdentity(shared.db, Date.now());
      expect(await attempts(email)).toEqual(['opened', '/']);
      await shared.db.change((db) =>
        db
          .deleteFrom('users')
          .where('email', 'in', [email, `social-${email}`])
          .execute(),
      );
      expect(await attempts(email)).toEqual(refused);
    });

    test('is refused in the same words whether or not the address has an account or had an invitation', async () => {
      const [taken, used] = [anEmail(), anEmail()];
      await openBrowser(shared).signUp({ email: taken });
      shared.config.signUp = 'invited';
      await inviteAddress(shared.db, used, Date.now());
      await openBrowser(shared).signUp({ email: used });
      const bodies = [];
      for (const email of [taken, used, anEmail()]) {
        const { requestId, ...body } = (await openBrowser(shared).signUp({ email })).json();
        bodies.push(body);
      }
      expect(bodies).toEqual([bodies[2], bodies[2], expect.objectContaining({ code: 'sign_up_refused' })]);

      // A taken address that is invited again looks like any invited one: let in once, then refused.
      await inviteAddress(shared.db, taken, Date.now());
      const stranger = openBrowser(shared);
      expect((await stranger.signUp({ email: taken })).json().user).toMatchObject({ email: taken });
      expect((await openBrowser(shared).signUp({ email: taken })).statusCode).toBe(403);
    });

    test('takes the place of an unverified one, whatever the rules', async () => {
      const email = anEmail();
      const squatter = openBrowser(shared);
      shared.config.signUp = 'invited';
      await inviteAddress(shared.db, email, Date.now());
      await squatter.signUp({ email });
      const owner = openBrowser(shared);
      await owner.social('github', { email, verified: true });
      expect([await owner.may(), await squatter.user()]).toEqual([200, null]);
    });

    test('through a provider counts as a sign-up only the first time', async () => {
      const email = anEmail();
      await openBrowser(shared).social('github', { email, verified: false });
      shared.config.signUp = 'closed';
      const again = openBrowser(shared);
      await again.social('github', { email, verified: false });
      expect(await again.user()).toMatchObject({ email, providers: ['github'] });
    });

    test('that a provider starts on the register page is refused there', async () => {
      shared.config.signUp = 'invited';
      const browser = openBrowser(shared);
      const body = { provider: 'google', errorCallbackURL: '/register' };
      const choose = new URL(
        (await browser.post('/api/auth/sign-in/social', body)).json().url.replace('/authorize?', '/choose?'),
      );
      choose.searchParams.set('email', anEmail());
      choose.searchParams.set('name', 'Ines');
      const back = await browser.get(String((await browser.get(choose.href)).headers.location));
      expect(back.headers.location).toBe('/register?error=sign_up_refused');
    });

    describe('npm run invite', () => {
      const run = (email: string, env: Record<string, string> = {}) => {
        const { PATH, NODE_COMPILE_CACHE } = process.env;
        const { dataDir, databaseUrl } = shared.config;
        const place = { DATA_DIR: dataDir, ...(isPostgres(databaseUrl) && { DATABASE_URL: databaseUrl }) };
        return promisify(execFile)(process.execPath, [join(import.meta.dirname, '../programs/invite.ts'), email], {
          env: { PATH, NODE_COMPILE_CACHE, SIGN_UP: 'invited', ...place, ...env },
        });
      };

      test('lets an address in; without a mail server it prints the link, and the outbox has the email', async () => {
        shared.config.signUp = 'invited';
        const email = anEmail();
        const { stdout } = await run(email.toUpperCase(), { PORT: '8123' });
        expect(stdout).toContain('can sign up within 14 days: http://127.0.0.1:8123/register');
        const invitations = await sentTo(shared, email);
        expect(invitations).toMatchObject([{ subject: expect.stringContaining('You are invited') }]);
        expect(invitations[0]?.links).toEqual([expect.stringMatching(/\/register$/)]);
        expect(await sentTo(shared, email)).toEqual(invitations);
        expect((await openBrowser(shared).signUp({ email })).statusCode).toBe(200);
      });

      test('sends the email through the mail server, and says when that fails', async () => {
        // The email does not depend on the database: one is enough.
        if (isPostgres(shared.config.databaseUrl)) return;
        const mailbox = await startMailbox();
        const mail = { SMTP_URL: mailbox.settings.smtpUrl, MAIL_FROM: mailbox.settings.from };
        const email = anEmail();
        expect((await run(email, mail)).stdout).toContain('The invitation was sent by email.');
        expect((await mailbox.mailTo(email, 'You are invited')).links).toEqual(['http://127.0.0.1:8080/register']);
        mailbox.refuseNext(550);
        await expect(run(email, mail)).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining('The email could not be sent.'),
        });
        await mailbox.close();
      });

      test('refuses an address that could not use the invitation', async () => {
        const email = anEmail();
        const known = anEmail();
        await openBrowser(shared).signUp({ email: known });
        const refusals: [string, Record<string, string>, string][] = [[known, {}, 'already has an account']];
        // The other refusals come before the database is opened for writing: one database is enough.
        if (!isPostgres(shared.config.databaseUrl))
          refusals.push(
            ['not an address', {}, 'Usage'],
            [email, { SIGN_UP: 'closed' }, 'SIGN_UP is closed'],
            [email, { SIGN_UP_DOMAINS: 'other.example' }, 'SIGN_UP_DOMAINS'],
          );
        await Promise.all(
          refusals.map(async ([address, env, message]) => {
            await expect(run(address, env)).rejects.toMatchObject({
              code: 1,
              stderr: expect.stringContaining(message),
            });
          }),
        );
        shared.config.signUp = 'invited';
        expect((await openBrowser(shared).signUp({ email })).statusCode).toBe(403);
      });
    });
  });

  describe('the round trip', () => {
    async function begun(returnTo?: string) {
      const browser = openBrowser(shared);
      const started = await browser.post('/api/auth/sign-in/social', { provider: 'github', returnTo });
      const authorize = new URL(started.json().url);
      const choose = new URL(authorize.href.replace('/authorize?', '/choose?'));
      choose.searchParams.set('email', anEmail());
      choose.searchParams.set('name', 'Ines');
      choose.searchParams.set('verified', 'on');
      return { browser, authorize, choose };
    }

    test('belongs to the browser that started it', async () => {
      const { browser, choose } = await begun();
      const callback = String((await browser.get(choose.href)).headers.location);
      const victim = openBrowser(shared);
      const answer = await victim.get(callback);
      expect(answer.headers.location).toMatch(/^\/login\?error=state/);
      expect(await victim.user()).toBeNull();
    });

    test('works once', async () => {
      const { browser, choose } = await begun();
      const callback = String((await browser.get(choose.href)).headers.location);
      await browser.get(callback);
      expect(await browser.may()).toBe(200);
      const again = openBrowser(shared);
      for (const [name, value] of browser.jar) if (name !== 'perfume') again.jar.set(name, value);
      expect((await again.get(callback)).headers.location).toMatch(/^\/login\?error=/);
      expect(await again.user()).toBeNull();
    });

    test('can be cancelled', async () => {
      const { browser, choose } = await begun();
      choose.searchParams.set('cancel', 'yes');
      const back = await browser.get(String((await browser.get(choose.href)).headers.location));
      expect(back.headers.location).toBe('/login?error=access_denied');
    });

    test.each([
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/%2f/evil.example',
      'javascript:alert(1)',
    ])('never ends on another site: %s', async (returnTo) => {
      const { browser, choose } = await begun(returnTo);
      const back = await browser.get(String((await browser.get(choose.href)).headers.location));
      expect(back.headers.location).toBe('/');
    });

    test('starts and ends at our own origin, whatever the headers say', async () => {
      const browser = openBrowser(shared);
      const started = await browser.post(
        '/api/auth/sign-in/social',
        { provider: 'google' },
        { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      );
      expect(started.json().url).not.toContain('evil');
    });
  });

  describe('the stand-in', () => {
    const verifier = 'v'.repeat(64);
    const challenge = createHash('sha256').update(verifier).digest('base64url');

    async function client() {
      const started = await openBrowser(shared).post('/api/auth/sign-in/social', { provider: 'google' });
      const url = new URL(started.json().url);
      url.searchParams.set('code_challenge', challenge);
      url.searchParams.set('email', 'ines@example.com');
      url.searchParams.set('verified', 'on');
      return url;
    }
    const show = (url: URL) => openBrowser(shared).get(pathOf(url.href));
    async function codeFrom(url: URL): Promise<string> {
      const chosen = await show(new URL(url.href.replace('/authorize?', '/choose?')));
      return new URL(String(chosen.headers.location)).searchParams.get('code') ?? '';
    }

    test('shows a page without scripts to choose an identity', async () => {
      const answer = await show(await client());
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-security-policy']).toContain("form-action 'self'");
      expect(answer.body).not.toMatch(/<script|style=|onclick|javascript:/i);
    });

    test.each([
      ['another redirect address', 'redirect_uri', 'https://evil.example/callback'],
      ['one that only begins like ours', 'redirect_uri', 'PREFIX.evil'],
      ['another client', 'client_id', 'someone'],
      ['no PKCE', 'code_challenge_method', 'plain'],
      ['the implicit flow', 'response_type', 'token'],
    ])('never redirects for %s', async (_, name, value) => {
      const url = await client();
      url.searchParams.set(name, value.replace('PREFIX', url.searchParams.get('redirect_uri') ?? ''));
      for (const path of ['/authorize?', '/choose?']) {
        const answer = await show(new URL(url.href.replace('/authorize?', path)));
        expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
      }
    });

    test('exchanges a code once, for the right client, with the right verifier', async () => {
      const url = await client();
      const exchange = async (changes: Record<string, string> = {}) => {
        const form = new URLSearchParams({
          grant_type: 'authorization_code',
          code: await codeFrom(url),
          redirect_uri: url.searchParams.get('redirect_uri') ?? '',
          client_id: url.searchParams.get('client_id') ?? '',
          client_secret: 'guessed',
          code_verifier: verifier,
          ...changes,
        });
        return shared.app.inject({
          method: 'POST',
          url: '/demo/oauth/google/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: form.toString(),
        });
      };
      expect((await exchange()).json()).toEqual({ error: 'invalid_client' });
      expect((await openBrowser(shared).get('/demo/oauth/google/userinfo')).statusCode).toBe(401);
      expect((await openBrowser(shared).get('/demo/oauth/other/userinfo')).statusCode).toBe(404);
    });
  });
});

describe('any OpenID Connect provider', () => {
  const provider = openIdProvider();
  let app: TestApp;
  beforeAll(async () => {
    const issuer = await provider.start();
    const oidc = { issuer, clientId: 'warehouse', clientSecret: 'shared secret', name: 'House of Keys' };
    app = await testApp('SQLite', { providers: { github: null, google: null, oidc } });
  });
  afterAll(async () => {
    await app.close();
    await provider.stop();
  });

  async function trip(claims: Record<string, unknown> = {}, to = app, at = provider, backTo = to) {
    const browser = openBrowser(to);
    const started = await browser.post('/api/auth/sign-in/social', { provider: 'oidc', returnTo: '/about' });
    const authorize = new URL(started.json().url);
    at.next = { nonce: authorize.searchParams.get('nonce'), ...claims };
    const back = new URL(authorize.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'a code');
    back.searchParams.set('state', authorize.searchParams.get('state') ?? '');
    const returning = openBrowser(backTo, browser.address, browser.jar);
    return { browser: returning, location: (await returning.get(back.href)).headers.location };
  }

  test('logs in with an ID token signed for us', async () => {
    const { browser, location } = await trip({
      email: 'key@house.example',
      email_verified: true,
      sub: 'k1',
      name: 'Key',
    });
    expect(location).toBe('/about');
    expect(await browser.user()).toMatchObject({ email: 'key@house.example', name: 'Key', emailVerified: true });
  });

  test('knows people by issuer and subject: another issuer cannot log in to their accounts', async () => {
    const owner = { email: 'k4@house.example', email_verified: true, sub: 'k4', name: 'Owner' };
    const { id } = await (await trip(owner)).browser.user();
    const other = openIdProvider();
    const oidc = { issuer: await other.start(), clientId: 'warehouse', clientSecret: 'another secret', name: 'Other' };
    const { databaseUrl } = app.config;
    const moved = await testApp('SQLite', { databaseUrl, providers: { github: null, google: null, oidc } });
    const stranger = await trip({ ...owner, email: 'stranger@evil.example' }, moved, other);
    expect(await stranger.browser.user()).toMatchObject({ email: 'stranger@evil.example' });
    expect((await stranger.browser.user()).id).not.toBe(id);
    const unverified = await trip({ ...owner, email_verified: false, sub: 'k5' }, moved, other);
    expect(unverified.location).toBe('/login?error=account_not_linked');
    // The owner of the verified address comes back to the same account through the new provider.
    const back = await trip({ ...owner, sub: 'k6' }, moved, other);
    expect(await back.browser.user()).toMatchObject({ id, providers: ['oidc'] });
    await moved.close();
    await other.stop();
  });

  test('finds people whom an earlier version stored without their issuer', async () => {
    const person = { email: 'k7@house.example', email_verified: false, sub: 'k7' };
    const { id } = await (await trip(person)).browser.user();
    const accountIds = async () =>
      (await app.db.query.selectFrom('accounts').select('account_id').where('user_id', '=', id).execute())[0];
    const stored = await accountIds();
    await app.db.change((db) =>
      db.updateTable('accounts').set({ account_id: 'k7' }).where('user_id', '=', id).execute(),
    );
    const restarted = await app.sibling();
    expect(await accountIds()).toEqual(stored);
    expect((await (await trip(person, restarted)).browser.user()).id).toBe(id);
  });

  test.each([
    ['for another client', { aud: 'someone else' }],
    ['from another issuer', { iss: 'https://evil.example' }],
    ['of another round trip', { nonce: 'replayed' }],
    ['signed by nobody known', { forged: true }],
    ['that has run out', { exp: 1_000 }],
  ])('refuses an ID token %s', async (_, claims) => {
    const { browser, location } = await trip({ email: 'k2@house.example', email_verified: true, sub: 'k2', ...claims });
    expect(location).toMatch(/^\/login\?error=/);
    expect(await browser.user()).toBeNull();
  });

  test('a login that started before AUTH_SECRET was replaced ends well', async () => {
    const secret = 'another secret for tests, just as long';
    const claims = { email: 'k5@house.example', email_verified: true, sub: 'k5' };
    const refused = await trip(claims, app, provider, await app.sibling({ secret }));
    expect(refused.location).toMatch(/^\/login\?error=state/);
    const both = await app.sibling({ secret, previousSecret: app.config.secret });
    const { browser, location } = await trip(claims, app, provider, both);
    expect(location).toBe('/about');
    expect(await browser.user()).toMatchObject({ email: 'k5@house.example' });
  });

  test('takes the address from the user info endpoint if the ID token has none, for the same subject only', async () => {
    provider.userInfo = { sub: 'k8', email: 'k8@house.example', email_verified: true };
    expect(await (await trip({ sub: 'k8' })).browser.user()).toMatchObject({ email: 'k8@house.example' });
    // Whether it is verified comes from the same endpoint, whatever the ID token says.
    provider.userInfo = { sub: 'k11', email: 'k11@house.example', email_verified: false };
    const mixed = await trip({ sub: 'k11', email_verified: true });
    expect(await mixed.browser.user()).toMatchObject({ email: 'k11@house.example', emailVerified: false });
    const other = await trip({ sub: 'k9' });
    expect([other.location, await other.browser.user()]).toEqual([expect.stringMatching(/^\/login\?error=/), null]);
  });

  describe('is not used when', () => {
    const claims = { email: 'k10@house.example', email_verified: true, sub: 'k10' };
    afterEach(() => {
      Object.assign(provider, { metadata: {}, redirect: '' });
    });

    test.each([
      ['names another issuer', { metadata: { issuer: 'https://evil.example' } }],
      ['has an address without encryption', { metadata: { token_endpoint: 'ftp://127.0.0.1/token' } }],
      ['is somewhere else', { redirect: '/.well-known/openid-configuration' }],
      ['is too large', { metadata: { padding: 'x'.repeat(300_000) } }],
    ])('its metadata %s, and is as soon as the metadata is right', async (_, wrong) => {
      Object.assign(provider, wrong);
      const fresh = await app.sibling();
      const start = () => openBrowser(fresh).post('/api/auth/sign-in/social', { provider: 'oidc' });
      expect((await start()).statusCode).toBe(404);
      Object.assign(provider, { metadata: {}, redirect: '' });
      expect((await start()).statusCode).toBe(200);
    });

    test.each(['/token', '/userinfo', '/jwks'])('%s redirects', async (redirect) => {
      Object.assign(provider, { redirect, userInfo: claims });
      const { location, browser } = await trip({ sub: claims.sub }, await app.sibling());
      expect([location, await browser.user()]).toEqual([expect.stringMatching(/^\/login\?error=/), null]);
    });
  });

  test('accepts only a true boolean as verified', async () => {
    const { browser } = await trip({ email: 'k3@house.example', email_verified: 'maybe', sub: 'k3' });
    expect(await browser.user()).toMatchObject({ emailVerified: false });
  });
});

function openIdProvider() {
  const keys = generateKeyPair('RS256');
  const others = generateKeyPair('RS256');
  const own = {
    next: {} as Record<string, unknown>,
    userInfo: {} as Record<string, unknown>,
    metadata: {} as Record<string, unknown>,
    /** A path that redirects to itself with a parameter. */
    redirect: '',
    start,
    stop,
  };
  let issuer = '';
  const server = createServer(async (request, response) => {
    const { publicKey, privateKey } = await keys;
    const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (request.url === own.redirect) return response.writeHead(302, { location: `${request.url}?moved` }).end();
    const [path] = (request.url ?? '').split('?');
    if (path === '/userinfo') return send(own.userInfo);
    if (path === '/.well-known/openid-configuration') {
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        ...own.metadata,
      });
    }
    if (path === '/jwks') return send({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }] });
    const { forged, exp, ...claims } = own.next;
    const idToken = await new SignJWT({ iss: issuer, aud: 'warehouse', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime(typeof exp === 'number' ? exp : '5m')
      .sign(forged ? (await others).privateKey : privateKey);
    send({ access_token: 'a token', token_type: 'Bearer', expires_in: 60, id_token: idToken });
  });
  async function start(): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return issuer;
  }
  async function stop(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return own;
}
