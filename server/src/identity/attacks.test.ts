import { createHmac } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { anAddress, anEmail, openBrowser, PASSWORD, tokenIn } from '../../testing/browser.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import { onBothDatabases, signedInAs } from '../testing.ts';
import { ensureUser } from './identity.store.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

onBothDatabases(
  'attacks on identity',
  (shared) => {
    const verified = async (email = anEmail()) => {
      const browser = openBrowser(shared);
      await browser.signUp({ email });
      await browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
      return { email, browser };
    };

    describe('forged host headers', () => {
      const evil = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'host=evil.example',
        'x-original-url': 'https://evil.example',
      };

      test('do not change the links in emails', async () => {
        const email = anEmail();
        const browser = openBrowser(shared);
        await browser.post('/api/auth/sign-up/email', { name: 'Ann', email, password: PASSWORD }, evil);
        await browser.post('/api/auth/send-verification-email', {}, evil);
        await browser.post('/api/auth/request-password-reset', { email }, evil);
        await mailbox.mailTo(email, 'Set a new password');
        const mails = mailbox.mails.filter((mail) => mail.to === email);
        expect(mails.length).toBeGreaterThanOrEqual(2);
        for (const mail of mails) {
          expect(`${mail.text}${mail.html}`).not.toContain('evil');
          for (const link of mail.links) expect(new URL(link).hostname).toBe('127.0.0.1');
        }
      });
    });

    describe('open redirects', () => {
      test.each([
        'https://evil.example',
        '//evil.example',
        '/\\evil.example',
        '/%5cevil.example',
        '/\t/evil.example',
        '/.//evil.example',
      ])('a verification link never returns to another site: %j', async (returnTo) => {
        const email = anEmail();
        const browser = openBrowser(shared);
        await browser.signUp({ email, returnTo });
        const link = new URL((await mailbox.mailTo(email, 'Verify')).links[0] ?? '');
        expect(link.hash).toMatch(/&returnTo=%2F$/);
        const query = new URLSearchParams({ token: 'x', returnTo });
        const { headers } = await browser.get(`/api/auth/verify-email?${query}`);
        expect(headers.location).toBe('/verify-email#token=x&returnTo=%2F');
      });
    });

    describe('account enumeration', () => {
      // Timing is noisy on a busy machine; a real leak fails every time.
      const byTheClock = { retry: 2 };

      test(
        'a reset request gets the same body, headers and response time for known and unknown addresses',
        byTheClock,
        async () => {
          const known: string[] = [];
          for (let i = 0; i < 40; i++) {
            const email = anEmail();
            await ensureUser(shared.db, { email, name: 'x', emailVerified: true, now: Date.now() });
            known.push(email);
          }
          const samples = Array.from({ length: 400 }, (_, i) =>
            i % 2 === 0 ? { isKnown: true, email: known[(i / 2) % 40] ?? '' } : { isKnown: false, email: anEmail() },
          ).sort(() => Math.random() - 0.5);
          const answers = new Set<string>();
          const times: { isKnown: boolean; ms: number }[] = [];
          for (const { isKnown, email } of samples) {
            const browser = openBrowser(shared);
            const started = performance.now();
            const answer = await browser.post('/api/auth/request-password-reset', { email });
            times.push({ isKnown, ms: performance.now() - started });
            answers.add(JSON.stringify([answer.statusCode, answer.body, withoutChance(answer.headers)]));
            await new Promise(setImmediate);
          }
          expect([...answers]).toHaveLength(1);
          expect(Math.abs(rankTest(times))).toBeLessThan(4);
        },
      );

      test('a sign-up with a taken address gets the same response and an unverified session', async () => {
        const { email: taken } = await verified();
        const [known, unknown] = [openBrowser(shared), openBrowser(shared)];
        const free = anEmail();
        const seen = async (browser: typeof known, email: string) => {
          const answer = await browser.signUp({ email });
          const { user } = answer.json();
          return [
            answer.statusCode,
            withoutChance(answer.headers),
            { ...user, id: user.id.length, email: user.email === email, createdAt: '', updatedAt: '' },
            Object.keys(await browser.user()),
            await browser.may(),
            (await browser.post('/login', { email })).json().code,
            (await browser.post('/api/auth/send-verification-email', {})).json(),
            (await browser.post('/api/auth/update-user', { name: 'Other' })).statusCode,
          ];
        };
        expect(await seen(known, taken)).toEqual(await seen(unknown, free));
        expect((await mailbox.mailTo(taken, 'already')).text).toContain('/login');
        expect(mailbox.mails.filter((mail) => mail.to === taken && mail.subject.includes('Verify'))).toHaveLength(1);
      });

      test('the response time of a sign-up does not reveal a taken address', {
        ...byTheClock,
        timeout: 120_000,
      }, async () => {
        const times: { isKnown: boolean; ms: number }[] = [];
        for (let i = 0; i < 60; i++) {
          const email = anEmail();
          const isKnown = i % 2 === 0;
          if (isKnown) await ensureUser(shared.db, { email, name: 'x', emailVerified: true, now: Date.now() });
          const started = performance.now();
          await openBrowser(shared).signUp({ email });
          times.push({ isKnown, ms: performance.now() - started });
        }
        expect(Math.abs(rankTest(times))).toBeLessThan(4);
      });

      test('a sign-up with a taken address neither opens nor blocks the existing account', async () => {
        const { email, browser: owner } = await verified();
        const before = await owner.user();
        const stranger = openBrowser(shared);
        await stranger.signUp({ email, password: 'what the stranger chose' });
        expect((await stranger.user()).id).not.toBe(before.id);
        expect((await openBrowser(shared).signIn(email, 'what the stranger chose')).statusCode).toBe(401);
        expect((await openBrowser(shared).signIn(email, PASSWORD)).statusCode).toBe(200);
        expect(await owner.user()).toEqual(before);
        await stranger.post('/api/auth/update-user', { name: 'Stranger' });
        expect((await owner.user()).name).toBe(before.name);
      });
    });

    describe('an account opened with somebody else’s address', () => {
      test('is lost when the owner of the mailbox sets a password', async () => {
        const email = anEmail();
        const squatter = openBrowser(shared);
        await squatter.signUp({ email, password: 'what the squatter chose' });
        const owner = openBrowser(shared);
        await owner.signUp({ email });
        await mailbox.mailTo(email, 'already');
        await owner.post('/api/auth/request-password-reset', { email });
        const token = tokenIn((await mailbox.mailTo(email, 'Set a new password')).links[0]);
        await owner.post('/api/auth/reset-password', { token, newPassword: 'what the owner chose' });
        expect((await owner.signIn(email, 'what the owner chose')).statusCode).toBe(200);
        expect(await owner.may()).toBe(200);
        expect(await squatter.user()).toBeNull();
        expect((await squatter.signIn(email, 'what the squatter chose')).statusCode).toBe(401);
      });
    });

    describe('planted cookies', () => {
      test('end when the victim logs in', async () => {
        const [attacker, victim] = [await verified(), await verified()];
        const planted = attacker.browser.jar.get('perfume') ?? '';
        const browser = openBrowser(shared);
        browser.jar.set('perfume', planted);
        await browser.signIn(victim.email);
        expect(browser.jar.get('perfume')).not.toBe(planted);
        expect(await browser.user()).toMatchObject({ email: victim.email });
        expect(await attacker.browser.user()).toBeNull();
      });

      test('are refused with a token that we did not sign', async () => {
        const browser = openBrowser(shared);
        const { email } = await verified();
        for (const planted of [
          'chosen-by-me',
          'chosen.by-me',
          `x.${Buffer.alloc(32).toString('base64')}`,
          '.',
          '%E0%A4%A',
        ]) {
          browser.jar.set('perfume', planted);
          expect([planted, await browser.user()]).toEqual([planted, null]);
        }
        await browser.signIn(email);
        expect(browser.jar.get('perfume')).not.toContain('chosen');
      });

      test('are refused with another kind of cookie that we did sign', async () => {
        const { email } = await verified();
        const browser = openBrowser(shared);
        await browser.signIn(email, PASSWORD, { rememberMe: false });
        browser.jar.set('perfume', browser.jar.get('perfume.dont_remember') ?? '');
        expect(await browser.user()).toBeNull();
      });
    });

    describe('cross-site requests', () => {
      const paths = [
        'sign-up/email',
        'sign-in/email',
        'sign-in/social',
        'sign-out',
        'request-password-reset',
        'reset-password',
        'send-verification-email',
        'update-user',
        'change-password',
      ];

      test.each(paths)('are refused by /api/auth/%s', async (path) => {
        const browser = openBrowser(shared);
        browser.jar.set('perfume', (await signedInAs(shared)).cookie.replace('perfume=', ''));
        for (const headers of [
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { origin: 'http://evil.example', host: 'evil.example' },
          { 'sec-fetch-site': 'cross-site' },
        ]) {
          const answer = await browser.post(`/api/auth/${path}`, {}, headers as unknown as Record<string, string>);
          expect([answer.statusCode, answer.json().code]).toEqual([403, 'cross_site']);
        }
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
          const answer = await browser.post(`/api/auth/${path}`, '{"name":"x"}', { 'content-type': type });
          expect([type, answer.statusCode]).toEqual([type, 415]);
        }
        expect(await browser.may()).toBe(200);
      });
    });

    describe('other spellings of an email address', () => {
      test('find the same person or nobody', async () => {
        const name = `ann-${anAddress().replaceAll('.', '-')}-${shared.database.toLowerCase()}`;
        const { browser } = await verified(`${name}@house.example`);
        const { id } = await browser.user();
        const wide = [...name]
          .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.charCodeAt(0) + 0xfee0) : letter))
          .join('');
        for (const email of [
          `${name.toUpperCase()}@HOUSE.example`,
          ` ${name}@house.example `,
          `${wide}@house.example`,
          `${name}＠house．example`,
        ]) {
          const known = openBrowser(shared);
          expect([email, (await known.signIn(email)).statusCode]).toEqual([email, 200]);
          expect((await known.user()).id).toBe(id);
          const stranger = openBrowser(shared);
          await stranger.signUp({ email });
          expect((await stranger.user()).id).not.toBe(id);
          expect(await stranger.may()).toBe(403);
        }
        // Cyrillic а, Greek ο, dotless ı, a zero-width space: different letters, so unknown addresses.
        for (const email of [
          `аnn@house.example`,
          `ann@hοuse.example`,
          `anı@house.example`,
          `an\u200bn@house.example`,
        ]) {
          expect([email, (await openBrowser(shared).signUp({ email })).statusCode]).toEqual([email, 422]);
        }
      });
    });

    describe('forged access tokens', () => {
      test('are refused', async () => {
        const person = await signedInAs(shared);
        const { email } = person.user;
        const { accessToken } = (await person.call('POST', '/login', { body: { email } })).json();
        const claims = decodeJwt(accessToken);
        const key = createHmac('sha256', shared.config.secret).update('access-token').digest();
        const make = (changes: object, by: Uint8Array = key, alg = 'HS256') =>
          new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg }).sign(by);
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        const open = async (token: string, to = email) =>
          (await shared.app.inject({ url: `/my-items?email=${to}`, headers: { authorization: `Bearer ${token}` } }))
            .statusCode;
        expect(await open(await make({}))).toBe(200);

        const identityKey = createHmac('sha256', shared.config.secret).update('identity').digest('base64url');
        const forged = {
          none: `${part({ alg: 'none' })}.${part(claims)}.`,
          'None, with the old signature': `${part({ alg: 'None' })}.${part(claims)}.${accessToken.split('.')[2]}`,
          'another key': await make({}, Buffer.alloc(32, 7)),
          'the secret itself': await make({}, Buffer.from(shared.config.secret)),
          'the key of links and cookies': await make({}, Buffer.from(identityKey)),
          'another algorithm': await make({}, key, 'HS512'),
          expired: await make({ exp: Math.floor(Date.now() / 1_000) - 1 }),
          'without an end': await make({ exp: undefined }),
          'another audience': await make({ aud: 'everything' }),
          'no audience': await make({ aud: undefined }),
          'another issuer': await make({ iss: 'evil' }),
          'no sign-in': await make({ sid: undefined }),
          'a sign-in of nobody': await make({ sid: 'x' }),
          'another person': await make({ sub: (await signedInAs(shared)).user.id }),
        };
        for (const [name, token] of Object.entries(forged)) expect([name, await open(token)]).toEqual([name, 401]);
      });
    });
  },
  { mail: mailbox.settings },
);

function withoutChance(headers: Record<string, unknown>) {
  const { date, 'x-request-id': id, 'set-cookie': cookies, 'content-length': length, ...rest } = headers;
  const attributes = [cookies ?? []].flat().map((cookie) => String(cookie).replace(/=[^;]+/, '=…'));
  return { ...rest, attributes, seen: [typeof date, typeof id, typeof length] };
}

/** Mann–Whitney U test: returns how many standard deviations apart the ranks of the two groups are. */
function rankTest(times: { isKnown: boolean; ms: number }[]): number {
  const sorted = times.toSorted((a, b) => a.ms - b.ms);
  const known = sorted.filter(({ isKnown }) => isKnown).length;
  const unknown = sorted.length - known;
  const ranks = sorted.reduce((sum, { isKnown }, i) => (isKnown ? sum + i + 1 : sum), 0);
  const u = ranks - (known * (known + 1)) / 2;
  return (u - (known * unknown) / 2) / Math.sqrt((known * unknown * (sorted.length + 1)) / 12);
}
