import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@perfume/contract/endpoints';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { docsRoutes } from './docs.routes.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'perfume-docs-'));
mkdirSync(join(webRoot, 'assets'));
writeFileSync(join(webRoot, 'assets/api-reference-1a2B_-3c.js'), '');
writeFileSync(join(webRoot, 'assets/api-reference-1a2B_-3c.js.br'), '');
afterAll(() => rmSync(webRoot, { recursive: true }));

const app = appWith(webRoot);
const page = async (cookie = '') => app.inject({ url: '/docs', headers: { cookie } });

function appWith(root: string) {
  const fastify = Fastify();
  docsRoutes(fastify, { support: 'support@perfume.example', webRoot: root });
  return fastify;
}

function viewerOptions(html: string) {
  return JSON.parse((/data-configuration="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"'));
}

test('the description for programs names every endpoint and the support address', async () => {
  const { paths, info } = (await app.inject('/openapi.json')).json();
  for (const { method, path } of endpoints)
    expect(paths[path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase());
  expect(info.contact.email).toBe('support@perfume.example');
});

test('the page loads the viewer of the build, and nothing from another host', async () => {
  const { body } = await page();
  expect([...body.matchAll(/ src="([^"]*)"/g)].map((match) => match[1])).toEqual(['/assets/api-reference-1a2B_-3c.js']);
  expect(body).not.toMatch(/(?:src|href)="(?!\/)/);
  expect(viewerOptions(body)).toMatchObject({
    url: '/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});

test('the page runs scripts of our own host only: none inline, none made of text', async () => {
  const { headers, body } = await page();
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'unsafe-inline';");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('unsafe-eval');
  expect(body).not.toMatch(/<script[^>]*>[^<]|\son\w+=/i);
});

test('the page opens in the theme chosen in the app, else in the theme of the system', async () => {
  const themeWith = async (cookie: string) => viewerOptions((await page(cookie)).body).forceDarkModeState;
  expect(await themeWith('theme=dark')).toBe('dark');
  expect(await themeWith('__Host-theme=dark')).toBe('dark');
  expect(await themeWith('a=b; theme=light; c=d')).toBe('light');
  expect(await themeWith('')).toBeUndefined();
  expect(await themeWith('theme=dark"><script>')).toBeUndefined();
});

test('the page says how to build the viewer when it is missing', async () => {
  const { statusCode, body } = await appWith(join(webRoot, 'nowhere')).inject('/docs');
  expect(statusCode).toBe(200);
  expect(body).toContain('npm run build');
  expect(body).not.toContain('<script');
});
