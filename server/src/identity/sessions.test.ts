import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { browserName } from '@perfume/domain/browser-name';
import { describe, expect, test } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { isLongForm } from '../../testing/form.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { queryRows } from '../db/core/statement.ts';
import { isPostgres } from '../db/open.ts';
import { onBothDatabases, signedInAs } from '../testing.ts';
import { endSignIns, findUserByEmail, SIGN_IN_LIFETIME_MS } from './identity.store.ts';
import { inviteAddress } from './invitations.store.ts';
import { addPasskey } from './passkeys.store.ts';
import { confirmTwoStep, startTwoStep } from './two-step.store.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
type SignIn = { id: string; token: string; userAgent: string | null; createdAt: string; isThisOne: boolean };

onBothDatabases('the list of sessions', (shared) => {
  async function atTwoPlaces() {
    const email = anEmail();
    const [here, there] = [openBrowser(shared), openBrowser(shared)];
    await here.signUp({ email });
    await there.post('/api/auth/sign-in/email', { email, password: PASSWORD }, { 'user-agent': FIREFOX });
    return { email, here, there };
  }
  const listIn = async (browser: ReturnType<typeof openBrowser>): Promise<SignIn[]> =>
    (await browser.get('/api/auth/list-sessions')).json();

  test('has the newest first, with the browser’s name and the current one marked', async () => {
    const { here, there } = await atTwoPlaces();
    const seen = await listIn(there);
    expect(seen).toMatchObject([
      { userAgent: browserName(FIREFOX), isThisOne: true },
      { userAgent: null, isThisOne: false },
    ]);
    for (const { createdAt } of seen) expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect((await listIn(here)).map(({ isThisOne }) => isThisOne)).toEqual([false, true]);
  });

  test('contains no secret that opens a session', async () => {
    const { here } = await atTwoPlaces();
    const { body } = await here.get('/api/auth/list-sessions');
    const rows = await shared.db.query.selectFrom('sign_ins').select('token_hash').execute();
    for (const { token_hash } of rows) expect(body).not.toContain(token_hash);
    expect(body).not.toContain(here.jar.get('perfume')?.split('.')[0]);
  });

  test("without 'Remember me' a session ends after a day, used or not", async () => {
    const DAY = 24 * 60 * 60 * 1_000;
    const { email, here } = await atTwoPlaces();
    await here.signIn(email, PASSWORD, { rememberMe: false });
    const shortest = async () => {
      const ends = shared.db.query.selectFrom('sign_ins').innerJoin('users', 'users.id', 'sign_ins.user_id');
      const rows = await ends
        .select(['sign_ins.created_at as from', 'sign_ins.expires_at as to'])
        .where('users.email', '=', email)
        .execute();
      return Math.min(...rows.map(({ from, to }) => Math.round((to - from) / DAY)));
    };
    expect(await here.user()).toMatchObject({ email });
    await new Promise(setImmediate);
    expect(await shortest()).toBe(1);
  });

  test('a page that was left open logs out its own person, not whoever has logged in since', async () => {
    const { here } = await atTwoPlaces();
    const logOut = (userId: string) =>
      here.call('POST', '/api/auth/sign-out', { headers: { 'expected-user': userId } });
    expect((await logOut('somebody-else')).json()).toEqual({ success: true });
    const { id } = await here.user();
    await logOut(id);
    expect(await here.user()).toBeNull();
  });

  test('a session ends after 14 days without use, and after 30 days in any case', async () => {
    const DAY = 24 * 60 * 60 * 1_000;
    const { email, here, there } = await atTwoPlaces();
    const ends = () =>
      shared.db.query
        .selectFrom('sign_ins')
        .innerJoin('users', 'users.id', 'sign_ins.user_id')
        .select(['sign_ins.created_at', 'sign_ins.expires_at'])
        .where('users.email', '=', email)
        .execute();
    const daysOf = async () => (await ends()).map((one) => Math.round((one.expires_at - one.created_at) / DAY));
    expect(await daysOf()).toEqual([14, 14]);
    /** Moves the sessions of this person into the past. */
    const age = (days: number) =>
      shared.db.change(async (db) => {
        await queryRows(
          db,
          `update sign_ins set created_at = created_at - $1, updated_at = updated_at - $1, expires_at = expires_at - $1
           where user_id = (select id from users where email = $2)`,
          [days * DAY, email],
        );
      });
    await age(13);
    expect(await here.user()).toMatchObject({ email });
    await expect.poll(async () => (await daysOf()).sort()).toEqual([14, 27]);
    expect(await here.user()).toMatchObject({ email });
    await age(13);
    expect([await here.user(), await there.user()]).toMatchObject([{ email }, null]);
    await expect.poll(async () => (await daysOf()).sort()).toEqual([14, 30]);
    await age(4);
    expect(await here.user()).toBeNull();
  });

  test('leaves out expired sessions', async () => {
    const { email, here } = await atTwoPlaces();
    const old = Date.now() - SIGN_IN_LIFETIME_MS;
    const [earlier] = (await listIn(here)).filter(({ isThisOne }) => !isThisOne);
    await shared.db.change((db) =>
      db
        .updateTable('sign_ins')
        .set({ expires_at: old })
        .where('id', '=', earlier?.id ?? '')
        .execute(),
    );
    expect(await listIn(here)).toHaveLength(1);
    expect(await here.user()).toMatchObject({ email });
  });

  test('one session is ended by id at once, and ending it again is fine', async () => {
    const { email, here, there } = await atTwoPlaces();
    await shared.db.change((db) =>
      db.updateTable('users').set({ email_verified: 1 }).where('email', '=', email).execute(),
    );
    const other = (await listIn(here)).find(({ isThisOne }) => !isThisOne);
    const { accessToken } = (await there.post('/login', { email })).json();
    const bearer = { authorization: `Bearer ${accessToken}` };
    expect((await there.get(`/my-items?email=${email}`, bearer)).statusCode).toBe(200);
    for (let time = 0; time < 2; time++)
      expect((await here.post('/api/auth/revoke-session', { token: other?.token })).json()).toEqual({ status: true });
    expect([await here.user(), await there.user()]).toEqual([expect.anything(), null]);
    expect(await listIn(here)).toHaveLength(1);
    expect((await there.get(`/my-items?email=${email}`, bearer)).statusCode).toBe(401);
  });

  test('nobody can end somebody else’s session', async () => {
    const { here, there } = await atTwoPlaces();
    const stranger = openBrowser(shared);
    await stranger.signUp({ email: anEmail() });
    const tokens = (await listIn(here)).map(({ token }) => token);
    for (const token of [...tokens, '', 'x', '\u0000'])
      expect((await stranger.post('/api/auth/revoke-session', { token })).statusCode).toBe(200);
    expect((await stranger.call('POST', '/api/auth/revoke-sessions')).statusCode).toBe(200);
    expect([await here.user(), await there.user()]).toEqual([expect.anything(), expect.anything()]);
  });

  test('all other sessions are ended together, and this one stays', async () => {
    const { email, here, there } = await atTwoPlaces();
    const third = openBrowser(shared);
    await third.signIn(email);
    expect((await here.call('POST', '/api/auth/revoke-other-sessions')).statusCode).toBe(200);
    expect([await here.user(), await there.user(), await third.user()]).toEqual([expect.anything(), null, null]);
  });

  test('needs a login or a password of the last ten minutes before it ends a session', async () => {
    const { here, there } = await atTwoPlaces();
    await shared.db.change((db) =>
      db
        .updateTable('sign_ins')
        .set({ proven_at: Date.now() - 10 * 60 * 1_000 })
        .execute(),
    );
    const end = async () => (await here.call('POST', '/api/auth/revoke-other-sessions')).json();
    expect(await end()).toMatchObject({ code: 'proof_needed' });
    expect((await here.post('/api/auth/prove', { password: 'not the password' })).json().code).toBe('wrong_password');
    expect([await end(), await there.user()]).toMatchObject([{ code: 'proof_needed' }, expect.anything()]);
    expect((await here.post('/api/auth/prove', { password: PASSWORD })).json()).toEqual({ status: true });
    expect([await end(), await there.user()]).toEqual([{ status: true }, null]);
  });

  describe('npm run end-sign-ins', () => {
    const run = (...args: string[]) => {
      const { dataDir, databaseUrl } = shared.config;
      return runAt({ DATA_DIR: dataDir, ...(isPostgres(databaseUrl) && { DATABASE_URL: databaseUrl }) }, ...args);
    };
    const runAt = (place: Record<string, string>, ...args: string[]) => {
      const program = join(import.meta.dirname, '../programs/end-sign-ins.ts');
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      return promisify(execFile)(process.execPath, [program, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...place } });
    };

    test('lets a session make no key after it was removed by another program', async () => {
      const person = await signedInAs(shared);
      expect((await person.call('GET', '/api-keys')).statusCode).toBe(200);
      const { db } = await shared.sibling();
      await endSignIns(db, person.user.id, null);
      const answer = await person.call('POST', '/api-keys', { body: { name: 'A thief', scope: 'read' } });
      expect(answer.statusCode).toBe(401);
    });

    test('logs a user out everywhere while the server runs', async () => {
      const { email, here, there } = await atTwoPlaces();
      await withSecondStep(email);
      const { id } = (await findUserByEmail(shared.db, email)) as { id: string };
      const invited = { email: 'thief@example.com', email_key: 'thief@example.com', role: 'manager' } as const;
      const open = {
        house: 1,
        token_hash: randomUUID(),
        invited_by: id,
        created_at: 1,
        expires_at: Date.now() + 60_000,
      };
      await shared.db.change((db) =>
        db
          .insertInto('house_invitations')
          .values({ id: randomUUID(), ...invited, ...open })
          .execute(),
      );
      const { stdout } = await run(email.toUpperCase());
      expect(stdout).toBe(
        `${email} was logged out everywhere, and their API keys and passkeys were removed. Password-reset links and invitations to houses that were already sent no longer work.\n`,
      );
      const sent = shared.db.query.selectFrom('house_invitations').select('id').where('invited_by', '=', id);
      expect(await sent.execute()).toEqual([]);
      expect([await here.user(), await there.user()]).toEqual([null, null]);
      expect(await secondStepOf(email)).toEqual(['two_step', 'recovery_codes']);
    });

    test('with --second-step also turns two-step login off, and tells the owner by email', async () => {
      const { email } = await atTwoPlaces();
      await withSecondStep(email);
      const { id: user_id } = (await findUserByEmail(shared.db, email)) as { id: string };
      const times = { created_at: 1, updated_at: 1 };
      const link = { identifier: 'reset', value: user_id, expires_at: Date.now() + 60_000 };
      const provider = { provider_id: 'github', account_id: randomUUID(), password: null };
      await shared.db.change(async (db) => {
        await db
          .insertInto('verifications')
          .values({ id: randomUUID(), ...link, ...times })
          .execute();
        await db
          .insertInto('accounts')
          .values({ id: randomUUID(), user_id, ...provider, ...times })
          .execute();
      });
      expect((await run(email, '--second-step')).stdout).toMatch(/Two-step login was turned off.*\nNo email was sent/);
      expect(await secondStepOf(email)).toEqual([]);
      const ways = await shared.db.query
        .selectFrom('accounts')
        .select('provider_id')
        .where('user_id', '=', user_id)
        .execute();
      expect(ways).toEqual([{ provider_id: 'credential' }]);
      const links = shared.db.query.selectFrom('verifications').select('id').where('value', '=', user_id);
      expect(await links.execute()).toEqual([]);
      // The email does not depend on the database: one is enough.
      if (isPostgres(shared.config.databaseUrl)) return;
      await withSecondStep(email);
      const mailbox = await startMailbox();
      const { smtpUrl, from } = mailbox.settings;
      const place = { DATA_DIR: shared.config.dataDir, SMTP_URL: smtpUrl, MAIL_FROM: from };
      expect((await runAt(place, '--second-step', email)).stdout).toMatch('They were told by email.');
      await mailbox.mailTo(email, 'Two-step login was turned off');
      await mailbox.close();
    });

    async function withSecondStep(email: string) {
      const { id: user_id } = (await findUserByEmail(shared.db, email)) as { id: string };
      const passkey = { name: 'Laptop', public_key: '', counter: 0, transports: '[]', created_at: 1 };
      await addPasskey(shared.db, { id: randomUUID(), user_id, ...passkey });
      await startTwoStep(shared.db, user_id, 'encrypted');
      await confirmTwoStep(shared.db, user_id, { step: 1, now: 1, codeHashes: [randomUUID()] });
    }

    /** The tables that hold something of this person. */
    async function secondStepOf(email: string) {
      const { id } = (await findUserByEmail(shared.db, email)) as { id: string };
      const tables = ['passkeys', 'two_step', 'recovery_codes'] as const;
      const found = tables.map((table) =>
        shared.db.query.selectFrom(table).select('user_id').where('user_id', '=', id).execute(),
      );
      const rows = await Promise.all(found);
      return tables.filter((_, index) => rows[index]?.length);
    }

    test('logs everyone out with --everyone', async () => {
      const [one, other] = [await atTwoPlaces(), await atTwoPlaces()];
      await withSecondStep(one.email);
      const { id: user_id } = (await findUserByEmail(shared.db, one.email)) as { id: string };
      const key = {
        id: randomUUID(),
        key_hash: randomUUID(),
        user_id,
        name: 'Scanner',
        scope: 'read',
        created_at: 1,
        house: SHARED_HOUSE,
      } as const;
      await shared.db.change((db) => db.insertInto('api_keys').values(key).execute());
      const keys = shared.db.query.selectFrom('api_keys').select('id');
      expect(await keys.execute()).not.toEqual([]);
      await inviteAddress(shared.db, 'invited@house.example', Date.now());
      const invitation = {
        id: randomUUID(),
        house: SHARED_HOUSE,
        email: 'invited@house.example',
        email_key: 'invited@house.example',
        role: 'viewer',
        token_hash: randomUUID(),
        invited_by: user_id,
        created_at: 1,
        expires_at: Date.now() + 1_000_000,
      } as const;
      await shared.db.change((db) => db.insertInto('house_invitations').values(invitation).execute());
      await run('--everyone');
      expect(await keys.execute()).toEqual([]);
      for (const table of ['invitations', 'house_invitations'] as const)
        expect([table, await shared.db.query.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
      expect(await secondStepOf(one.email)).toEqual(['two_step']);
      expect([await one.here.user(), await one.there.user(), await other.here.user()]).toEqual([null, null, null]);
    });

    test('reports an unknown or missing email address', async () => {
      // It does not depend on the database: one is enough.
      if (isPostgres(shared.config.databaseUrl) && !isLongForm) return;
      await expect(run('nobody@house.example')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching('No account has'),
      });
      await expect(run()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching('Usage') });
    });

    test('creates no database where there is none', async () => {
      if (isPostgres(shared.config.databaseUrl)) return;
      const folder = join(shared.config.dataDir, 'elsewhere');
      const refused = { code: 1, stderr: expect.stringMatching('There is no database') };
      await expect(runAt({ DATA_DIR: folder }, 'nobody@house.example')).rejects.toMatchObject(refused);
      expect(existsSync(folder)).toBe(false);
    });
  });
});
