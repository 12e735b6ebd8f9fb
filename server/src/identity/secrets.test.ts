import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anEmail, openBrowser, tokenIn } from '../../testing/browser.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import { onBothDatabases } from '../testing.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

onBothDatabases(
  'the log',
  (shared) => {
    const printed: string[] = [];
    beforeEach(() => {
      for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) {
        vi.spyOn(console, way).mockImplementation((...said: unknown[]) => void printed.push(JSON.stringify(said)));
      }
    });
    afterEach(() => vi.restoreAllMocks());

    test('of a whole session holds no password, cookie, token, link or email address', async () => {
      if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
      const email = `canary-${anEmail()}`;
      const [password, second, third] = ['canary velvet anchor', 'canary tulip second', 'canary tulip third'];
      const secrets: string[] = [email, password, second, third, 'canary'];
      const browser = openBrowser(shared);
      const remember = () => {
        for (const value of browser.jar.values()) secrets.push(value, decodeURIComponent(value).split('.')[0] ?? '');
      };
      const mailed = async (about: string) => {
        const link = new URL((await mailbox.mailTo(email, about)).links[0] ?? '');
        secrets.push(link.href, tokenIn(link), link.hash);
        return link;
      };

      await browser.signUp({ email, password, returnTo: '/about?canary-return=1' });
      remember();
      await browser.post('/api/auth/send-verification-email', {});
      const link = await mailed('Verify');
      await browser.get(`/api/auth/verify-email?token=${tokenIn(link)}`);
      await browser.verify(link.href);
      await browser.signIn(email, 'canary wrong password');
      for (const asked of [
        { email, password },
        { email, password: second },
      ])
        await browser.post('/api/auth/sign-in/email', asked);
      remember();
      const { accessToken } = (await browser.post('/login', { email })).json();
      secrets.push(accessToken, accessToken.split('.')[2]);
      await browser.get(`/my-items?email=${email}`, { authorization: `Bearer ${accessToken}` });
      await browser.get(`/my-items?email=${email}`, { authorization: `Bearer ${accessToken}x` });
      const { key } = (await browser.post('/api-keys', { name: 'canary key', scope: 'full' })).json();
      secrets.push(key, key.slice(3));
      for (const sent of [key, `${key}x`, `pw_canary ${key}`])
        await browser.post('/new-inventory-item', { name: 'canary' }, { authorization: `Bearer ${sent}` });
      await browser.post('/api/auth/change-password', { currentPassword: password, newPassword: second });
      remember();
      const setup = (await browser.post('/api/auth/two-factor/enable', {})).json();
      const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate();
      await browser.post('/api/auth/two-factor/confirm', { code: 'canary-code' });
      const { backupCodes } = (await browser.post('/api/auth/two-factor/confirm', { code })).json();
      secrets.push(setup.secret, setup.totpURI, code, ...backupCodes);
      await browser.signIn(email, second);
      await browser.post('/api/auth/two-factor/verify-totp', { code });
      remember();
      await browser.post('/api/auth/two-factor/verify-backup-code', { code: backupCodes[0] });
      await browser.post('/api/auth/prove', { password: second, code });
      await browser.post('/api/auth/two-factor/disable', {});
      await browser.call('POST', '/api/auth/passkey/generate-authenticate-options');
      remember();
      await browser.post('/api/auth/request-password-reset', { email });
      const token = tokenIn(await mailed('Set a new password'));
      await browser.post('/api/auth/reset-password', { token, newPassword: third });
      await browser.post('/api/auth/reset-password', { token, newPassword: third });
      await browser.get(`/api/auth/verify-email?token=canary-token`);
      await browser.post('/api/auth/sign-up/email', { email, password, name: 'Canary canary', role: 'canary' });
      await browser.signUp({ email, password });
      const back = await browser.social('github', { email, verified: true, name: 'canary' });
      secrets.push(String(back.headers.location).slice(1) || 'canary');
      remember();
      const thief = openBrowser(shared);
      await thief.social('google', { email, verified: false });
      await thief.get('/api/auth/callback/github?code=canary-code&state=canary-state&error=canary');
      await thief.post('/api/auth/sign-in/email', `{"email":"${email}","password":"canary`);
      await browser.call('POST', '/api/auth/sign-out');

      const said = [...shared.log, ...printed].join('\n');
      expect(said).toContain('/api/auth/sign-in/email');
      expect(secrets.filter((secret) => secret.length > 5 && said.includes(secret))).toEqual([]);
    });

    test('has a database failure, and the response says when to retry', async () => {
      const away = await shared.sibling();
      await openBrowser(away).signIn(anEmail());
      await away.db.close();
      const browser = openBrowser(away);
      for (const answer of [
        await browser.signIn('canary-away@house.example', 'canary password'),
        await browser.signUp({ email: 'canary-away@house.example' }),
      ]) {
        expect(answer.statusCode).toBeGreaterThanOrEqual(500);
        expect(answer.body).not.toMatch(/sql|select|stack|node_modules|canary/i);
      }
      expect([...away.log, ...printed].join('\n')).not.toMatch(/canary|house\.example/);
      away.db.close = async () => {};
    });
  },
  { mail: mailbox.settings },
);
