import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WireHouse, WireOperatorHouse, WirePerson } from '@perfume/contract/houses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { startMailbox } from '../../testing/mailbox.ts';
import { watch } from '../../testing/watch.ts';
import { isPostgres } from '../db/open.ts';
import {
  anItem,
  nextPage,
  onAnyDatabase,
  onBothDatabases,
  type Person,
  readPages,
  request,
  signedInAs,
  type TestApp,
} from '../testing.ts';

const mailbox = await startMailbox();
afterAll(() => mailbox.close());

const production = { access: 'houses', demo: false, mail: mailbox.settings } as const;

onBothDatabases('the operator', (shared) => operatorTests(shared), production);

function operatorTests(shared: TestApp): void {
  let operator: Person;
  beforeAll(async () => {
    // Unverified accounts do not count.
    await signedInAs(shared, anEmail(), { verified: false });
    operator = await signedInAs(shared);
  });

  const houseOf = async (person: Person) => (await person.call('GET', '/houses')).json<WireHouse[]>()[0] ?? missing();
  const disable = (person: Person, disabled = true) =>
    operator.call('POST', `/operator/people/${person.user.id}/disable`, { body: { disabled } });
  const give = (house: string, userId: string) =>
    operator.call('POST', `/operator/houses/${house}/owner`, { body: { userId } });

  test('is the first verified account, and nobody else', async () => {
    expect((await operator.call('GET', '/operator/houses')).statusCode).toBe(200);
    const other = await signedInAs(shared);
    const { id } = await houseOf(other);
    for (const [method, path, body] of [
      ['GET', '/operator/houses', undefined],
      ['GET', '/operator/people', undefined],
      ['POST', `/operator/people/${operator.user.id}/disable`, { disabled: true }],
      ['POST', `/operator/houses/${id}/owner`, { userId: other.user.id }],
    ] as const) {
      const refused = await other.call(method, path, body ? { body } : {});
      expect([path, refused.statusCode, refused.json().code]).toEqual([path, 403, 'not_allowed']);
      expect((await request(shared, method, path, body ? { body } : {})).statusCode).toBe(401);
    }
  });

  test('lists houses and people page by page, without their stock', async () => {
    const owner = await signedInAs(shared);
    const { id, name } = await houseOf(owner);
    const item = await anItem(owner, { name: 'Secret amber' });
    const houses = await readPages<WireOperatorHouse>(operator, '/operator/houses?limit=2');
    expect(houses.filter((house) => house.id === id)).toEqual([
      { id, name, people: 1, items: 1, createdAt: expect.any(String), lastChangeAt: item.createdAt },
    ]);
    expect(new Set(houses.map((house) => house.id)).size).toBe(houses.length);
    expect(JSON.stringify(houses)).not.toContain('Secret amber');
    expect(nextPage(await operator.call('GET', '/operator/houses?limit=1'))).not.toBeNull();

    const people = await readPages<WirePerson>(operator, '/operator/people?limit=2');
    const { user } = owner;
    expect(people.find((person) => person.id === user.id)).toEqual({
      id: user.id,
      name: user.name,
      email: user.email,
      createdAt: expect.any(String),
      disabled: false,
      houses: 1,
    });
    for (const path of ['/operator/houses?cursor=x', '/operator/people?cursor=x', '/operator/people?limit=201'])
      expect((await operator.call('GET', path)).json().code).toBe('invalid_query');
  });

  test('reads nothing of a house that they are not a member of', async () => {
    const owner = await signedInAs(shared);
    const { id } = await houseOf(owner);
    const item = await anItem(owner);
    const headers = { house: id };
    expect((await operator.call('GET', '/all-inventory-items', { headers })).json().code).toBe('house_not_found');
    expect((await operator.call('GET', `/inventory-items/${item._id}/movements`)).json().code).toBe('item_not_found');
    expect((await operator.call('GET', `/houses/${id}/members`)).json().code).toBe('house_not_found');
  });

  test('disables an account at once, on every server, and enables it again', async () => {
    const email = anEmail();
    const browser = openBrowser(shared);
    await browser.signUp({ email });
    await browser.verify((await mailbox.mailTo(email, 'Verify')).links[0]);
    const person = await signedInAs(shared, email);
    const made = await person.call('POST', '/api-keys', { body: { name: 'Scanner', scope: 'read' } });
    const { accessToken } = (await person.call('POST', '/login', { body: { email } })).json();
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const sibling = await shared.sibling();
    const mayUse = async () => [
      (await person.call('GET', '/all-inventory-items')).statusCode,
      (await request(sibling, 'GET', '/all-inventory-items', bearer(made.json().key))).statusCode,
      (await request(sibling, 'GET', `/my-items?email=${email}`, bearer(accessToken))).statusCode,
    ];
    expect(await mayUse()).toEqual([200, 200, 200]);
    const stream = await watch(sibling, person.cookie);

    const { id } = await houseOf(person);
    await person.call('POST', `/houses/${id}/invitations`, { body: { email: anEmail(), role: 'owner' } });
    const invitations = shared.db.query.selectFrom('house_invitations').where('invited_by', '=', person.user.id);
    const open = async () => (await invitations.select('id').execute()).length;
    expect(await open()).toBe(1);

    const disabledAt = performance.now();
    expect((await disable(person)).json()).toMatchObject({ email, disabled: true });
    expect(await mayUse()).toEqual([401, 401, 401]);
    await stream.closed;
    expect(performance.now() - disabledAt).toBeLessThan(5_000);
    const refused = await openBrowser(shared).post('/api/auth/sign-in/email', { email, password: PASSWORD });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'account_disabled']);
    const wrong = await openBrowser(shared).post('/api/auth/sign-in/email', { email, password: 'wrong one 123' });
    expect(wrong.json().code).toBe('invalid_email_or_password');
    expect((await mailbox.mailTo(email, 'disabled')).text).toContain('disabled your account');
    expect(await open()).toBe(0);

    expect((await disable(person, false)).json()).toMatchObject({ email, disabled: false });
    expect(await mayUse()).toEqual([401, 200, 401]);
    expect((await openBrowser(shared).post('/api/auth/sign-in/email', { email, password: PASSWORD })).statusCode).toBe(
      200,
    );
    await mailbox.mailTo(email, 'works again');
  });

  test('cannot disable themselves, or somebody who does not exist or is not verified', async () => {
    expect((await disable(operator)).json().code).toBe('not_allowed');
    const unverified = await signedInAs(shared, anEmail(), { verified: false });
    for (const id of [randomUUID(), 'nobody', unverified.user.id]) {
      const answer = await operator.call('POST', `/operator/people/${id}/disable`, { body: { disabled: true } });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'person_not_found']);
    }
    expect((await unverified.call('GET', '/api/auth/get-session')).json()).toMatchObject({ user: unverified.user });
  });

  test('hands over a house only when no owner has been left for a week, not to themselves, and the owner is told', async () => {
    const [owner, next] = [await signedInAs(shared), await signedInAs(shared)];
    const disabledSince = (at: number) =>
      shared.db.change((db) =>
        db.updateTable('users').set({ disabled_at: at }).where('id', '=', owner.user.id).execute(),
      );
    const week = 7 * 24 * 60 * 60 * 1_000;
    const { id, name } = await houseOf(owner);
    const own = await houseOf(next);
    const answer = await give(id, next.user.id);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'has_owner']);
    await disable(owner);
    await disabledSince(Date.now() - week + 60_000);
    expect((await give(id, next.user.id)).json().code).toBe('has_owner');
    await disabledSince(Date.now() - week);
    expect((await give(id, operator.user.id)).json().code).toBe('not_allowed');
    expect((await give(id, owner.user.id)).json().code).toBe('person_not_found');
    expect((await give(randomUUID(), next.user.id)).json().code).toBe('house_not_found');
    expect((await give(id, next.user.id)).json()).toMatchObject({ id, people: 2 });
    const houses = (await next.call('GET', '/houses')).json<WireHouse[]>();
    expect(houses).toMatchObject([
      { id: own.id, role: 'owner', current: true },
      { id, role: 'owner', current: false },
    ]);
    const [entry] = (await next.call('GET', `/houses/${id}/events`)).json();
    expect(entry).toMatchObject({ kind: 'joined', person: { id: next.user.id }, by: { id: operator.user.id } });
    expect((await mailbox.mailTo(next.user.email, 'own a house')).text).toContain(name);
    expect((await mailbox.mailTo(owner.user.email, 'owners')).text).toContain(next.user.name);
    expect((await give(id, next.user.id)).json().code).toBe('has_owner');
  });

  test('needs a fresh proof for changes', async () => {
    const person = await signedInAs(shared);
    await shared.db.change((db) =>
      db.updateTable('sign_ins').set({ proven_at: 0 }).where('user_id', '=', operator.user.id).execute(),
    );
    expect((await disable(person)).json().code).toBe('proof_needed');
    expect((await give((await houseOf(person)).id, person.user.id)).json().code).toBe('proof_needed');
  });
}

