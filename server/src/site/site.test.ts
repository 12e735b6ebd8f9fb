import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { anItem, onAnyDatabase, request, signedInAs, type TestApp } from '../testing.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'perfume-web-'));
mkdirSync(join(webRoot, 'assets'));
writeFileSync(join(webRoot, 'index.html'), '<html><head><!--head--></head><body><!--boot--></body></html>');
// A stand-in for the built renderer. The browser tests use the real one.
writeFileSync(
  join(webRoot, 'render.mjs'),
  `let renders = 0;
  export const render = async ({ shell, pathname, origin, language, boot }) => shell
    .replace('<html>', '<html lang="' + language + '" data-render="' + ++renders + '">')
    .replace('<!--head-->', '<link rel="canonical" href="' + origin + pathname + '">')
    .replace('<!--boot-->', () => JSON.stringify(boot) + (pathname === '/large' ? ' '.repeat(12_000_000) : ''));
  export const languageOf = (cookie) => cookie === 'fr' ? 'fr' : 'en';
  export const sitemap = (origin) => '<loc>' + origin + '/</loc>';`,
);
writeFileSync(join(webRoot, 'assets/app-1a2b.js'), 'console.log(1)');
writeFileSync(join(webRoot, 'assets/app-1a2b.js.gz'), gzipSync('console.log(1)'));
writeFileSync(join(webRoot, 'assets/decode-worker-3c4d.js'), 'console.log(2)');
writeFileSync(join(webRoot, 'robots.txt'), 'User-agent: *');
writeFileSync(join(webRoot, 'sw.js'), 'const FILES = [];');
writeFileSync(join(webRoot, 'offline.html'), '<div id="root"></div>');
writeFileSync(join(webRoot, 'favicon.svg'), '<svg/>');
writeFileSync(join(webRoot, '.built'), 'not for anyone');
afterAll(() => rmSync(webRoot, { recursive: true }));

