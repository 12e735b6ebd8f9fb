import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@perfume/contract/endpoints';
import { openApi } from '@perfume/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../http/headers.ts';
import { sendCached } from '../http/serve.ts';
import { cookieValue } from '../identity/cookie.ts';

const VERSION = '0.1.0';

/**
 * The content security policy of the API reference. Its viewer, Scalar, writes style elements and style attributes, so
 * inline styles are allowed on this page alone.
 */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const VIEWER_OPTIONS = {
  url: '/openapi.json',
  operationTitleSource: 'path',
  // The features that are switched off below would send requests to another host.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
};

type DocsOptions = {
  /** The address that API users can write to. */
  support: string;
  /** The folder of the built front end, which contains the viewer. */
  webRoot: string;
};

export function docsRoutes(app: FastifyInstance, { support, webRoot }: DocsOptions): void {
  const viewer = findViewer(webRoot);
  // The description is generated on the first request, so that starting the server does not wait for it.
  let description: { body: Buffer; etag: string } | null = null;

  app.get('/openapi.json', async (request, reply) => {
    description ??= describe();
    return sendCached(reply.header('cache-control', 'no-cache'), request, description);
  });

  function describe(): { body: Buffer; etag: string } {
    const body = Buffer.from(JSON.stringify(openApi(endpoints, VERSION, support)));
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
  }

  app.get('/docs', async (request, reply) =>
    reply
      .headers({
        ...pageHeaders,
        'content-security-policy': DOCS_POLICY,
        'cache-control': 'private, no-cache',
        'content-type': 'text/html; charset=utf-8',
      })
      .send(docsPage(viewer, themeOf(request.headers.cookie))),
  );
}

/** The file name of the viewer, which contains a hash; null before the first build. */
function findViewer(webRoot: string): string | null {
  const folder = join(webRoot, 'assets');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.find((file) => /^api-reference-[\w-]+\.js$/.test(file)) ?? null;
}

type Theme = 'light' | 'dark' | null;

/** The theme chosen in the app; null leaves it to the system. */
function themeOf(cookie: string | undefined): Theme {
  const chosen = cookieValue(cookie, '__Host-theme') ?? cookieValue(cookie, 'theme');
  return chosen === 'light' || chosen === 'dark' ? chosen : null;
}

function docsPage(viewer: string | null, theme: Theme): string {
  const options = JSON.stringify({ ...VIEWER_OPTIONS, ...(theme && { forceDarkModeState: theme }) });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<title>API reference – Perfume Warehouse</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<noscript>This page needs JavaScript. Programs can read the same description at <a href="/openapi.json">/openapi.json</a>.</noscript>
${viewer ? viewerTags(viewer, options) : '<p>The API reference has not been built. Run <code>npm run build</code>.</p>'}
</body>
</html>
`;
}

/**
 * The tags that load the viewer. The first one is never executed: the viewer reads its options from it, so the page
 * needs no inline script.
 */
function viewerTags(viewer: string, options: string): string {
  return `<script id="api-reference" type="application/json" data-configuration="${options.replaceAll('"', '&quot;')}"></script>
<script src="/assets/${viewer}"></script>`;
}
