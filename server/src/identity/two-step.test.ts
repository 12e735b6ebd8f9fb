import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test, vi } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { ownOrigin } from '../app.ts';
import { onBothDatabases, signedInAs, type TestApp } from '../testing.ts';

let now = Date.now();
const clock = () => now;
const STEP_MS = 30_000;
const HOUR_MS = 60 * 60 * 1_000;

onBothDatabases(
  'two-step login',
  (shared) => {
    beforeEach(() => {
      now = Date.now();
    });

    test('asks for a code after the password, and opens nothing before it', async () => {
      const { email, browser, codeAt } = await withTwoStep(shared);
      const half = await browser.signIn(email);
      expect(half.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
      expect([await browser.user(), await browser.may()]).toEqual([null, 401]);
      const finished = await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) });
      expect(finished.json()).toMatchObject({ user: { email } });
      expect([(await browser.user())?.email, await browser.may()]).toEqual([email, 200]);
      // The half login is used up, too.
      expect(browser.jar.has('perfume.two-step')).toBe(false);
    });

    test("keeps 'Remember me' off, also after a new password", async () => {
      const { email, browser, codeAt } = await withTwoStep(shared);
      await browser.signIn(email, PASSWORD, { rememberMe: false });
      const body = { currentPassword: PASSWORD, newPassword: 'copper lantern meadow 71' };
      for (const answer of [
        await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) }),
        await browser.post('/api/auth/change-password', body),
      ]) {
        const cookie = [answer.headers['set-cookie'] ?? []].flat().find((line) => line.startsWith('perfume='));
        expect(cookie).not.toMatch(/Max-Age|Expires/);
        const { session } = (await browser.get('/api/auth/get-session')).json();
        expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBeLessThanOrEqual(24 * HOUR_MS);
      }
    });

    test('accepts a code once, and only around its own time', async () => {
      const { email, browser, codeAt } = await withTwoStep(shared);
      const verify = async (code: string) => {
        await browser.signIn(email);
        return (await browser.post('/api/auth/two-factor/verify-totp', { code })).statusCode;
      };
      now += 10 * STEP_MS;
      const code = codeAt(now);
      expect(await verify(codeAt(now - 2 * STEP_MS))).toBe(400);
      expect(await verify(codeAt(now + 2 * STEP_MS))).toBe(400);
      expect([await verify(code), await verify(code)]).toEqual([200, 400]);
      // An older code that was never used is refused after a newer one.
      expect(await verify(codeAt(now - STEP_MS))).toBe(400);
      expect(await verify(codeAt(now + STEP_MS))).toBe(200);
    });

    test('ends the sessions that were opened without it', async () => {
      const email = anEmail();
      const [browser, thief] = [openBrowser(shared), openBrowser(shared)];
      await browser.signUp({ email });
      await shared.db.change((db) =>
        db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
      );
      await thief.signIn(email);
      expect(await thief.may()).toBe(200);
      await browser.post('/api/auth/prove', { password: PASSWORD });
      const { secret } = (await browser.post('/api/auth/two-factor/enable', {})).json();
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
      await browser.post('/api/auth/two-factor/confirm', { code });
      expect([await browser.may(), await thief.may()]).toEqual([200, 401]);
    });

    test('limits wrong codes per account, from any IP address', async () => {
      const { email, codeAt } = await withTwoStep(shared);
      const told = new Set<number>();
      for (let guess = 0; guess < 11; guess++) {
        const stranger = openBrowser(shared);
        await stranger.signIn(email);
        told.add((await stranger.post('/api/auth/two-factor/verify-totp', { code: '000000' })).statusCode);
      }
      expect([...told]).toEqual([400, 429]);
      const late = openBrowser(shared);
      await late.signIn(email);
      expect((await late.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) })).statusCode).toBe(429);
    });

    test('stops guesses that are slow too, tells the owner, and still accepts a recovery code', async () => {
      const { email, browser, codeAt, backupCodes } = await withTwoStep(shared);
      const told = new Set<number>();
      for (let guess = 0; guess < 50; guess++) {
        // Ten guesses, then a pause, as the other limit allows.
        if (guess % 10 === 0) {
          now += 16 * 60 * 1_000;
          await browser.signIn(email);
        }
        told.add((await browser.post('/api/auth/two-factor/verify-totp', { code: '000000' })).statusCode);
      }
      expect([...told]).toEqual([400]);
      const outbox = (await browser.get('/demo/outbox')).json<{ to: string; subject: string }[]>();
      const warnings = outbox.filter(({ to, subject }) => to === email && subject.startsWith('Somebody may know'));
      expect(warnings).toHaveLength(1);
      const logIn = async (path: string, code = '') => {
        now += 16 * 60 * 1_000;
        await browser.signIn(email);
        return (await browser.post(`/api/auth/two-factor/${path}`, { code: code || codeAt(now) })).statusCode;
      };
      expect(await logIn('verify-totp')).toBe(429);
      // A complete login starts the count again.
      expect([await logIn('verify-backup-code', backupCodes[0]), await logIn('verify-totp')]).toEqual([200, 200]);
    });

    test('accepts each recovery code once, and new ones end the old ones', async () => {
      const { email, browser, backupCodes } = await withTwoStep(shared);
      expect(new Set(backupCodes).size).toBe(10);
      const verify = async (code = '') => {
        await browser.signIn(email);
        return (await browser.post('/api/auth/two-factor/verify-backup-code', { code })).statusCode;
      };
      expect([await verify(backupCodes[0]?.toUpperCase()), await verify(backupCodes[0])]).toEqual([200, 400]);
      expect(await verify(backupCodes[2])).toBe(200);
      expect((await browser.get('/api/auth/second-steps')).json()).toMatchObject({ recoveryCodesLeft: 8 });
      const fresh = (await browser.post('/api/auth/two-factor/generate-backup-codes', {})).json().backupCodes;
      expect([await verify(backupCodes[1]), await verify(fresh[1])]).toEqual([400, 200]);
      const outbox = (await browser.get('/demo/outbox')).json<{ to: string; subject: string }[]>();
      const told = outbox.filter(({ to }) => to === email).map(({ subject }) => subject.replace(/ ·.*/, ''));
      expect(told).toContain('New recovery codes were made');
      expect(told.filter((subject) => subject === 'A recovery code was used')).toHaveLength(3);
    });

    test('stays on after a password reset, and a new password ends half logins', async () => {
      const { email, browser, codeAt } = await withTwoStep(shared);
      await browser.signIn(email);
      now += 1_000;
      await shared.db.change((db) => db.updateTable('accounts').set({ updated_at: now }).execute());
      const refused = await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) });
      expect(refused.json()).toMatchObject({ code: 'login_expired' });
      expect((await browser.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true });
    });

    test('a proof needs the password and a code; a login through a provider needs no code', async () => {
      if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
      const { email, browser, codeAt } = await withTwoStep(shared, { provider: 'github' });
      const elsewhere = openBrowser(shared);
      await elsewhere.social('github', { email, verified: true });
      expect(await elsewhere.user()).toMatchObject({ email });
      const attempt = await elsewhere.post('/api/auth/two-factor/disable', {});
      expect(attempt.json()).toMatchObject({ code: 'proof_needed' });
      // Whoever reads the owner's email could open an account elsewhere, so a new provider is refused.
      const thief = openBrowser(shared);
      const back = await thief.social('google', { email, verified: true });
      expect([back.headers.location, await thief.user()]).toEqual(['/login?error=account_not_linked', null]);
      await browser.signIn(email);
      await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) });
      now += 11 * 60 * 1_000;
      const turnOff = async () => (await browser.post('/api/auth/two-factor/disable', {})).json();
      expect(await turnOff()).toMatchObject({ code: 'proof_needed' });
      const wrong = await browser.post('/api/auth/prove', { password: PASSWORD });
      expect([wrong.json().code, (await turnOff()).code]).toEqual(['wrong_code', 'proof_needed']);
      expect((await browser.post('/api/auth/prove', { code: codeAt(now) })).statusCode).toBe(422);
      // A new password ends the other sessions, so the old one alone is not enough for it.
      const newPassword = 'copper lantern meadow 71';
      const change = () => browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
      expect((await change()).json()).toMatchObject({ code: 'proof_needed' });
      await browser.post('/api/auth/prove', { password: PASSWORD, code: codeAt(now) });
      expect((await change()).statusCode).toBe(200);
      expect(await turnOff()).toEqual({ status: true });
      expect((await browser.signIn(email, newPassword)).json()).toMatchObject({ user: { email } });
    });

    test('keeps the secret encrypted, and re-encrypts it after AUTH_SECRET changed', async () => {
      const { email, secret, codeAt } = await withTwoStep(shared);
      const stored = () => shared.db.query.selectFrom('two_step').select('secret').execute();
      const before = await stored();
      expect(JSON.stringify(before)).not.toContain(secret);
      const later = await shared.sibling({
        secret: 'another secret for tests, long enough too',
        previousSecret: shared.config.secret,
      });
      const browser = openBrowser(later);
      await browser.signIn(email);
      const { statusCode } = await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) });
      expect(statusCode).toBe(200);
      // Those of people who did not log in are encrypted again, too.
      const old = new Set(before.map((row) => row.secret));
      await expect.poll(async () => (await stored()).filter((row) => old.has(row.secret))).toEqual([]);
    });

    test('refuses passkeys without a challenge of this browser, and users without a password', async () => {
      const browser = openBrowser(shared);
      const response = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} };
      const refused = { code: 'passkey_refused' };
      const signIn = async () => (await browser.post('/api/auth/passkey/verify-authentication', { response })).json();
      expect(await signIn()).toMatchObject(refused);
      const options = await browser.call('POST', '/api/auth/passkey/generate-authenticate-options');
      expect(options.json()).toMatchObject({ userVerification: 'required', challenge: expect.any(String) });
      expect(await signIn()).toMatchObject(refused);
      // PostgreSQL cannot compare a text with this character.
      response.id = '\0';
      expect(await signIn()).toMatchObject({ code: 'invalid_input' });
      const person = await signedInAs(shared);
      for (const change of ['delete-passkey', 'update-passkey']) {
        const body = { id: '\0', ...(change === 'update-passkey' && { name: 'Phone' }) };
        const answer = await person.call('POST', `/api/auth/passkey/${change}`, { body });
        expect(answer.json()).toMatchObject({ code: 'invalid_input' });
      }
      response.id = 'x';
      const added = await person.call('POST', '/api/auth/passkey/verify-registration', {
        body: { response, name: 'Phone' },
      });
      expect(added.json()).toMatchObject(refused);
      const enabled = await person.call('POST', '/api/auth/two-factor/enable', { body: {} });
      expect(enabled.json()).toMatchObject({ code: 'no_password' });
    });

    test('opens no session with a passkey that its owner removes at that moment', async () => {
      const { user } = await signedInAs(shared);
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(16).toString('base64url');
      const passkey = { id, user_id: user.id, name: 'Lost', counter: 0, transports: '', created_at: now };
      const public_key = Buffer.from(coseKeyOf(publicKey)).toString('base64url');
      await shared.db.change((db) =>
        db
          .insertInto('passkeys')
          .values({ ...passkey, public_key })
          .execute(),
      );
      const logIn = async (thief = openBrowser(shared)) => {
        const options = (await thief.call('POST', '/api/auth/passkey/generate-authenticate-options')).json();
        const response = usedPasskey(options, { id, privateKey, origin: ownOrigin(shared.app, shared.config) });
        const answer = await thief.post('/api/auth/passkey/verify-authentication', { response });
        return [answer.statusCode, thief.jar.has('perfume.known'), await thief.may()];
      };
      expect(await logIn()).toEqual([200, true, 200]);
      const isUsed = async () =>
        (await shared.db.query.selectFrom('passkeys').select('used_at').where('id', '=', id).execute())[0]?.used_at;
      await shared.db.change((db) => db.updateTable('passkeys').set({ used_at: null }).where('id', '=', id).execute());
      const { change } = shared.db;
      // Between the check of the passkey and the new session.
      const spy = vi.spyOn(shared.db, 'change').mockImplementation(async (work, options) => {
        if (await isUsed())
          await change(async (db) => {
            await db.deleteFrom('passkeys').where('id', '=', id).execute();
            await db.deleteFrom('sign_ins').where('user_id', '=', user.id).execute();
          });
        return change(work, options);
      });
      expect(await logIn()).toEqual([401, false, 401]);
      spy.mockRestore();
      const sessions = shared.db.query.selectFrom('sign_ins').select('id').where('user_id', '=', user.id);
      expect(await sessions.execute()).toEqual([]);
    });

    test('adds passkeys without certificates only, and fetches nothing that a certificate names', async () => {
      if (!shared.app.server.listening) await shared.app.listen({ host: '127.0.0.1', port: 0 });
      const { browser, email, codeAt } = await withTwoStep(shared, { provider: 'github' });
      await browser.signIn(email);
      await browser.post('/api/auth/two-factor/verify-totp', { code: codeAt(now) });
      await browser.post('/api/auth/prove', { password: PASSWORD, code: codeAt(now + STEP_MS) });
      const fetched = vi.spyOn(globalThis, 'fetch');
      const add = async (attestation: Attestation, transports: unknown = ['usb']) => {
        const options = (await browser.call('POST', '/api/auth/passkey/generate-register-options')).json();
        const response = newPasskey(options, { origin: ownOrigin(shared.app, shared.config), attestation, transports });
        return (await browser.post('/api/auth/passkey/verify-registration', { response, name: 'Phone' })).statusCode;
      };
      expect([await add('none'), await add('packed')]).toEqual([200, 200]);
      expect([await add('packed with a certificate'), await add('android-key')]).toEqual([400, 400]);
      expect(fetched).not.toHaveBeenCalled();
      fetched.mockRestore();
      // Unknown transports are left out.
      expect([await add('none', 'usb'), await add('none', [...Array(99).fill('x'), 'nfc', 7])]).toEqual([200, 200]);
      const stored = await shared.db.query.selectFrom('passkeys').select('transports').execute();
      expect(stored.map((row) => row.transports).sort()).toEqual(['', 'nfc', 'usb', 'usb']);
      // A new provider does not get around a passkey either.
      await browser.post('/api/auth/two-factor/disable', {});
      const back = await openBrowser(shared).social('google', { email, verified: true });
      expect(back.headers.location).toBe('/login?error=account_not_linked');
      // Nor is a login through a linked one a proof.
      const elsewhere = openBrowser(shared);
      await elsewhere.social('github', { email, verified: true });
      const attempt = await elsewhere.post('/api/auth/revoke-other-sessions', {});
      expect([(await elsewhere.user())?.email, attempt.json().code]).toEqual([email, 'proof_needed']);
    });
  },
  {},
  { clock },
);

