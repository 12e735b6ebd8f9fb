import type { Endpoint } from '@perfume/contract/endpoint';
import { endpoints } from '@perfume/contract/endpoints';
import { openApi } from '@perfume/contract/openapi';
import { problems } from '@perfume/contract/problems';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { docsRoutes } from './docs.routes.ts';
import { docsPage } from './docs-page.ts';
import { bodyExample, parameterExample, replyExample } from './examples.ts';
import { type Operation, operationsOf } from './operations.ts';

const description = openApi(endpoints, '0.1.0');
const page = docsPage(endpoints, description);
const sections = new Map(
  page.split('<section class="endpoint"').map((text) => [/ id="([^"]+)"/.exec(text)?.[1], text]),
);
const readable = (text: string) => text.replaceAll('<wbr>', '');

describe('the page', () => {
  test.each(calls())('tells all of %s', (_, endpoint, operation) => {
    const section = readable(sections.get(operation.anchor) ?? '');
    expect(section).toContain(`>${endpoint.method}</span>`);
    expect(section).toContain(`>${operation.path}</a>`);
    for (const { name } of operation.parameters) expect(section).toContain(`<code class="name">${name}</code>`);
    for (const status of Object.keys(endpoint.replies)) expect(section).toContain(`<h4>Reply ${status}</h4>`);
    for (const code of endpoint.problems) expect(section).toContain(`href="#problem-${code}"`);
    expect(page).toContain(`<li><a href="#${operation.anchor}">`);
  });

  test.each(Object.entries(problems))('explains the problem %s', (code, { status }) => {
    const row = new RegExp(`<tr id="problem-${code}"><td class="number">${status}</td>.*?</tr>`).exec(
      readable(page),
    )?.[0];
    expect(row).toContain(`<code>${code}</code>`);
  });

  test('has no script of its own inside, no style, no handler', () => {
    expect(page.match(/<script(?![^>]*\ssrc=)[^>]*>/g)).toBeNull();
    expect(page.match(/<style|\sstyle=|\son\w+=/gi)).toBeNull();
    expect([...page.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="(?!\/|data:)/g)]).toEqual([]);
  });

  test('uses no id twice, and every anchor leads somewhere', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual([...new Set(ids)]);
    const anchors = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
  });

  test('shows what the contract says as text, whatever it says', () => {
    const [first] = endpoints;
    if (!first) throw new Error('there is at least one endpoint');
    const odd: Endpoint[] = [{ ...first, summary: '<img src=x onerror=alert(1)> & "more"' }];
    const text = docsPage(odd, openApi(odd, '<b>1</b>'));
    expect(text).not.toContain('<img');
    expect(text).not.toContain('<b>');
    expect(text).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;more&#34;');
  });
});

describe('an example is what the schema asks for:', () => {
  test.each(calls())('%s', (_, endpoint, operation) => {
    if (endpoint.body) expect(endpoint.body.safeParse(bodyExample(operation)).error).toBeUndefined();
    for (const where of ['path', 'query'] as const) {
      const schema = where === 'path' ? endpoint.params : endpoint.query;
      const given = operation.parameters.filter((one) => one.in === where && (one.required || one.name === 'limit'));
      const values = Object.fromEntries(given.map((one) => [one.name, parameterExample(operation, one)]));
      if (schema) expect(schema.safeParse(values).error).toBeUndefined();
    }
    for (const { status, schema } of operation.replies) {
      const parsed = endpoint.replies[Number(status)]?.safeParse(replyExample(operation, schema));
      expect(parsed?.error).toBeUndefined();
      expect(parsed?.success).toBe(true);
    }
  });
});

describe('the routes', () => {
  const app = Fastify();
  docsRoutes(app, 'support@perfume.example');

  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/docs.css', 'text/css; charset=utf-8'],
    ['/docs/try.js', 'text/javascript; charset=utf-8'],
  ])('%s comes once, and then only when it has changed', async (url, type) => {
    const first = await app.inject({ url });
    expect(first.statusCode).toBe(200);
    expect(first.headers['content-type']).toBe(type);
    expect(first.headers['cache-control']).toContain('no-cache');
    const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('the page may load its own style and script, and nobody else’s', async () => {
    const policy = String((await app.inject({ url: '/docs' })).headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
  });

  test('the page opens in the theme chosen in the app', async () => {
    const opened = async (cookie: string) =>
      (await app.inject({ url: '/docs', headers: { cookie } })).body.slice(0, 80);
    expect(await opened('theme=dark')).toContain('<html lang="en" data-theme="dark">');
    expect(await opened('__Host-theme=dark')).toContain('<html lang="en" data-theme="dark">');
    expect(await opened('a=b; theme=light; c=d')).toContain('<html lang="en" data-theme="light">');
    expect(await opened('theme=dark"><script>')).toContain('<html lang="en">');
  });
});

function calls(): [name: string, endpoint: Endpoint, operation: Operation][] {
  return operationsOf(endpoints, description).flatMap((operation, index) => {
    const endpoint = endpoints[index];
    return endpoint ? [[operation.key, endpoint, operation] as [string, Endpoint, Operation]] : [];
  });
}
