import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { anItem, onBothDatabases, request, signedInAs } from '../testing.ts';

const webRoot = mkdtempSync(join(tmpdir(), 'perfume-web-'));
mkdirSync(join(webRoot, 'assets'));
writeFileSync(join(webRoot, 'index.html'), '<html><head><!--head--></head><body><!--boot--></body></html>');
writeFileSync(join(webRoot, 'assets/app-1a2b.js'), 'console.log(1)');
writeFileSync(join(webRoot, 'assets/app-1a2b.js.gz'), gzipSync('console.log(1)'));
writeFileSync(join(webRoot, 'robots.txt'), 'User-agent: *');
writeFileSync(join(webRoot, '.built'), 'not for anyone');
afterAll(() => rmSync(webRoot, { recursive: true }));

onBothDatabases(
  'the site',
  (shared) => {
    const page = (url: string, headers: Record<string, string> = {}) =>
      request(shared, 'GET', url, { headers: { accept: 'text/html', ...headers } });

    test('pages come with what they need to paint, and nothing in it can end the script', async () => {
      const person = await signedInAs(shared);
      const evil = '</script><script>alert(1)</script><!--';
      await anItem(person, { name: evil, email: 'private@house.example' });
      const answer = await page('/', { cookie: person.cookie });
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-cache']);
      expect(answer.body).not.toContain(evil);
      expect(answer.body).not.toContain('private@house.example');
      expect(bootOf(answer.body)).toMatchObject({
        user: { email: person.user.email },
        items: { list: [{ name: evil }] },
      });
      expect(answer.body.match(/<script(?! type="application\/)/g)).toBeNull();
    });

    test('a visitor gets no one’s name', async () => {
      const answer = await page('/');
      expect([answer.headers['cache-control'], bootOf(answer.body).user]).toEqual(['no-cache', null]);
    });

    test('pages allow no inline script and no frame', async () => {
      const policy = String((await page('/about')).headers['content-security-policy']);
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    });

    test('what is no page is a page of status 404 for people, and a problem for programs', async () => {
      const forPeople = await page('/nowhere');
      expect([forPeople.statusCode, forPeople.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      const forPrograms = await request(shared, 'GET', '/nowhere', { headers: { accept: '*/*' } });
      expect([forPrograms.statusCode, forPrograms.json().code]).toEqual([404, 'not_found']);
    });

    test('links name our own address, whatever host a stranger claims', async () => {
      const answer = await page('/about', { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
      expect(answer.body).toContain('rel="canonical"');
      expect(answer.body).not.toContain('evil.example');
    });

    test('files are served as they are: hashed ones for good, compressed where that is understood', async () => {
      const file = await request(shared, 'GET', '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } });
      expect(file.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-encoding': 'gzip',
        'content-type': 'text/javascript; charset=utf-8',
      });
      const plain = await request(shared, 'GET', '/assets/app-1a2b.js');
      expect([plain.body, plain.headers['content-encoding']]).toEqual(['console.log(1)', undefined]);
      const again = await request(shared, 'GET', '/robots.txt', {
        headers: { 'if-none-match': String((await request(shared, 'GET', '/robots.txt')).headers.etag) },
      });
      expect(again.statusCode).toBe(304);
    });

    test.each([
      '/.built',
      '/assets/../.built',
      '/assets/..%2f.built',
      '/index.html',
      '/assets/app-1a2b.js.gz',
      '/assets/nothing.js',
    ])('nothing else is: %s', async (url) => {
      expect((await request(shared, 'GET', url)).statusCode).toBe(404);
    });
  },
  {},
  { webRoot },
);

function bootOf(html: string) {
  return JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/.exec(html)?.[1] ?? '{}');
}
