import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { endpoints } from '@perfume/contract/endpoints';
import { openApi } from '@perfume/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { sendAsset } from '../http/assets.ts';
import { pageHeaders } from '../http/headers.ts';
import { sendJson } from '../http/serve.ts';
import { docsPage } from './docs-page.ts';

const VERSION = '0.1.0';
const BUILT = join(import.meta.dirname, '../../../web/dist/assets');
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } };

/** `support` is the address that API users can write to. */
export function docsRoutes(app: FastifyInstance, support: string): void {
  let made: ReturnType<typeof makeDocs> | null = null;
  // Few starts of the server are for its reader; the first reader waits a blink instead.
  const docs = () => {
    made ??= makeDocs(support);
    return made;
  };

  app.get('/openapi.json', async (_request, reply) =>
    sendJson(reply.header('cache-control', 'no-cache'), 200, docs().description),
  );
  app.get('/docs', async (request, reply) =>
    sendAsset(docs().pages[themeOf(request.headers.cookie)], request, reply.headers(pageHeaders)),
  );
  app.get('/docs/docs.css', async (request, reply) => sendAsset(docs().style, request, reply));
  app.get('/docs/try.js', async (request, reply) => sendAsset(docs().script, request, reply));
}

function makeDocs(support: string) {
  const description = openApi(endpoints, VERSION, support);
  const page = docsPage(endpoints, description);
  const themed = (theme: string) => page.replace('<html lang="en"', `<html lang="en" data-theme="${theme}"`);
  return {
    description,
    pages: {
      system: ready(page, 'text/html'),
      light: ready(themed('light'), 'text/html'),
      dark: ready(themed('dark'), 'text/html'),
    },
    style: ready(houseFaces() + read('docs.css'), 'text/css'),
    script: ready(read('try.js'), 'text/javascript'),
  };
}

/** The theme chosen in the app, so that the reference opens in it too. */
function themeOf(cookie = ''): 'light' | 'dark' | 'system' {
  const chosen = /(?:^|;\s*)(?:__Host-)?theme=(light|dark)(?:;|$)/.exec(cookie)?.[1];
  return (chosen as 'light' | 'dark' | undefined) ?? 'system';
}

/** Asked for anew each time and mostly answered 304: page, style and script always fit each other. */
function ready(text: string, type: string): Parameters<typeof sendAsset>[0] {
  const plain = Buffer.from(text);
  return {
    type: `${type}; charset=utf-8`,
    etag: `"${hash('sha1', plain, 'base64url')}"`,
    cache: 'private, no-cache',
    plain,
    br: brotliCompressSync(plain, BROTLI),
    gzip: gzipSync(plain),
  };
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/** The build names its font files anew; where it has not run, the style sheet's fallbacks serve. */
function houseFaces(): string {
  const built = existsSync(BUILT) ? readdirSync(BUILT) : [];
  const face = (family: string, start: string, weights: string) => {
    const file = built.find((name) => name.startsWith(`${start}-latin-wght-normal-`) && name.endsWith('.woff2'));
    if (!file) return '';
    return `@font-face{font-family:"${family}";font-display:swap;font-weight:${weights};src:url("/assets/${file}") format("woff2")}\n`;
  };
  return (
    face('Fraunces Variable', 'fraunces', '100 900') + face('Instrument Sans Variable', 'instrument-sans', '400 700')
  );
}
