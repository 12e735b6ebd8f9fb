import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type Response,
} from '@playwright/test';

export { expect };

type BrowserErrors = {
  /** Lets a test provoke errors on purpose: errors whose text matches the pattern do not fail the test. */
  allow(pattern: RegExp): void;
};

/** Every test runs against the real product, and fails on any error that the browser reports. */
export const test = base.extend<
  { browserErrors: BrowserErrors },
  { shop: string; settings: Record<string, string>; product: { url: string }; sharedContexts: SharedContexts }
>({
  // A shop is a server with its own data. Test files that need the demo's original items name a shop of their own; the
  // others share one and add items to it.
  shop: ['shared', { option: true, scope: 'worker' }],
  // Environment variables for the server of a shop of one's own.
  settings: [{}, { option: true, scope: 'worker' }],

  product: [
    async ({ shop, settings }, use) => {
      const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), `perfume-e2e-${shop}-`));
      const server = startProduct(dataDir, settings);
      try {
        await use({ url: await addressOf(server) });
      } finally {
        await stopServer(server);
        await fs.rm(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  baseURL: async ({ product }, use) => use(product.url),

  sharedContexts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const contexts: SharedContexts = new Map();
      await use(contexts);
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],

  // Tests of one worker share a browser context, so the product's files are loaded and compiled once. After each test,
  // pages are closed, and cookies and storage are cleared.
  context: async (
    { browser, sharedContexts, contextOptions, baseURL, viewport, hasTouch, isMobile, timezoneId, javaScriptEnabled },
    use,
  ) => {
    const options = { ...contextOptions, baseURL, viewport, hasTouch, isMobile, timezoneId, javaScriptEnabled };
    const key = JSON.stringify(options);
    let context = sharedContexts.get(key);
    if (!context) {
      context = await browser.newContext(options as BrowserContextOptions);
      sharedContexts.set(key, context);
    }
    await use(context);
    await clearContext(context, baseURL ?? '');
  },

  browserErrors: [
    async ({ browser, product }, use) => {
      errors = [];
      const allowed: RegExp[] = [];
      // Also collects the errors of contexts that a test opens for a second person.
      const collect = async (context: BrowserContext) => {
        collectErrors(context, product.url);
        await context.addInitScript(keepToastsLonger);
      };
      browser.on('context', collect);
      await use({ allow: (pattern) => void allowed.push(pattern) });
      browser.off('context', collect);
      expect(errors.filter((error) => !allowed.some((pattern) => pattern.test(error)))).toEqual([]);
    },
    { auto: true },
  ],
});

type SharedContexts = Map<string, BrowserContext>;

async function clearContext(context: BrowserContext, origin: string): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  // An empty page stays open until the next test ends, so that the browser keeps the process that renders the pages.
  const empty = await context.newPage();
  // The pages are closed before the cookies are cleared: a page that loses its session loads the login page, and
  // closing it meanwhile may hang.
  await Promise.all(context.pages().map((page) => page !== empty && page.close()));
  const devtools = await context.newCDPSession(empty);
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage,indexeddb' });
  await devtools.detach();
  await context.clearCookies();
}

/** The browser errors of the current test. */
let errors: string[] = [];

/**
 * Makes `goto` and `reload` wait for hydration, because a click on a page that is not yet hydrated is lost. A test that
 * wants to see the page earlier passes `waitUntil: 'commit'` to `goto`.
 */
function waitForHydration(page: Page): void {
  const afterHydration = async (response: Response | null) => {
    await page.locator('html[data-hydrated], html:not(:has(#root))').waitFor({ state: 'attached' });
    return response;
  };
  const { goto, reload } = page;
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options);
    return options?.waitUntil ? response : afterHydration(response);
  };
  page.reload = async (options) => afterHydration(await reload.call(page, options));
}

function collectErrors(context: BrowserContext, productUrl: string): void {
  context.on('page', waitForHydration);
  const report = (error: string) => errors.push(error);
  context.on('console', (message) => {
    // The page also logs failed requests, which the browser has already reported.
    const isRepeated = message.text().startsWith('ApiProblem');
    if (message.type() === 'error' && !isRepeated)
      report(`console error: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => report(`page error: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const local = ['data:', 'blob:', 'about:'].includes(url.protocol) || url.origin === productUrl;
    if (!local) report(`third-party request: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // A request such as the event stream is aborted when its page is closed or left, which is no error.
    if (reason !== 'net::ERR_ABORTED') report(`failed request: ${request.method()} ${request.url()}: ${reason}`);
  });
}

const serverProgram = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));

export function startProduct(dataDir: string, more: Record<string, string> = {}): ChildProcess {
  // Ignores the caller's configuration: a DATABASE_URL in the shell must not reach these tests.
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir };
  const env = { ...own, ...more };
  return spawn(process.execPath, [serverProgram], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const log: string[] = [];
    const readLine = (line: string) => {
      log.push(line);
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) resolve(address);
    };
    for (const output of [server.stdout, server.stderr])
      if (output) createInterface({ input: output }).on('line', readLine);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`The product ended with ${code} at its start:\n${log.join('\n')}`)));
  });
}

export async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  const killTimer = setTimeout(() => server.kill('SIGKILL'), 6_000);
  await exited;
  clearTimeout(killTimer);
}

/**
 * Shows toasts longer, because on a busy machine their five seconds can pass before a test has read them. Clicks beside
 * the buttons of a toast reach what is below it: otherwise a test would wait until the toast is gone.
 */
function keepToastsLonger(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .Toastify__progress-bar { animation-duration: 60s !important }
    .Toastify__toast, .Toastify__toast * { pointer-events: none !important }
    .Toastify__toast :is(button, a) { pointer-events: auto !important }`);
  document.adoptedStyleSheets.push(sheet);
}
