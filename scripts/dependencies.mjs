import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from './hash-files.mjs';
import { explainNpmFailure, runNpm } from './npm.mjs';
import { ExpectedError, repository, step } from './terminal.mjs';

export function isInstalled(root = repository) {
  const wanted = installStamp(root);
  if (readText(stampFile(root)) === wanted) return true;
  if (!installedByHand(root)) return false;
  try {
    writeFileSync(stampFile(root), wanted);
  } catch {
    // The folder is not writable, so every start compares the packages again.
  }
  return true;
}

export async function installDependencies(node) {
  await step('Installing the dependencies', async () => {
    // Without `--include=dev`, npm would omit the tools that build the front end if NODE_ENV is `production`.
    const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], node);
    if (code !== 0) throw new ExpectedError(explainNpmFailure('The dependencies could not be installed.', output));
  });
  writeFileSync(stampFile(repository), installStamp(repository));
}

/** A hash of what an install depends on: the lock file, each package.json, and the platform of the binaries. */
export function installStamp(root) {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const files = ['package-lock.json', 'package.json', ...workspaces.map((name) => path.join(name, 'package.json'))];
  return hashOf(root, files, `${process.platform}-${process.arch}`);
}

/**
 * Whether a manual `npm install` or `npm ci` has installed what the lock file says, so that no second install is
 * needed. At the end of an install, npm writes what it installed to node_modules/.package-lock.json.
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
    // The file is missing, or incomplete after a power failure.
    return undefined;
  }
}

function stampFile(root) {
  return path.join(root, 'node_modules/.installed');
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
