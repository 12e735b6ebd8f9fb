import { afterAll, expect, test } from 'vitest';
import { anAddress, anEmail, openBrowser, PASSWORD, tokenIn } from '../../testing/browser.ts';
import { isLongForm } from '../../testing/form.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import type { Db } from '../db/core/database.ts';
import { onBothDatabases, testApp } from '../testing.ts';
import { identitySecret } from './cookie.ts';
import { ensureUser, passwordSetAt } from './identity.store.ts';
import { knownBrowsers } from './known-browsers.ts';
import { attemptLimits } from './limits.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

onBothDatabases(
  'password guessing',
  (shared) => {
    const verified = async (email = anEmail()) => {
      const browser = openBrowser(shared);
      await browser.signUp({ email });
      await browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
      return { email, browser };
    };
    /** Creates an account to attack, without hashing a password. */
    const someone = async () => {
      const email = anEmail();
      await ensureUser(shared.db, { email, name: 'x', emailVerified: true, now: Date.now() });
      return email;
    };

    const markFor = async (email: string) =>
      knownBrowsers(shared.config, shared.db)
        .cookieFor(undefined, email, await passwordSetAt(shared.db, email))
        .split(/[=;]/)[1] ?? '';

    test('is stopped after ten attempts from one IP address, with Retry-After', async () => {
      const email = await someone();
      const guesser = openBrowser(shared);
      const answers = [];
      for (let i = 0; i < 12; i++) answers.push(await guesser.signIn(email, `guess number ${i}`));
      expect(answers.map((answer) => answer.statusCode)).toEqual([...Array(10).fill(401), 429, 429]);
      const refused = answers.at(-1);
      expect(refused?.json()).toMatchObject({ code: 'too_many', message: expect.any(String) });
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(800);
      expect((await guesser.signIn(email, PASSWORD)).statusCode).toBe(429);
    });

    test('gets at most fifty attempts from fifty IP addresses and locks nobody else out', async () => {
      const { email, browser } = await verified();
      await browser.call('POST', '/api/auth/sign-out');
      await browser.signIn(email);
      await browser.call('POST', '/api/auth/sign-out');
      const neighbour = await verified();
      const guessers = Array.from({ length: 50 }, () => openBrowser(shared));
      const waiting = guessers.values();
      let tried = 0;
      // Eight at a time, so that each finds a place in the password queue.
      const guess = async () => {
        for (const guesser of waiting) {
          for (let n = 0; n < (isLongForm ? 20 : 12); n++)
            if ((await guesser.signIn(email, `guess ${n}`)).statusCode !== 429) tried++;
        }
      };
      await Promise.all(Array.from({ length: 8 }, guess));
      expect(tried).toBeLessThanOrEqual(50);
      // Another user from one of the attacker's IP addresses, and the owner from a known browser, still get in.
      const atSamePlace = openBrowser(shared, guessers[0]?.address);
      expect((await atSamePlace.signIn(neighbour.email)).statusCode).toBe(200);
      expect((await browser.signIn(email)).statusCode).toBe(200);
      expect((await openBrowser(shared).signIn(email)).statusCode).toBe(429);
    });

    test('gains nothing from forged IP addresses in headers', async () => {
      const email = await someone();
      const guesser = openBrowser(shared);
      const statuses = [];
      for (let i = 0; i < 12; i++) {
        const forged = {
          'x-forwarded-for': `203.0.113.${i}`,
          'x-real-ip': `203.0.113.${i}`,
          forwarded: `for=10.0.0.${i}`,
        };
        const headers = { ...forged, 'x-warehouse-client-address': `203.0.113.${i}` };
        statuses.push(
          (await guesser.post('/api/auth/sign-in/email', { email, password: `guess ${i}` }, headers)).statusCode,
        );
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });

    test('counts all IP addresses of an IPv6 /64 as one', async () => {
      const email = await someone();
      const statuses = [];
      for (let i = 0; i < 12; i++) {
        const guesser = openBrowser(shared, `2001:db8:${shared.database.length}:1::${i.toString(16)}`);
        statuses.push((await guesser.signIn(email, `guess ${i}`)).statusCode);
      }
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });

    test('does not count as a known browser with the cookie of another account', async () => {
      const [victim, own] = [await verified(), await verified()];
      const guesser = openBrowser(shared);
      await guesser.signIn(own.email);
      const mark = guesser.jar.get('perfume.known') ?? '';
      const statuses = [];
      const attempts = attemptLimits(shared.db, identitySecret(shared.config.secret), Date.now, true);
      for (let i = 0; i < 49; i++) await attempts.spend('signIn', { ip: anAddress(), account: victim.email });
      for (let i = 0; i < 12; i++) {
        const at = openBrowser(shared);
        at.jar.set('perfume.known', mark);
        statuses.push((await at.signIn(victim.email, `guess ${i}`)).statusCode);
      }
      expect(statuses).toEqual([401, ...Array(11).fill(429)]);
      // The guesses did not use up the attempts of the owner's own browser.
      const owner = openBrowser(shared);
      owner.jar.set('perfume.known', await markFor(victim.email));
      expect((await owner.signIn(victim.email)).statusCode).toBe(200);
    });

    test.each(['changed', 'reset'])('gains nothing from a known browser once the password was %s', async (how) => {
      const { email, browser: owner } = await verified();
      const guesser = openBrowser(shared);
      expect((await guesser.signIn(email)).statusCode).toBe(200);
      expect((await owner.signIn(email)).statusCode).toBe(200);
      const newPassword = 'seven quiet amber lamps';
      if (how === 'changed') {
        const body = { currentPassword: PASSWORD, newPassword };
        expect((await owner.post('/api/auth/change-password', body)).statusCode).toBe(200);
      } else {
        await owner.post('/api/auth/request-password-reset', { email });
        const token = tokenIn((await mailbox.mailTo(email, 'Set a new password')).links[0]);
        const body = { token, newPassword };
        expect((await owner.post('/api/auth/reset-password', body)).statusCode).toBe(200);
        expect((await owner.signIn(email, newPassword)).statusCode).toBe(200);
      }
      const attempts = attemptLimits(shared.db, identitySecret(shared.config.secret), Date.now, true);
      for (let i = 0; i < 50; i++) await attempts.spend('signIn', { ip: anAddress(), account: email });
      expect((await guesser.signIn(email, newPassword)).statusCode).toBe(429);
      // The browser that knows the new password is known again.
      expect((await owner.signIn(email, newPassword)).statusCode).toBe(200);
    });

    test('cannot use up the attempts of other browsers with the cookie of one known browser', async () => {
      const { email } = await verified();
      const [owner, guesser] = [openBrowser(shared), openBrowser(shared)];
      for (const browser of [owner, guesser]) expect((await browser.signIn(email)).statusCode).toBe(200);
      const statuses = [];
      for (let i = 0; i < 12; i++) statuses.push((await guesser.signIn(email, `guess ${i}`)).statusCode);
      expect(statuses).toContain(429);
      expect((await owner.signIn(email)).statusCode).toBe(200);
    });

    test('gets no known-browser cookie for an unverified address', async () => {
      const email = anEmail();
      const browser = openBrowser(shared);
      await browser.signUp({ email });
      expect((await browser.signIn(email)).statusCode).toBe(200);
      expect(browser.jar.has('perfume.known')).toBe(false);
    });

    test('from an IP address over its limit writes nothing, whatever accounts it names, until the time is over', async () => {
      let now = Date.now();
      let writes = 0;
      const change: Db['change'] = (work, options) => {
        writes++;
        return shared.db.change(work, options);
      };
      const servers = [1, 2].map(() => attemptLimits({ ...shared.db, change }, 'a secret', () => now, false));
      const ip = anAddress();
      const attempt = (server = servers[0]) => server?.spend('requestReset', { ip, account: anEmail() });
      for (let i = 0; i < 20; i++) expect(await attempt(servers[i % 2])).toBe(null);
      // What one server has counted, the other one knows.
      for (const server of servers) expect(await attempt(server)).toBe(60 * 60);
      expect(writes).toBe(22);
      for (let i = 0; i < 50; i++) expect(await attempt(servers[i % 2])).toBe(60 * 60);
      expect(writes).toBe(22);
      expect(await servers[0]?.spend('requestReset', { ip: anAddress(), account: anEmail() })).toBe(null);
      now += 60 * 60 * 1_000;
      expect(await attempt()).toBe(null);
    });

    test('cannot flood a mailbox', async () => {
      const email = await someone();
      const before = mailbox.mails.length;
      const statuses = [];
      for (let i = 0; i < 8; i++)
        statuses.push((await openBrowser(shared).post('/api/auth/request-password-reset', { email })).statusCode);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      await expect.poll(() => mailbox.mails.slice(before).filter((mail) => mail.to === email).length).toBe(5);
      for (let i = 0; i < 7; i++) statuses.push((await openBrowser(shared).signUp({ email })).statusCode);
      expect(statuses.slice(-2)).toEqual([429, 429]);
    });
  },
  { mail: mailbox.settings },
);

test('attempts are allowed again after the waiting time', async () => {
  let now = Date.now();
  const app = await testApp('SQLite', {}, { clock: () => now });
  const email = anEmail();
  await openBrowser(app).signUp({ email });
  const guesser = openBrowser(app);
  for (let i = 0; i < 11; i++) await guesser.signIn(email, `guess ${i}`);
  expect((await guesser.signIn(email)).statusCode).toBe(429);
  now += 15 * 60 * 1_000 + 1;
  expect((await guesser.signIn(email)).statusCode).toBe(200);
  await app.close();
});

test('behind a trusted proxy, clients are told apart by its headers', async () => {
  const app = await testApp('SQLite', { trustProxy: ['10.0.0.1'] });
  const email = anEmail();
  await openBrowser(app).signUp({ email });
  const guess = async (proxy: string, client: string) =>
    (
      await openBrowser(app, proxy).post(
        '/api/auth/sign-in/email',
        { email, password: 'a wrong guess' },
        { 'x-forwarded-for': client },
      )
    ).statusCode;
  for (let i = 0; i < 11; i++) await guess('10.0.0.1', '203.0.113.1');
  expect(await guess('10.0.0.1', '203.0.113.1')).toBe(429);
  expect(await guess('10.0.0.1', '203.0.113.2')).toBe(401);
  // The proxy appends its entry to the header. What the client wrote before that entry does not count.
  expect(await guess('10.0.0.1', '198.51.100.7, 203.0.113.1')).toBe(429);
  await app.close();
});