type Attestation = 'none' | 'packed' | 'packed with a certificate' | 'android-key';

/** Returns what a browser answers to `options` when it made a passkey. */
function newPasskey(
  { challenge, rp }: { challenge: string; rp: { id: string } },
  { origin, attestation, transports }: { origin: string; attestation: Attestation; transports: unknown },
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }));
  const id = randomBytes(16);
  // The flags say that the person is present and verified, and that a key follows.
  const head = Buffer.concat([sha256(rp.id), Buffer.from([0x45]), Buffer.alloc(4 + 16), Buffer.from([0, id.length])]);
  const authData = Buffer.concat([head, id, coseKeyOf(publicKey)]);
  const signed = {
    alg: -7,
    sig: new Uint8Array(sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)),
  };
  const statement = {
    none: {},
    packed: signed,
    'packed with a certificate': { ...signed, x5c: [certificateOf(publicKey)] },
    'android-key': { ...signed, x5c: [certificateOf(publicKey)] },
  }[attestation];
  const attestationObject = isoCBOR.encode(
    new Map<string, unknown>([
      ['fmt', attestation.split(' ')[0]],
      ['attStmt', new Map(Object.entries(statement))],
      ['authData', new Uint8Array(authData)],
    ]) as never,
  );
  return {
    ...{ id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON: text(clientData), attestationObject: text(attestationObject), transports },
  };
}

