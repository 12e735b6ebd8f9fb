import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainNpmFailure, runNpm } from './npm.mjs';
import { repository, Stop, step } from './say.mjs';
import { hashOf } from './stamp.mjs';

export function isInstalled(root = repository) {
  const wanted = installStamp(root);
  if (readText(stampFile(root)) === wanted) return true;
  if (!installedByHand(root)) return false;
  try {
    writeFileSync(stampFile(root), wanted);
  } catch {
    // Somebody else's folder, or one that cannot be written to: then it is looked up each time.
  }
  return true;
}

export async function installDependencies(node) {
  await step('Installing the dependencies', async () => {
    // With NODE_ENV=production npm would leave out the tools that build the front end.
    const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], node);
    if (code !== 0) throw new Stop(explainNpmFailure('The dependencies could not be installed.', output));
  });
  writeFileSync(stampFile(repository), installStamp(repository));
}

/** What an install depends on: the lock file, each package.json, and the platform its binaries are for. */
export function installStamp(root) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const files = ['package-lock.json', 'package.json', ...workspaces.map((name) => path.join(name, 'package.json'))];
  return hashOf(root, files, `${process.platform}-${process.arch}`);
}

/**
 * Someone who just ran `npm install` or `npm ci` need not wait for a second one: npm keeps what it installed in
 * node_modules/.package-lock.json, written last, and it must agree with the lock file.
 */
function installedByHand(root) {
  const installed = readPackages(path.join(root, 'node_modules/.package-lock.json'));
  const locked = readPackages(path.join(root, 'package-lock.json'));
  if (!installed || !locked) return false;
  const isPackage = (place) => place.includes('node_modules/');
  const same = (place) => installed[place]?.version === locked[place]?.version;
  return (
    Object.keys(installed).filter(isPackage).every(same) &&
    Object.keys(locked)
      .filter((place) => isPackage(place) && !locked[place].optional && !locked[place].devOptional)
      .every(same)
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    // Not there, or cut off with the machine's power.
    return undefined;
  }
}

function stampFile(root) {
  return path.join(root, 'node_modules/.installed');
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
