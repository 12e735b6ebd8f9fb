import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signIn } from '@perfume/contract/identity';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anAddress, anEmail, openBrowser, PASSWORD } from '../../testing/browser.ts';
import { request, type TestApp, testApp } from '../testing.ts';
import { passwordSetAt } from './identity.store.ts';
import { knownBrowsers } from './known-browsers.ts';

let shop: TestApp;
let passwords: ReturnType<typeof gatedPasswords>;
beforeEach(async () => {
  passwords = gatedPasswords();
  shop = await testApp('SQLite', {}, { passwords });
});
afterEach(async () => {
  passwords.open();
  await shop.close();
});

test('refuses further logins with 503 and Retry-After at once, and answers those that wait', async () => {
  const waiting = guesses(10);
  await expect.poll(pending).toBe(10);
  const refused = await openBrowser(shop).signIn(anEmail());
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'overloaded']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await openBrowser(shop).signUp({ email: anEmail() })).statusCode).toBe(503);
  passwords.open();
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(401));
  expect((await openBrowser(shop).signIn(anEmail())).statusCode).toBe(401);
});

test('keeps places for known browsers', async () => {
  passwords.open();
  const [email, other] = [anEmail(), anEmail()];
  for (const one of [email, other]) await openBrowser(shop).signUp({ email: one });
  passwords.shut();
  const waiting = guesses(10);
  await expect.poll(pending).toBe(10);
  const known = [email, other].flatMap((one) =>
    Array.from({ length: 3 }, async () => (await knownBrowser(one)).signIn(one)),
  );
  await expect.poll(pending).toBe(16);
  expect((await (await knownBrowser(email)).signIn(email)).statusCode).toBe(503);
  expect((await (await knownBrowser(other)).signIn(email)).statusCode).toBe(503);
  passwords.open();
  expect((await Promise.all(known)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  await Promise.all(waiting);
});

test('gives one account, and the known browsers of one network, only three places', async () => {
  passwords.open();
  const [guest, owner, email] = [openBrowser(shop), openBrowser(shop), anEmail()];
  await guest.signUp({ email: anEmail() });
  await owner.signUp({ email });
  passwords.shut();
  const newPassword = 'tulip anchor velvet 39';
  const proofs = Array.from({ length: 2 }, () => guest.post('/api/auth/prove', { password: PASSWORD }));
  const changes = [guest.post('/api/auth/change-password', { currentPassword: 'a wrong guess', newPassword })];
  await expect.poll(pending).toBe(3);
  const elsewhere = openBrowser(shop, anAddress(), guest.jar);
  expect((await elsewhere.post('/api/auth/prove', { password: PASSWORD })).statusCode).toBe(503);
  expect((await (await knownBrowser(email, guest.address)).signIn(email)).statusCode).toBe(503);
  const login = (await knownBrowser(email)).signIn(email);
  await expect.poll(pending).toBe(4);
  passwords.open();
  expect((await login).statusCode).toBe(200);
  await Promise.all([...proofs, ...changes]);
});

test('gives the new browsers of one network only some of the places', async () => {
  const address = anAddress();
  const waiting = guesses(2, address);
  await expect.poll(pending).toBe(2);
  expect((await openBrowser(shop, address).signIn(anEmail())).statusCode).toBe(503);
  const elsewhere = guesses(1);
  await expect.poll(pending).toBe(3);
  passwords.open();
  await Promise.all([...waiting, ...elsewhere]);
});

test('does not count a refused login as an attempt', async () => {
  passwords.open();
  const [email, owner] = [anEmail(), openBrowser(shop)];
  await owner.signUp({ email });
  passwords.shut();
  const waiting = guesses(10);
  await expect.poll(pending).toBe(10);
  for (let i = 0; i < 12; i++) expect((await owner.signIn(email)).statusCode).toBe(503);
  passwords.open();
  await Promise.all(waiting);
  expect((await owner.signIn(email)).statusCode).toBe(200);
});

test('hashes nothing for a client that has left', async () => {
  await shop.app.listen({ host: '127.0.0.1', port: 0 });
  const staying = [overHttp(), overHttp()];
  await expect.poll(() => passwords.started).toBe(2);
  const leaving = [overHttp(), overHttp(), overHttp()];
  await expect.poll(pending).toBe(5);
  for (const left of leaving) left.destroy();
  await expect.poll(connections).toBe(2);
  const answers = staying.map(async (stays) => (await once(stays, 'response'))[0].statusCode);
  passwords.open();
  expect(await Promise.all(answers)).toEqual([401, 401]);
  await expect.poll(pending).toBe(0);
  expect(passwords.started).toBe(2);
});

const guesses = (count: number, address?: string) =>
  Array.from({ length: count }, () => openBrowser(shop, address).signIn(anEmail(), 'a wrong guess'));

async function knownBrowser(email: string, address?: string) {
  const browser = openBrowser(shop, address);
  const mark = knownBrowsers(shop.config, shop.db).cookieFor(undefined, email, await passwordSetAt(shop.db, email));
  browser.jar.set('perfume.known', mark.split(/[=;]/)[1] ?? '');
  return browser;
}

async function pending(): Promise<number> {
  const { body } = await request(shop, 'GET', '/metrics');
  return Number(/^password_requests_pending (\d+)$/m.exec(body)?.[1]);
}

const connections = () =>
  new Promise<number>((resolve) => shop.app.server.getConnections((_error, count) => resolve(count)));

function overHttp(): ClientRequest {
  const { port } = shop.app.server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', path: signIn.path, agent: false, headers });
  sent.on('error', () => {});
  sent.end(JSON.stringify({ email: anEmail(), password: PASSWORD }));
  return sent;
}

/** Creates a hasher that waits until its gate is open. The gate is shut at first. */
function gatedPasswords() {
  let gate = Promise.withResolvers<void>();
  const gated = {
    started: 0,
    open: () => gate.resolve(),
    shut() {
      gate = Promise.withResolvers();
    },
    async hash(password: string) {
      gated.started++;
      await gate.promise;
      return `gated ${password}`;
    },
    async verify({ hash, password }: { hash: string; password: string }) {
      gated.started++;
      await gate.promise;
      return hash === `gated ${password}`;
    },
    needsRehash: () => false,
  };
  return gated;
}