onBothDatabases('npm run operator', (shared) => programTests(shared), production);

function programTests(shared: TestApp): void {
  async function run(...args: string[]): Promise<string> {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const { dataDir, databaseUrl } = shared.config;
    const place = { DATA_DIR: dataDir, ...(isPostgres(databaseUrl) && { DATABASE_URL: databaseUrl }) };
    const program = join(import.meta.dirname, '../programs/operator.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, ...place },
    }).catch((error: { stderr: string }) => ({ stdout: `refused: ${error.stderr}` }));
    return stdout.trim();
  }
  const statusFor = async (person: Person) => (await person.call('GET', '/operator/people')).statusCode;

  test('names the operator of a server that is running, replaces and removes them', async () => {
    const [first, next] = [await signedInAs(shared), await signedInAs(shared)];
    const [one, two] = [first.user.email, next.user.email];
    expect([await statusFor(first), await statusFor(next)]).toEqual([200, 403]);
    expect(await run(two.toUpperCase())).toBe(`${one} is no longer the operator.\n${two} is the operator.`);
    expect([await statusFor(first), await statusFor(next)]).toEqual([403, 200]);
    expect(await run(two)).toBe(`${two} is the operator.`);
    expect(await run(one, '--remove')).toBe(`refused: ${one} is not the operator.`);
    expect(await run(two, '--remove')).toBe(`${two} is no longer the operator.`);
    expect([await statusFor(first), await statusFor(next)]).toEqual([403, 403]);
  });

  test('refuses an account that does not exist, is not verified or was disabled, and changes nothing', async () => {
    const [operator, unverified, disabled] = [
      await signedInAs(shared),
      await signedInAs(shared, anEmail(), { verified: false }),
      await signedInAs(shared),
    ];
    await run(operator.user.email);
    const disable = `/operator/people/${disabled.user.id}/disable`;
    expect((await operator.call('POST', disable, { body: { disabled: true } })).statusCode).toBe(200);
    expect(await run('nobody@house.example')).toBe('refused: No account has the email address nobody@house.example.');
    for (const { user } of [unverified, disabled])
      expect(await run(user.email)).toBe(`refused: ${user.email} is not verified or was disabled.`);
    for (const args of [[], [operator.user.email, 'more'], [operator.user.email, '--unknown']])
      expect(await run(...args)).toContain('Usage');
    expect(await statusFor(operator)).toBe(200);
  });
}

onAnyDatabase(
  'in the demo',
  (shared) => {
    test('nobody is the operator', async () => {
      const first = await signedInAs(shared);
      expect((await first.call('GET', '/operator/people')).json().code).toBe('not_allowed');
    });
  },
  { access: 'houses' },
);

function missing(): never {
  throw new Error('it is missing');
}
