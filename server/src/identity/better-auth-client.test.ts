import { createAuthClient } from 'better-auth/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { anEmail, PASSWORD, tokenIn } from '../../testing/browser.ts';
import { onAnyDatabase, type TestApp } from '../testing.ts';

const NEW_PASSWORD = 'harbour lantern 58 fig';
const HOSTILE = [
  '//evil.example',
  'https://evil.example/x',
  '/\\evil.example',
  'javascript:alert(1)',
  '/%2f/evil.example',
];

/** Creates better-auth's own client, unchanged, with a cookie jar in place of a browser. */
function openBrowserAt(base: string) {
  const jar = new Map<string, string>();
  async function fetchWithCookies(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await fetch(input, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (attributes.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  const client = createAuthClient({
    baseURL: base,
    basePath: '/api/auth',
    fetchOptions: { customFetchImpl: fetchWithCookies },
  });
  return { client, jar, fetchWithCookies };
}

function stockClient(base: string) {
  return openBrowserAt(base).client;
}

onAnyDatabase('the stock better-auth client', (shared) => {
  let base = '';
  beforeAll(async () => {
    base = await shared.app.listen({ host: '127.0.0.1', port: 0 });
  });

  async function newcomer(more: { callbackURL?: string } = {}) {
    const client = stockClient(base);
    const email = anEmail();
    const { data, error } = await client.signUp.email({ name: 'Ann', email, password: PASSWORD, ...more });
    expect(error).toBeNull();
    return { client, email, data };
  }

  test('signs up, logs in and out, and says who is logged in', async () => {
    const visitor = stockClient(base);
    expect(await visitor.getSession()).toEqual({ data: null, error: null });

    const { client, email, data } = await newcomer();
    expect(data).toMatchObject({ token: expect.any(String), user: { email, name: 'Ann', emailVerified: false } });
    const { data: now } = await client.getSession();
    expect(now).toMatchObject({
      user: { id: data?.user.id, email, name: 'Ann', createdAt: expect.any(Date), updatedAt: expect.any(Date) },
      session: { id: expect.any(String), token: data?.token, userId: data?.user.id, expiresAt: expect.any(Date) },
    });

    expect((await client.signOut()).data).toEqual({ success: true });
    expect((await client.getSession()).data).toBeNull();

    const { data: back } = await client.signIn.email({ email, password: PASSWORD, rememberMe: false });
    expect(back).toMatchObject({ redirect: false, token: expect.any(String), user: { email } });
    expect((await client.getSession()).data?.session.token).toBe(back?.token);
  });

  test('is told why it was refused', async () => {
    const { error } = await stockClient(base).signIn.email({ email: anEmail(), password: 'not the password' });
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_email_or_password',
      message: 'Invalid email or password',
    });
  });

  test('never gets the token of the cookie, so no script can', async () => {
    const { client, jar } = openBrowserAt(base);
    const email = anEmail();
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: true };
    for (const ask of [
      () => client.signUp.email({ name: 'Ann', email, password: PASSWORD }),
      () => client.signIn.email({ email, password: PASSWORD }),
      () => client.getSession(),
      () => client.listSessions(),
      () => client.changePassword(change),
    ]) {
      const answer = JSON.stringify(await ask());
      const [token = ''] = decodeURIComponent(jar.get('perfume') ?? '').split('.');
      expect(token).toHaveLength(32);
      expect(answer).toContain('"token"');
      expect(answer).not.toContain(token);
    }
  });

  test('changes the name and the picture', async () => {
    const { client } = await newcomer();
    const image = 'https://pictures.example/ann.jpg';
    expect((await client.updateUser({ name: 'Anne', image })).data).toMatchObject({ status: true });
    expect((await client.getSession()).data?.user).toMatchObject({
      ...{ name: 'Anne', displayName: 'Anne', image, photoURL: image, providers: ['password'] },
    });
    expect((await client.updateUser({ image: 'javascript:alert(1)' })).error).toMatchObject({ status: 422 });
    expect((await client.updateUser({ image: null })).data).toMatchObject({ status: true });
    expect((await client.getSession()).data?.user.image).toBeNull();
  });

  test('changes the password and ends the other sessions', async () => {
    const { client, email } = await newcomer();
    const elsewhere = stockClient(base);
    await elsewhere.signIn.email({ email, password: PASSWORD });
    const { data } = await client.changePassword({
      currentPassword: PASSWORD,
      newPassword: NEW_PASSWORD,
      revokeOtherSessions: true,
    });
    expect(data).toMatchObject({ token: expect.any(String), user: { email } });
    expect((await client.getSession()).data?.session.token).toBe(data?.token);
    expect((await elsewhere.getSession()).data).toBeNull();
    expect((await stockClient(base).signIn.email({ email, password: NEW_PASSWORD })).error).toBeNull();
  });

  test('lists the sessions and ends one, the others or all', async () => {
    const { client, email } = await newcomer();
    const [second, third, fourth] = [stockClient(base), stockClient(base), stockClient(base)];
    for (const other of [second, third, fourth]) await other.signIn.email({ email, password: PASSWORD });
    const { data: all } = await client.listSessions();
    expect(all).toHaveLength(4);
    expect(all?.[0]).toMatchObject({ createdAt: expect.any(Date), expiresAt: expect.any(Date) });

    const { data: seen } = await second.getSession();
    expect((await client.revokeSession({ token: seen?.session.token ?? '' })).data).toEqual({ status: true });
    expect((await second.getSession()).data).toBeNull();
    expect((await third.getSession()).data).not.toBeNull();

    expect((await client.revokeOtherSessions()).data).toEqual({ status: true });
    expect((await third.getSession()).data).toBeNull();
    expect((await client.listSessions()).data).toHaveLength(1);

    await fourth.signIn.email({ email, password: PASSWORD });
    expect((await client.revokeSessions()).data).toEqual({ status: true });
    expect([(await client.getSession()).data, (await fourth.getSession()).data]).toEqual([null, null]);
    expect((await client.listSessions()).error).toMatchObject({ status: 401, code: 'not_signed_in' });
  });

  test('removes its own account once the address is verified', async () => {
    const { client, email } = await newcomer();
    expect((await client.deleteUser()).error).toMatchObject({ status: 403, code: 'email_not_verified' });
    const [newest] = await sentTo(shared, email);
    const { error } = await client.$fetch('/verify-email', {
      method: 'POST',
      body: { token: tokenIn(newest?.links[0]) },
    });
    expect(error).toBeNull();
    expect((await client.deleteUser()).data).toMatchObject({ success: true });
    expect((await client.getSession()).data).toBeNull();
  });

  test('requests the verification email again, for its own address only', async () => {
    const { client, email } = await newcomer();
    expect((await client.sendVerificationEmail({ email, callbackURL: '/dashboard/my-item' })).data).toEqual({
      status: true,
    });
    const [newest] = await sentTo(shared, email);
    expect(newest?.links[0]).toContain(encodeURIComponent('/dashboard/my-item'));
    expect((await client.sendVerificationEmail({ email: anEmail() })).error).toMatchObject({
      status: 403,
      code: 'email_mismatch',
    });
    expect((await stockClient(base).sendVerificationEmail({ email })).error).toMatchObject({ status: 401 });
  });

  test('cannot verify an address by opening the link: it is led to the page', async () => {
    const { client, email } = await newcomer();
    const [newest] = await sentTo(shared, email);
    const token = tokenIn(newest?.links[0]);
    const locations: (string | null)[] = [];
    const fetchOptions = {
      onResponse: ({ response }: { response: Response }) => void locations.push(response.headers.get('location')),
    };
    await client.verifyEmail({ query: { token, callbackURL: '/about' }, fetchOptions });
    expect(locations).toEqual([`/verify-email#token=${token}&returnTo=%2Fabout`]);
    expect((await client.getSession()).data?.user.emailVerified).toBe(false);
  });

  test('sets a new password with the link in the email', async () => {
    const { client, email } = await newcomer();
    const asked = await stockClient(base).requestPasswordReset({
      email,
      redirectTo: `${base}/reset-password?from=mail`,
    });
    expect(asked.data).toMatchObject({ status: true });
    const link = await resetLink(email);
    expect(`${link.origin}${link.pathname}`).toBe(`${base}/reset-password`);
    expect(link.searchParams.get('from')).toBe('mail');
    const token = tokenIn(link);
    expect((await client.resetPassword({ newPassword: NEW_PASSWORD, token })).data).toEqual({ status: true });
    expect((await client.getSession()).data).toBeNull();
    expect((await client.signIn.email({ email, password: NEW_PASSWORD })).error).toBeNull();
  });

  describe('logs in through a provider', () => {
    async function comeBack(
      { fetchWithCookies }: ReturnType<typeof openBrowserAt>,
      url: string,
      { cancel = false } = {},
    ) {
      const choose = new URL(url.replace('/authorize?', '/choose?'));
      choose.searchParams.set('name', 'Ines');
      choose.searchParams.set('email', anEmail());
      choose.searchParams.set('verified', 'on');
      if (cancel) choose.searchParams.set('cancel', 'yes');
      const chosen = await fetchWithCookies(choose);
      const back = await fetchWithCookies(chosen.headers.get('location') ?? '');
      return back.headers.get('location');
    }

    test('and returns to the requested page', async () => {
      const browser = openBrowserAt(base);
      const { data } = await browser.client.signIn.social({
        provider: 'github',
        callbackURL: `${base}/dashboard/my-item?q=a%2Fb#x`,
        errorCallbackURL: '/register',
        newUserCallbackURL: '/about',
        disableRedirect: true,
      });
      expect(data).toMatchObject({ redirect: false, url: expect.stringContaining(`${base}/demo/oauth/github/`) });
      expect(await comeBack(browser, data?.url ?? '')).toBe('/about');
      expect((await browser.client.getSession()).data?.user).toMatchObject({ name: 'Ines', emailVerified: true });
      const { data: again } = await browser.client.signIn.social({ provider: 'github' });
      expect(again).toMatchObject({ redirect: true });
    });

    test('and returns to the requested error page', async () => {
      const browser = openBrowserAt(base);
      const { data } = await browser.client.signIn.social({ provider: 'google', errorCallbackURL: '/register' });
      expect(await comeBack(browser, data?.url ?? '', { cancel: true })).toBe('/register?error=access_denied');
    });

    test.each(HOSTILE)('but never to another site: %s', async (hostile) => {
      for (const cancel of [false, true]) {
        const browser = openBrowserAt(base);
        const { data } = await browser.client.signIn.social({
          provider: 'github',
          callbackURL: hostile,
          errorCallbackURL: hostile,
          newUserCallbackURL: hostile,
        });
        expect(await comeBack(browser, data?.url ?? '', { cancel })).toBe(cancel ? '/login?error=access_denied' : '/');
      }
    });
  });

  describe('is redirected after login', () => {
    test('to the requested page', async () => {
      const { client, email } = await newcomer({ callbackURL: `${base}/dashboard/my-item` });
      const [newest] = await sentTo(shared, email);
      expect(newest?.links[0]).toContain(encodeURIComponent('/dashboard/my-item'));
      const { data } = await client.signIn.email({ email, password: PASSWORD, callbackURL: '/dashboard?x=1#y' });
      expect(data).toMatchObject({ redirect: true, url: '/dashboard?x=1#y' });
    });

    test.each(HOSTILE)('but never to another site: %s', async (hostile) => {
      const { client, email } = await newcomer({ callbackURL: hostile });
      const { data } = await client.signIn.email({ email, password: PASSWORD, callbackURL: hostile });
      expect(data).toMatchObject({ redirect: true, url: '/' });
      await client.sendVerificationEmail({ email, callbackURL: hostile });
      for (const { links } of await sentTo(shared, email)) expect(links.join(' ')).not.toContain('evil');
      await client.requestPasswordReset({ email, redirectTo: hostile });
      const link = await resetLink(email);
      expect(link.href).toBe(`${base}/reset-password#token=${tokenIn(link)}`);
    });
  });

  async function resetLink(email: string): Promise<URL> {
    await expect.poll(async () => (await sentTo(shared, email))[0]?.subject).toContain('Set a new password');
    return new URL((await sentTo(shared, email))[0]?.links[0] ?? '');
  }
});

async function sentTo(test: TestApp, email: string): Promise<{ to: string; subject: string; links: string[] }[]> {
  const answer = await test.app.inject({ url: '/demo/outbox' });
  return answer.json<{ to: string; subject: string; links: string[] }[]>().filter(({ to }) => to === email);
}
