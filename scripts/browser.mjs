import { existsSync } from 'node:fs';
import { runQuietly } from './processes.mjs';
import { Stop, step } from './say.mjs';

// The shell is the same browser without its own windows: the same tests take it less than half the work.
const SHELL = '/usr/bin/chromium-headless-shell';
const usualPlaces = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of a Chromium. On Debian and Ubuntu, and as root, its shell is installed where it is missing; where that is
 * not to be had, the whole browser, if there is none at all.
 */
export async function browserToTestWith() {
  const found = findBrowser();
  if (found === SHELL || process.env.CHROMIUM_PATH) return found;
  // With a browser at hand no more than a try is worth it: there may be no network.
  if (mayInstall() && (await installed('chromium-headless-shell', { insist: !found }))) return SHELL;
  if (found) return found;
  if (mayInstall()) await installed('chromium', { insist: true });
  const fallback = findBrowser();
  if (fallback) return fallback;
  throw new Stop(
    'No browser was found for the browser tests. Install Chromium (Debian: `apt-get install chromium`) or Google ' +
      'Chrome, or set CHROMIUM_PATH to the one you have, and run this again.',
  );
}

function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new Stop(`CHROMIUM_PATH names ${named}, which does not exist.`);
  return named || usualPlaces.find((place) => existsSync(place));
}

function mayInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Tries with the lists of packages there are and, if need be, with new ones. */
async function installed(browser, { insist }) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends', browser];
  const apt = async (args) => (await runQuietly('timeout', ['180', 'apt-get', ...args], { env })).code === 0;
  return step(
    `Installing ${browser} with apt-get, to test with`,
    async () => (await apt(install)) || (insist && (await apt(['update', '-qq'])) && (await apt(install))),
  );
}
