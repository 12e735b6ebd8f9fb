import { expect, test } from 'vitest';
import { anEmail, openBrowser, tokenIn } from '../../testing/browser.ts';
import { setDemoAccounts } from '../houses/demo-accounts.ts';
import { onAnyDatabase, onBothDatabases, testApp } from '../testing.ts';
import { seedDemo } from './seed.ts';

onAnyDatabase('the demo', (shared) => {
  test('the dealer logs in by button and by form as the same user', async () => {
    await seedDemo(shared.db, Date.now());
    const [button, form] = [openBrowser(shared), openBrowser(shared)];
    expect((await button.call('POST', '/demo/sign-in')).json()).toEqual({
      email: 'demo@perfume.example',
      name: 'Demo Dealer',
    });
    expect((await form.signIn('demo@perfume.example', 'perfume-demo-1')).statusCode).toBe(200);
    expect(await form.user()).toEqual(await button.user());
    expect(await button.may()).toBe(200);
    expect((await openBrowser(shared).signIn('demo@perfume.example', 'perfume-demo-2')).statusCode).toBe(401);
  });

  test('nobody logs in with the accounts of the demo where its data is used in production', async () => {
    await seedDemo(shared.db, Date.now());
    const signIn = () => openBrowser(shared).signIn('demo@perfume.example', 'perfume-demo-1');
    const before = openBrowser(shared);
    await before.signIn('demo@perfume.example', 'perfume-demo-1');
    const key = (await before.post('/api-keys', { name: 'Scanner', scope: 'full' })).json<{ key: string }>().key;
    const withKey = async () =>
      (await openBrowser(shared).get('/all-inventory-items', { authorization: `Bearer ${key}` })).statusCode;
    expect([await before.may(), await withKey()]).toEqual([200, 200]);

    expect(await setDemoAccounts(shared.db, false, Date.now())).toBe(1);
    expect((await signIn()).statusCode).toBe(403);
    expect([await before.may(), await withKey()]).toEqual([401, 401]);
    expect(await setDemoAccounts(shared.db, false, Date.now())).toBe(0);

    expect(await setDemoAccounts(shared.db, true, Date.now())).toBe(1);
    expect((await signIn()).statusCode).toBe(200);
  });

  test('the outbox shows the newest email first, as JSON and as a page', async () => {
    const browser = openBrowser(shared);
    const email = anEmail();
    await browser.signUp({ email, name: '<b>Ann</b>' });
    await browser.post('/api/auth/send-verification-email', {});
    const answer = await browser.get('/demo/outbox');
    const [first] = answer.json();
    expect(Object.keys(first).sort()).toEqual(['links', 'subject', 'text', 'to']);
    expect(first).toMatchObject({ to: email, subject: expect.stringContaining('Verify') });
    const page = await browser.get('/demo/outbox', { accept: 'text/html,*/*' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.body).toContain(email);
    expect(page.body).toContain(`href="/verify-email#token=${tokenIn(first.links[0])}&#38;returnTo=%2F"`);
    expect(page.body).not.toMatch(/<script|style=|href="http/);
  });

  test('the home page gets the list of login providers', async () => {
    const plain = await testApp('SQLite', {
      mail: { smtpUrl: 'smtp://127.0.0.1:1', from: 'a@b.example' },
      demo: false,
    });
    expect((await openBrowser(plain).post('/api/auth/sign-in/social', { provider: 'google' })).statusCode).toBe(404);
    expect((await openBrowser(shared).post('/api/auth/sign-in/social', { provider: 'google' })).statusCode).toBe(200);
    expect((await openBrowser(shared).post('/api/auth/sign-in/social', { provider: 'oidc' })).statusCode).toBe(404);
    await plain.close();
  });
});

onBothDatabases(
  'the demo with houses',
  (shared) => {
    test('has a dealer and a supplier with somebody in each role, and each sees their own stock', async () => {
      await seedDemo(shared.db, Date.now(), 'houses');
      const page = (await openBrowser(shared).get('/demo')).body;
      for (const [first, house, items] of [
        ['demo', 'Rive Parfumerie', 24],
        ['supplier', 'Maison Verrière', 4],
      ] as const) {
        const people = ['owner', 'manager', 'keeper', 'viewer'].map((role) =>
          role === 'owner' ? first : first === 'demo' ? role : `${first}-${role}`,
        );
        for (const [at, person] of people.entries()) {
          const email = `${person}@perfume.example`;
          const browser = openBrowser(shared);
          expect((await browser.signIn(email, 'perfume-demo-1')).statusCode).toBe(200);
          const role = ['owner', 'manager', 'keeper', 'viewer'][at];
          expect((await browser.get('/houses')).json()).toMatchObject([{ name: house, role, published: true }]);
          expect((await browser.get('/all-inventory-items')).json()).toHaveLength(items);
          expect(page).toContain(email);
        }
      }
      expect(page).toContain('perfume-demo-1');
    });

    test('shows no people when everybody shares one stock', async () => {
      const open = await shared.sibling({ access: 'open' });
      expect((await openBrowser(open).get('/demo')).statusCode).toBe(404);
    });
  },
  { access: 'houses' },
);

test('a demo with a public address has no stand-in provider', async () => {
  const open = await testApp('SQLite', { publicUrl: 'http://demo.example.com', demo: true });
  const browser = openBrowser(open);
  for (const path of ['authorize', 'choose', 'userinfo', 'user', 'user/emails']) {
    expect([path, (await browser.get(`/demo/oauth/github/${path}`)).statusCode]).toEqual([path, 404]);
  }
  expect((await browser.call('POST', '/demo/oauth/github/token')).statusCode).toBe(404);
  expect((await browser.post('/api/auth/sign-in/social', { provider: 'github' })).json().code).toBe(
    'provider_not_found',
  );
  await open.close();
});
