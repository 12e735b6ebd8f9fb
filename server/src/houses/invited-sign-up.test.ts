import type { WireHouse } from '@perfume/contract/houses';
import { expect, test } from 'vitest';
import { anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { onBothDatabases, type Person, request, signedInAs, type TestApp } from '../testing.ts';

onBothDatabases('signing up through an invitation', (shared) => tests(shared), { access: 'houses' });

function tests(shared: TestApp): void {
  const emailsTo = async (email: string) => {
    const sent = (await request(shared, 'GET', '/demo/outbox')).json<{ to: string; text: string; links: string[] }[]>();
    return sent.filter(({ to }) => to === email);
  };

  async function invite(owner: Person, email = anEmail()) {
    const [house] = (await owner.call('GET', '/houses')).json<WireHouse[]>();
    const answer = await owner.call('POST', `/houses/${house?.id}/invitations`, { body: { email, role: 'keeper' } });
    const [mail] = await emailsTo(email);
    const token = /invitation#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    return { email, token, id: answer.json<{ id: string }>().id, house: house?.id };
  }

  function signUp(person: { email: string; invitation: string; password?: string }, browser = openBrowser(shared)) {
    return browser.post('/api/auth/sign-up/email', { name: 'Ines', password: PASSWORD, ...person });
  }

  /** The answer to a sign-up that was refused, and whether the address has a verified account after it. */
  async function refusal(person: { email: string; invitation: string }) {
    const browser = openBrowser(shared);
    const { code } = (await signUp(person, browser)).json();
    const users = shared.db.query.selectFrom('users').select('email_verified').where('email', '=', person.email);
    const isVerified = (await users.execute()).some(({ email_verified }) => email_verified === 1);
    return { code, isVerified, user: await browser.user() };
  }
  const nothing = { code: 'invalid_link', isVerified: false, user: null };

  test('makes a person verified, logged in and a member at once, without another email', async () => {
    const { email, token, house } = await invite(await signedInAs(shared));
    const browser = openBrowser(shared);
    const answer = await signUp({ email: email.toUpperCase(), invitation: token }, browser);
    expect([answer.statusCode, answer.json().user]).toMatchObject([200, { email, emailVerified: true }]);
    const houses = (await browser.get('/houses')).json();
    expect(houses).toMatchObject([{ id: house, role: 'keeper', current: true }]);
    expect(await emailsTo(email)).toHaveLength(1);
    // This browser is known to the account, so the next login in it sends no email either.
    await browser.post('/api/auth/sign-out', {});
    expect((await browser.signIn(email)).statusCode).toBe(200);
    expect(await emailsTo(email)).toHaveLength(1);
  });

  test('verifies no other address than the invited one', async () => {
    const { email, token } = await invite(await signedInAs(shared));
    expect(await refusal({ email: anEmail(), invitation: token })).toEqual(nothing);
    expect((await signUp({ email, invitation: token })).statusCode).toBe(200);
  });

  test('verifies nobody with a link that is used, withdrawn, expired or replaced by a new one', async () => {
    const owner = await signedInAs(shared);
    const used = await invite(owner);
    await (await signedInAs(shared)).call('POST', '/invitations/accept', { body: { token: used.token } });
    const withdrawn = await invite(owner);
    await owner.call('DELETE', `/invitations/${withdrawn.id}`);
    const replaced = await invite(owner);
    await invite(owner, replaced.email);
    const expired = await invite(owner);
    await shared.db.change((db) =>
      db.updateTable('house_invitations').set({ expires_at: Date.now() }).where('id', '=', expired.id).execute(),
    );
    for (const { email, token } of [used, withdrawn, replaced, expired])
      expect(await refusal({ email, invitation: token })).toEqual(nothing);
    expect(await refusal({ email: anEmail(), invitation: 'guessed' })).toEqual(nothing);
  });

  test('leaves nothing of an account that somebody else opened with the invited address', async () => {
    const email = anEmail();
    const stranger = openBrowser(shared);
    await stranger.signUp({ email, name: 'Stranger', password: 'planted by a stranger' });
    const [{ links = [] } = {}] = await emailsTo(email);
    const { token } = await invite(await signedInAs(shared), email);
    const browser = openBrowser(shared);
    expect((await signUp({ email, invitation: token }, browser)).json().user).toMatchObject({ email, name: 'Ines' });
    expect(await stranger.user()).toBeNull();
    const login = await stranger.signIn(email, 'planted by a stranger');
    expect(login.json().code).toBe('invalid_email_or_password');
    expect((await stranger.verify(links[0])).json().code).toBe('invalid_link');
    expect(await browser.may()).toBe(200);
  });

  test('changes nothing of a verified account with the address, which accepts after a login', async () => {
    const { email, token } = await invite(await signedInAs(shared));
    const person = await signedInAs(shared, email);
    const answer = await signUp({ email, invitation: token });
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'already_verified']);
    expect((await openBrowser(shared).signIn(email)).json().code).toBe('invalid_email_or_password');
    expect((await person.call('POST', '/invitations/accept', { body: { token } })).statusCode).toBe(200);
  });

  test('works once when several people try the link at the same time', async () => {
    const other = await signedInAs(shared);
    const { email, token, house } = await invite(await signedInAs(shared));
    const answers = await Promise.all([
      signUp({ email, invitation: token }),
      signUp({ email, invitation: token }),
      other.call('POST', '/invitations/accept', { body: { token } }),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const verified = shared.db.query.selectFrom('users').where('email', '=', email).where('email_verified', '=', 1);
    const joined = shared.db.query.selectFrom('members').innerJoin('houses', 'houses.num', 'members.house');
    expect(
      await joined
        .select('user_id')
        .where('houses.id', '=', house ?? '')
        .execute(),
    ).toHaveLength(2);
    expect(await verified.select('id').execute()).toHaveLength(answers[2].statusCode === 200 ? 0 : 1);
  });

  test.each([
    [{ signUp: 'closed' }, 'sign_up_closed'],
    [{ signUp: 'invited' }, 'sign_up_refused'],
    [{ signUpDomains: ['other.example'] }, 'sign_up_refused'],
  ] as const)('opens no account that the server does not admit: %o', async (config, code) => {
    const { email, token } = await invite(await signedInAs(shared));
    const server = await shared.sibling({
      ...config,
      signUpDomains: [...('signUpDomains' in config ? config.signUpDomains : [])],
    });
    const answer = await signUp({ email, invitation: token }, openBrowser(server));
    expect([answer.statusCode, answer.json().code]).toEqual([403, code]);
    expect((await signUp({ email, invitation: token })).statusCode).toBe(200);
  });
}
