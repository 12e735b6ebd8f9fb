import { existsSync } from 'node:fs';
import { runQuietly } from './processes.mjs';
import { Stop, step } from './say.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium; on Debian and Ubuntu, and as root, one is installed when there is none. */
export async function browserToTestWith() {
  const found = findBrowser();
  if (found) return found;
  if (mayInstall()) await installChromium();
  const installed = findBrowser();
  if (installed) return installed;
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

async function installChromium() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step('No browser found: installing Chromium with apt-get', async () => {
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    ]) {
      const { code, output } = await runQuietly('apt-get', args, { env });
      if (code !== 0)
        throw new Stop(`${output.trim()}\napt-get ${args[0]} failed: install Chromium and run this again.`);
    }
  });
}
