// `npm run pictures` takes the screenshots in README.md from the demo. It writes
// docs/pictures/<name>-<light|dark>.webp.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ExpectedError, print, repository } from './terminal.mjs';

const FOLDER = path.join(repository, 'docs/pictures');
const MAX_BYTES = 1_500_000;
const desktop = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 };
const phone = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const pictures = [
  { name: 'home', ...desktop, viewport: { width: 1280, height: 1150 }, show: (page) => page.goto('/') },
  { name: 'manage', ...desktop, show: showManage },
  { name: 'item', ...desktop, viewport: { width: 1280, height: 1360 }, show: showItem },
  { name: 'phone', ...phone, show: showItem },
];

// Loads a package through the workspace that depends on it, because the root does not.
const packageOf = (workspace, name) => createRequire(path.join(repository, workspace, 'package.json'))(name);
const { chromium } = packageOf('e2e', '@playwright/test');
const sharp = packageOf('server', 'sharp');

const dataDir = mkdtempSync(path.join(tmpdir(), 'perfume-pictures-'));
const server = startDemo();
try {
  const url = await addressOf(server);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
  mkdirSync(FOLDER, { recursive: true });
  let bytes = 0;
  for (const picture of pictures) {
    for (const colorScheme of ['light', 'dark']) bytes += await take(browser, url, picture, colorScheme);
  }
  await browser.close();
  print(`docs/pictures: ${Math.round(bytes / 1000)} kB`);
  if (bytes > MAX_BYTES) throw new ExpectedError(`Together the pictures may take at most ${MAX_BYTES / 1000} kB.`);
} finally {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}

async function take(browser, url, { name, show, ...screen }, colorScheme) {
  const context = await browser.newContext({
    ...screen,
    baseURL: url,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  });
  // The pictures use corrected English, because the default English has the misspellings of the specification.
  await context.addCookies([{ name: 'language', value: 'en-corrected', url }]);
  if (name !== 'home') await context.request.post('/demo/sign-in', { headers: { origin: url } });
  const page = await context.newPage();
  await show(page);
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  await page.waitForLoadState('load');
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(800);
  const file = path.join(FOLDER, `${name}-${colorScheme}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 82, effort: 6 })
    .toFile(file);
  await context.close();
  print(`  ${path.relative(repository, file)}`);
  return statSync(file).size;
}

async function showManage(page) {
  await page.goto('/dashboard/manage-inventory');
  await page.locator('tr[data-row]').nth(5).waitFor();
}

async function showItem(page) {
  await showManage(page);
  await page.locator('tr[data-row] a').first().click();
  // These buttons belong to the history, which is loaded last.
  await page.getByRole('button', { name: /^Undo/ }).first().waitFor();
}

/** Starts the demo without the caller's configuration, so that a DATABASE_URL in the shell is never used. */
function startDemo() {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir };
  const program = path.join(repository, 'server/src/main.ts');
  return spawn(process.execPath, [program], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new ExpectedError('The demo did not start.');
}
