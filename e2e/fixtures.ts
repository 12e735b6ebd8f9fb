import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, test as base, expect } from '@playwright/test';

export { expect };

type Faults = {
  /** For a test that provokes a fault on purpose: faults whose text matches do not fail it. */
  allow(pattern: RegExp): void;
};

/** Every test runs against the real product, and fails on any fault the browser notices on the way. */
export const test = base.extend<{ faults: Faults }, { shop: string; product: { url: string } }>({
  // Files that count on the demo's own shelf ask for a shop of their own; the others share one, and fill it.
  shop: ['shared', { option: true, scope: 'worker' }],

  product: [
    async ({ shop }, use) => {
      const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), `perfume-e2e-${shop}-`));
      const server = startProduct(dataDir);
      try {
        await use({ url: await addressOf(server) });
      } finally {
        await end(server);
        await fs.rm(dataDir, { recursive: true, force: true });
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  baseURL: async ({ product }, use) => use(product.url),

  faults: [
    async ({ browser, product }, use) => {
      const found: string[] = [];
      const allowed: RegExp[] = [];
      const watch = (context: BrowserContext) => watchForFaults(context, product.url, (fault) => found.push(fault));
      // Also the contexts a test opens itself, for a second person.
      browser.on('context', watch);
      await use({ allow: (pattern) => void allowed.push(pattern) });
      browser.off('context', watch);
      expect(found.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
    },
    { auto: true },
  ],
});

function watchForFaults(context: BrowserContext, productUrl: string, report: (fault: string) => void): void {
  context.on('console', (message) => {
    if (message.type() === 'error') report(`console error: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => report(`page error: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const local = ['data:', 'blob:', 'about:'].includes(url.protocol) || url.origin === productUrl;
    if (!local) report(`third-party request: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // What a page leaves behind when it is closed or moves on, such as its event stream.
    if (reason !== 'net::ERR_ABORTED') report(`failed request: ${request.method()} ${request.url()}: ${reason}`);
  });
}

const serverProgram = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));

function startProduct(dataDir: string): ChildProcess {
  // Nothing of the caller's configuration: a DATABASE_URL in the shell must not meet these tests.
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir };
  return spawn(process.execPath, [serverProgram], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const log: string[] = [];
    const read = (line: string) => {
      log.push(line);
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) resolve(address);
    };
    for (const output of [server.stdout, server.stderr])
      if (output) createInterface({ input: output }).on('line', read);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`The product ended with ${code} at its start:\n${log.join('\n')}`)));
  });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGTERM');
  const tooLate = setTimeout(() => server.kill('SIGKILL'), 6_000);
  await gone;
  clearTimeout(tooLate);
}
