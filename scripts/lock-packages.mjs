import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from './terminal.mjs';

/** The workspaces that are shipped; tests and benchmarks are not. */
const product = ['domain', 'contract', 'server', 'web'];

/** Reads the lock file, each of our package.json files by its folder ('' is the root), and npm's settings. */
export function readSupply(root = repository) {
  const manifest = (folder) => JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const folders = ['', ...manifest('').workspaces];
  return {
    lock: JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')),
    manifests: Object.fromEntries(folders.map((folder) => [folder, manifest(folder)])),
    npmrc: readFileSync(path.join(root, '.npmrc'), 'utf8'),
  };
}

/** Returns every third-party package of the lock file, with its path as `place`. */
export function thirdPartyPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([place, entry]) => place.includes('node_modules/') && !entry.link)
    .map(([place, entry]) => ({ ...entry, place, name: nameOf(place), realName: entry.name ?? nameOf(place) }));
}

/** Returns the third-party packages that the product needs at run time, found by following dependencies. */
export function productPackages(lock, from = product) {
  const places = [...from];
  const reached = new Set(places);
  for (const place of places) {
    for (const name of dependenciesOf(lock.packages[place])) {
      const found = findFrom(lock, place, name);
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      places.push(found);
    }
  }
  return thirdPartyPackages(lock).filter(({ place }) => reached.has(place));
}

/** Returns where Node finds a package: in `node_modules` of the package that depends on it, or of a folder above. */
export function findFrom(lock, place, name) {
  for (let folder = place; ; folder = above(folder)) {
    const candidate = lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (candidate)
      return candidate.link ? candidate.resolved : `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (folder === '') return undefined;
  }
}

/** Returns the names of a package's run-time dependencies, without optional peer dependencies. */
export function dependenciesOf({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers])];
}

function above(place) {
  const at = place.lastIndexOf('/node_modules/');
  return at === -1 ? '' : place.slice(0, at);
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
