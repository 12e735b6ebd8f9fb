import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anItem, request, signedInAs, type TestApp, testApp } from '../../server/src/testing.ts';
import { gradeOf, type Seen } from './header-grade.ts';

let shop: TestApp;
const webRoot = mkdtempSync(join(tmpdir(), 'perfume-grade-'));

beforeAll(async () => {
  // A minimal front end that needs no build; the headers are the real ones.
  mkdirSync(join(webRoot, 'assets'));
  writeFileSync(join(webRoot, 'index.html'), '<html></html>');
  writeFileSync(join(webRoot, 'assets/app-1a2b.js'), 'console.log(1)');
  writeFileSync(
    join(webRoot, 'render.mjs'),
    `export const languageOf = () => 'en';
    export const render = async ({ shell }) => shell; export const sitemap = () => '';`,
  );
  const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'post@house.example' };
  shop = await testApp('SQLite', { publicUrl: 'https://stock.example.com', demo: false, mail }, { webRoot });
});
afterAll(async () => {
  await shop.close();
  rmSync(webRoot, { recursive: true });
});

const seen = (answer: { statusCode: number; headers: object; body: string }): Seen => ({
  status: answer.statusCode,
  headers: answer.headers as Seen['headers'],
  body: answer.body,
});

describe('A+ for', () => {
  test.each([
    ['a page', '/', 200],
    ['the API reference', '/docs', 200],
    ['a list', '/inventory-items', 200],
    ['a refusal', '/all-inventory-items', 401],
    ['what is not there', '/nothing-here.png', 404],
    ['an address that cannot be decoded', '/%zz', 400],
    ['a file', '/assets/app-1a2b.js', 200],
    ['a description', '/openapi.json', 200],
  ])('%s', async (_, url, status) => {
    const answer = await request(shop, 'GET', url, { headers: { accept: url === '/' ? 'text/html' : '*/*' } });
    expect([answer.statusCode, gradeOf(seen(answer))]).toEqual([status, expect.objectContaining({ grade: 'A+' })]);
  });

  test('a sign-up with its cookies, a private list and a change', async () => {
    const body = { name: 'Nour', email: 'nour@house.example', password: 'quiet otter lamp 7' };
    const signUp = await request(shop, 'POST', '/api/auth/sign-up/email', { body });
    expect([signUp.headers['set-cookie']?.length, gradeOf(seen(signUp)).grade]).toEqual([expect.any(Number), 'A+']);
    const person = await signedInAs(shop);
    const item = await anItem(person);
    const put = await person.call('PUT', `/inventory-items/${item._id}`, { body: { quantity: '1' } });
    expect(gradeOf(seen(put)).grade).toBe('A+');
    expect(gradeOf(seen(await person.call('GET', '/all-inventory-items'))).grade).toBe('A+');
  });
});

describe('the grade falls', () => {
  const good = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
    'cross-origin-resource-policy': 'same-origin',
    'set-cookie': '__Host-a=b; Path=/; Secure; HttpOnly; SameSite=Lax',
  };
  const grade = (changes: Record<string, string | undefined>, body = '') =>
    gradeOf({ status: 200, headers: { ...good, ...changes }, body }).grade;

  test('from A+', () => {
    expect(grade({})).toBe('A+');
  });

  test.each([
    ['without a policy', { 'content-security-policy': undefined }],
    ['with inline scripts', { 'content-security-policy': "script-src 'unsafe-inline'; frame-ancestors 'none'" }],
    ['with scripts from anywhere', { 'content-security-policy': "script-src https:; frame-ancestors 'none'" }],
    ['where it may be framed', { 'content-security-policy': "default-src 'none'" }],
    ['without strict transport security', { 'strict-transport-security': undefined }],
    ['with a cookie that travels in the clear', { 'set-cookie': 'a=b; HttpOnly; SameSite=Lax' }],
    ['with a cookie for scripts', { 'set-cookie': 'a=b; Secure; SameSite=Lax' }],
    ['with a cookie for other sites', { 'set-cookie': 'a=b; Secure; HttpOnly; SameSite=None' }],
    [
      'open to any site',
      { 'access-control-allow-origin': 'https://evil.example', 'access-control-allow-credentials': 'true' },
    ],
  ])('%s', (_, changes) => {
    expect(grade(changes)).not.toMatch(/^A/);
  });

  test('with scripts of others', () => {
    expect(grade({}, '<script src="https://cdn.example/x.js"></script>')).not.toMatch(/^A/);
  });
});