/** Returns what a browser answers to `options` when the person used a passkey. */
function usedPasskey(
  { challenge, rpId }: { challenge: string; rpId: string },
  { id, privateKey, origin }: { id: string; privateKey: KeyObject; origin: string },
) {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
  // The flags say that the person is present and verified.
  const authData = Buffer.concat([sha256(rpId), Buffer.from([0x05]), Buffer.alloc(4)]);
  const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
  return {
    ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
    response: { clientDataJSON: text(clientData), authenticatorData: text(authData), signature: text(signature) },
  };
}

/** Encodes an ES256 key of the curve P-256. */
function coseKeyOf(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function text(data: Uint8Array): string {
  return Buffer.from(data).toString('base64url');
}

/** Returns a certificate of an authenticator with this key. Its own signature is not valid, which nobody checks. */
function certificateOf(publicKey: KeyObject): Uint8Array {
  const certificate = Buffer.from(CERTIFICATE, 'base64');
  const key = publicKey.export({ type: 'spki', format: 'der' });
  key.copy(certificate, certificate.indexOf(key.subarray(0, 26)));
  return new Uint8Array(certificate);
}
const CERTIFICATE =
  'MIIB7jCCAZWgAwIBAgIULT98OvKg51I0nnVa+LQGIrt3NlMwCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCRlIxDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjUwMTAxMDAwMDAwWhgPMjA4MTA4MjAwMjE2MjBaME8xCzAJBgNVBAYTAkZSMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzJrRZYpXgcMtyZ3ycPZPwNDHsPC0xPWRfyqwiox55kCVSY047wLnnsBI/vU4R9vtglJZzIX24lxn234ZG5ccF6NNMEswHQYDVR0OBBYEFJwrAtSWtxoLYYo2rWZVrG7rsCJfMB8GA1UdIwQYMBaAFJwrAtSWtxoLYYo2rWZVrG7rsCJfMAkGA1UdEwQCMAAwCgYIKoZIzj0EAwIDRwAwRAIgOUg/R2oA6oL6blrFvsQp/EiJ9MFQK3ZGJLgXhe9XhScCIB9KdBLLUoBrPRlkl41ewGKU5dypi+RoYIGx6nYTX/sz';

/** Signs up and turns two-step login on. Logs out again. */
async function withTwoStep(shared: TestApp, { provider }: { provider?: string } = {}) {
  const email = anEmail();
  const browser = openBrowser(shared);
  await browser.signUp({ email });
  await shared.db.change((db) =>
    db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
  );
  if (provider) await openBrowser(shared).social(provider, { email, verified: true });
  // better-auth reads the real time, so the session would not be fresh by the clock of this test.
  await browser.post('/api/auth/prove', { password: PASSWORD });
  const { secret, qrCode } = (await browser.post('/api/auth/two-factor/enable', {})).json();
  expect(qrCode).toMatch(/^<svg/);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeAt = (timestamp: number) => totp.generate({ timestamp });
  expect((await browser.signIn(email)).json()).toMatchObject({ user: { email } });
  await browser.post('/api/auth/prove', { password: PASSWORD });
  const { backupCodes } = (await browser.post('/api/auth/two-factor/confirm', { code: codeAt(now - STEP_MS) })).json();
  await browser.call('POST', '/api/auth/sign-out');
  return { email, browser, secret, codeAt, backupCodes: backupCodes as string[] };
}
