import { existsSync } from 'node:fs';
import { runQuietly } from './processes.mjs';
import { ExpectedError, step } from './terminal.mjs';

// The headless shell is Chromium without windows. With it, the tests need less than half the processor time.
const SHELL = '/usr/bin/chromium-headless-shell';
const knownPaths = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns the path of a Chromium. As root on Debian or Ubuntu, installs the headless shell if it is missing. If that
 * fails and there is no other browser, installs the full Chromium.
 */
export async function findOrInstallBrowser() {
  const found = findBrowser();
  if (found === SHELL || process.env.CHROMIUM_PATH) return found;
  // If another browser was found, the headless shell is tried only once, because there may be no network.
  if (canInstall() && (await install('chromium-headless-shell', { required: !found }))) return SHELL;
  if (found) return found;
  if (canInstall()) await install('chromium', { required: true });
  const fallback = findBrowser();
  if (fallback) return fallback;
  throw new ExpectedError(
    'No browser was found for the browser tests. Install Chromium (Debian: `apt-get install chromium`) or Google ' +
      'Chrome, or set CHROMIUM_PATH to the one you have, and run this again.',
  );
}

function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new ExpectedError(`CHROMIUM_PATH names ${named}, which does not exist.`);
  return named || knownPaths.find((place) => existsSync(place));
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs a browser. If that fails and the browser is required, updates the package lists and tries again. */
async function install(browser, { required }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-y', '-qq', '--no-install-recommends', browser];
  const apt = async (args) => (await runQuietly('timeout', ['180', 'apt-get', ...args], { env })).code === 0;
  return step(
    `Installing ${browser} with apt-get`,
    async () => (await apt(args)) || (required && (await apt(['update', '-qq'])) && (await apt(args))),
  );
}