onAnyDatabase(
  'the site',
  (shared) => {
    const page = (url: string, headers: Record<string, string> = {}) =>
      request(shared, 'GET', url, { headers: { accept: 'text/html', ...headers } });

    test('pages that are not in the cache take turns, and too many at once are refused', async () => {
      const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => page(`/nothing-here?n=${n}`)));
      const statuses = new Set(answers.map(({ statusCode }) => statusCode));
      expect([...statuses].sort()).toEqual([404, 429]);
      expect((await page('/')).statusCode).toBe(200);
    });

    test('a visitor who reads no page gets no more of them', async () => {
      const server = await shared.sibling();
      await server.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = server.app.server.address() as AddressInfo;
      const answers: ServerResponse[] = [];
      server.app.server.on('request', (_request, answer) => void answers.push(answer));
      const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1').pause());
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      for (const [n, socket] of sockets.entries()) {
        socket.write(`GET /large?n=${n} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`);
        await expect.poll(() => answers[n]?.writableEnded, { interval: 1, timeout: 20_000 }).toBe(true);
      }
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404, 429]));
      expect(answers.reduce((sum, answer) => sum + answer.writableLength, 0)).toBeLessThan(42_000_000);
    });

    test('pages contain the data they show, and nobody else’s email address', async () => {
      const person = await signedInAs(shared);
      await anItem(person, { name: 'Newest', email: 'private@house.example' });
      const answer = await page('/', { cookie: person.cookie });
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(bootOf(answer.body)).toMatchObject({
        user: { email: person.user.email, displayName: person.user.name, photoURL: null, providers: [] },
        items: { list: [{ name: 'Newest' }] },
        contact: { address: 'Grasse' },
        signUp: 'open',
        feed: expect.stringMatching(/^\d+-\d+$/),
      });
      expect(answer.body).not.toContain('private@house.example');
      expect(bootOf((await page('/?q=rose')).body).items).toBeNull();
    });

    test.each(['/', '/dashboard/manage-inventory', '/nowhere.css'])(
      'the page of a logged-in person is stored in no cache: %s',
      async (path) => {
        const { cookie, user } = await signedInAs(shared);
        const answer = await page(path, { cookie });
        expect([answer.headers['cache-control'], bootOf(answer.body).user.email]).toEqual(['no-store', user.email]);
      },
    );

    test('an API key makes a page that of a visitor, whatever cookie comes with it', async () => {
      const person = await signedInAs(shared);
      const created = await person.call('POST', '/api-keys', { body: { name: 'Scanner 2', scope: 'read' } });
      const authorization = `Bearer ${created.json().key}`;
      expect(bootOf((await page('/about', { cookie: person.cookie })).body).user.email).toBe(person.user.email);
      const { user, feed } = bootOf((await page('/about', { cookie: person.cookie, authorization })).body);
      expect([user, feed]).toEqual([null, null]);
    });

    test('a cached page for visitors is updated as soon as an item changes', async () => {
      const person = await signedInAs(shared);
      await page('/');
      await anItem(person, { name: 'Just arrived' });
      expect(bootOf((await page('/')).body).items.list[0].name).toBe('Just arrived');
    });

    const renderOf = async (url: string, headers?: Record<string, string>) =>
      /<html lang="(.*?)" data-render="(.*?)">/.exec((await page(url, headers)).body)?.slice(1);

    /**
     * Repeats the work until nothing was committed meanwhile: background work may commit something, and pages are then
     * rendered again.
     */
    async function withoutCommit<T>(work: () => Promise<T>): Promise<T> {
      for (;;) {
        const version = await shared.db.dataVersion();
        const result = await work();
        if (version === (await shared.db.dataVersion())) return result;
      }
    }

    test('visitors share one cached page per language, whatever their language cookie contains', async () => {
      const cookies = [
        '',
        'language=fr',
        'language=fr',
        'language=x',
        'language=constructor',
        `language=${'x'.repeat(500)}`,
      ];
      const [english, french, ...others] = await withoutCommit(async () => {
        const renders = [];
        for (const cookie of cookies) renders.push(await renderOf('/about', { cookie }));
        return renders;
      });
      expect([english?.[0], french?.[0]]).toEqual(['en', 'fr']);
      expect(others).toEqual([french, english, english, english]);
    });

    test.each(['/nowhere', '/about/', '/about?utm=1', '/dashboard/inventory/any-id'])(
      'a path or query that anyone can invent is not cached: %s',
      async (path) => expect(await renderOf(path)).not.toEqual(await renderOf(path)),
    );

    test('cached pages outlive any number of searches', async () => {
      // On PostgreSQL the other tests, which use the same server, commit all the time, and every commit empties the cache.
      if (shared.db.dialect === 'postgres') return;
      let searches = 0;
      const search = () => request(shared, 'GET', `/inventory-items?q=search${searches++}`);
      const [before, after] = await withoutCommit(async () => {
        const first = await renderOf('/about');
        for (let batch = 0; batch < 51; batch++) await Promise.all(Array.from({ length: 100 }, search));
        return [first, await renderOf('/about')];
      });
      expect(after).toEqual(before);
    });

    test('pages are compressed for clients that accept it', async () => {
      for (const encoding of ['br', 'gzip']) {
        const answer = await page('/about', { 'accept-encoding': encoding });
        expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
          encoding,
          'Cookie, Accept-Encoding',
        ]);
      }
    });

    test('search engines find the sitemap', async () => {
      expect((await request(shared, 'GET', '/sitemap.xml')).body).toContain('/</loc>');
      expect((await request(shared, 'GET', '/robots.txt')).body).toMatch(
        /User-agent: \*\n?Sitemap: http:\/\/127\.0\.0\.1/,
      );
    });

    test('a visitor’s page contains no user', async () => {
      const answer = await page('/');
      expect([answer.headers['cache-control'], bootOf(answer.body).user]).toEqual(['no-cache', null]);
    });

    test('pages allow no inline script and no frame', async () => {
      const policy = String((await page('/about')).headers['content-security-policy']);
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    });

    test('only the script that decodes barcodes may run WebAssembly, and may load nothing from elsewhere', async () => {
      const policyOf = async (path: string) => (await request(shared, 'GET', path)).headers['content-security-policy'];
      expect(await policyOf('/assets/decode-worker-3c4d.js')).toBe(
        "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
      );
      expect(await policyOf('/assets/app-1a2b.js')).not.toContain('wasm');
    });

    test('an unknown path is a 404 page for people and a 404 problem for programs', async () => {
      const forPeople = await page('/nowhere');
      expect([forPeople.statusCode, forPeople.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      const forPrograms = await request(shared, 'GET', '/nowhere', { headers: { accept: '*/*' } });
      expect([forPrograms.statusCode, forPrograms.json().code]).toEqual([404, 'not_found']);
    });

    test.each(['//[', '//', '///', '//a:b:c/', '/\\[', '//x', '//x/about', '/\\x', '//x?q=1'])(
      'a path that looks like a host is not a page: %s',
      async (path) => {
        const answer = await exactly(shared, path);
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(bootOf(await text(answer)).items).toBeNull();
      },
    );

    test('a page requested by its absolute URL is that page', async () => {
      for (const target of ['*', 'http://proxied.example'])
        expect((await exactly(shared, target)).statusCode).toBe(404);
      expect((await exactly(shared, 'http://proxied.example/about')).statusCode).toBe(200);
      expect((await exactly(shared, 'http://proxied.example/nowhere')).statusCode).toBe(404);
    });

    test('links use our own origin, whatever the Host header says', async () => {
      const answer = await page('/about', { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
      expect(answer.body).toContain('rel="canonical"');
      expect(answer.body).not.toContain('evil.example');
    });

    test('files are served compressed if accepted, and hashed ones as immutable', async () => {
      const file = await request(shared, 'GET', '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } });
      expect(file.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        'content-type': 'text/javascript; charset=utf-8',
      });
      const plain = await request(shared, 'GET', '/assets/app-1a2b.js');
      expect([plain.body, plain.headers['content-encoding']]).toEqual(['console.log(1)', undefined]);
      const again = await request(shared, 'GET', '/assets/app-1a2b.js', {
        headers: { 'if-none-match': String(plain.headers.etag) },
      });
      expect(again.statusCode).toBe(304);
    });

    test('an SVG file has a character set', async () => {
      const { headers } = await request(shared, 'GET', '/favicon.svg');
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    });

    test('the service worker and its page are asked for every time, and the page has nobody in it', async () => {
      const person = await signedInAs(shared);
      const worker = await request(shared, 'GET', '/sw.js');
      expect(worker.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/javascript; charset=utf-8',
        'content-security-policy': expect.stringContaining("connect-src 'self'"),
      });
      const offline = await page('/offline.html', { cookie: person.cookie });
      expect(offline.headers['cache-control']).toBe('no-cache');
      expect(offline.headers['content-security-policy']).toContain("script-src 'self'");
      expect(offline.body).toBe('<div id="root"></div>');
    });

    test.each([
      '/.built',
      '/assets/../.built',
      '/render.mjs',
      '/assets/..%2f.built',
      '/index.html',
      '/assets/app-1a2b.js.gz',
      '/assets/nothing.js',
    ])('no other file is served: %s', async (url) => {
      expect((await request(shared, 'GET', url)).statusCode).toBe(404);
    });
  },
  {},
  { webRoot },
);

/** Sends the path unchanged over a real connection; `request` would normalise it. */
async function exactly({ app }: TestApp, path: string): Promise<IncomingMessage> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const asked = get({ host: '127.0.0.1', port, path, headers: { accept: 'text/html' } });
  const [answer] = await once(asked, 'response');
  return answer;
}

function bootOf(html: string) {
  return JSON.parse(/<body>(.*)<\/body>/.exec(html)?.[1] ?? '{}');
}
