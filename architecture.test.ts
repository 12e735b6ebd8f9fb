import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// In order: a slice may import the slices before it, never those after it. A new capability is a new name in this list.
const slices = [
  'mail',
  'identity',
  'api-keys',
  'items',
  'pictures',
  'feed',
  'ledger',
  'codes',
  'views',
  'history',
  'bulk',
  'counts',
  'time-machine',
  'inventory',
  'labels',
  'item-page',
  'item-form',
  'transfer',
  'floor',
  'alerts',
  'insights',
  'access',
  'houses',
  'webhooks',
  'settings',
  'shell',
  'site',
  'docs',
];

// Files of contract/ that belong to no slice. The slices use the first four; the other two list and describe all slices.
const sharedContract = ['endpoint', 'fields', 'page-paths', 'problems'];
const wholeContract = ['endpoints', 'openapi'];

// Catalogues are named after slices. These belong to some pages of a slice and are loaded with them.
const areasOfPages: Record<string, string> = {
  home: 'site',
  about: 'site',
  blogs: 'site',
  styleguide: 'site',
  'email-links': 'identity',
  'search-engines': 'site',
};
// Loaded on every page that can show a feature; `search-engines` is loaded by the server, which alone shows it.
const areasAlwaysLoaded = ['site', 'shell', 'search-engines'];

const MAX_FILES_IN_FOLDER = 40;

// The layer of a file is the first pattern that matches. `tests` may import everything in their own workspace.
const layers: [layer: string, files: RegExp][] = [
  [
    'tests',
    /\.test\.[cm]?[jt]sx?$|^server\/(src\/testing\.ts|testing\/)|^vitest\.config\.ts$|^web\/src\/testing\.tsx?$/,
  ],
  ['domain', /^domain\//],
  ['contract', /^contract\//],
  ['server entry', /^server\/src\/((main|app)\.ts$|programs\/)/],
  ['config', /^server\/src\/config\.ts$/],
  ['db', /^server\/src\/db\//],
  ['http', /^server\/src\/http\//],
  ['demo', /^server\/src\/demo\//],
  ['routes', /^server\/src\/[^/]+\/[^/]+\.routes\.ts$/],
  ['store', /^server\/src\/[^/]+\/[^/]+\.store\.ts$/],
  ['server slice', /^server\/src\/[^/]+\//],
  ['web entry', /^web\/src\/main\.tsx$/],
  ['paths', /^web\/src\/paths\.ts$/],
  ['web app', /^web\/src\/app\//],
  ['features', /^web\/src\/features\//],
  ['live', /^web\/src\/live\//],
  ['lazy', /^web\/src\/lazy\//],
  ['ui', /^web\/src\/ui\//],
  ['api', /^web\/src\/api\//],
  ['words', /^web\/src\/words\//],
  ['first paint', /^web\/src\/(first-paint|service-worker)\.js$/],
  ['web build', /^web\/(build\/|bottles\/|vite\.config\.ts$)/],
  ['e2e', /^e2e\//],
  ['bench', /^bench\//],
  ['clients', /^clients\//],
  ['scripts', /^scripts\//],
];

// Who may import whom. Every layer may import itself.
const mayImport: Record<string, string[]> = {
  domain: [],
  contract: ['domain'],
  config: ['contract', 'domain'],
  db: ['contract', 'domain'],
  http: ['config', 'db', 'contract', 'domain'],
  store: ['server slice', 'db', 'contract', 'domain'],
  routes: ['store', 'server slice', 'http', 'config', 'db', 'contract', 'domain'],
  'server slice': ['store', 'http', 'config', 'db', 'contract', 'domain'],
  demo: ['routes', 'store', 'server slice', 'http', 'config', 'db', 'contract', 'domain'],
  'server entry': ['routes', 'store', 'server slice', 'http', 'config', 'db', 'demo', 'contract', 'domain'],
  ui: [],
  words: ['domain'],
  paths: ['contract'],
  api: ['paths', 'contract', 'domain'],
  lazy: ['ui', 'words'],
  live: ['lazy', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  features: ['live', 'lazy', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'web app': ['features', 'live', 'lazy', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'web entry': ['web app', 'features', 'live', 'lazy', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'first paint': [],
  'web build': ['contract'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'tests', 'e2e'],
  clients: [],
  scripts: [],
};

// Packages that a layer may use; a layer not named here may use what its package.json lists, which knip checks.
const onlyPackages: Record<string, RegExp> = {
  domain: /^$/,
  contract: /^zod(\/|$)/,
};

const neverPackages: Record<string, RegExp> = {
  db: /^@?fastify(\/|$)/,
  store: /^@?fastify(\/|$)/,
  routes: /^(kysely|pg|node:sqlite)(\/|$)/,
  http: /^(kysely|pg|node:sqlite)(\/|$)/,
  ...Object.fromEntries(
    ['ui', 'words', 'paths', 'api', 'lazy', 'live', 'features', 'web app', 'web entry'].map((layer) => [
      layer,
      /^node:/,
    ]),
  ),
};

// What a test may import besides its own workspace.
const workspacesForTestsOf: Record<string, string[]> = {
  domain: [],
  contract: ['domain'],
  server: ['contract', 'domain'],
  web: ['contract', 'domain'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'server'],
  clients: ['contract', 'domain', 'server'],
};

// The server-rendering bundle exists only after the front end was built, so its path is computed at run time.
const computedImport = 'server/src/site/built-pages.ts';

const clockOrRandomness =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bperformance\b/;
const readsEnvironment = /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\bfrom\s*['"](node:)?process['"]/;
// Browser APIs that exist only over https. A phone may open the warehouse over plain http in the local network.
const needsHttps =
  /\brandomUUID\b|\bcrypto\s*\.\s*subtle\b|\bnavigator\s*(\?\.|\.)\s*(clipboard|serviceWorker|locks|mediaDevices|storage|geolocation|wakeLock|share|credentials|permissions)\b|\bcaches\s*\.|\bcookieStore\b|\bshow(Open|Save|Directory)\w*Picker\b/;
// Files that use such an API where it exists, and say so or do without it where it does not.
const checksForHttps = new Set(['web/src/features/codes/camera-stream.ts']);
// The spec's spelling on the wire; not the <img> element, nor a directive of the Content-Security-Policy.
const wireName = /\bsuplierName\b|\b_id\b|(?<!<)\bimg\b(?!-src)/;
const unwantedNames = /(^|\/)(utils?|helpers?|services?)(\/|\.[jt]sx?$)|(^|\/)types\.tsx?$|(^|\/)index\.tsx?$/;

describe('the code', () => {
  const files = sourceFiles();

  test('is found by this test', () => {
    expect(files.size).toBeGreaterThan(20);
  });

  test('follows every rule', () => {
    expect(violations(files)).toEqual([]);
  });
});

describe('finds a planted violation', () => {
  const planted: [title: string, file: string, source: string, found: string][] = [
    ['a screen spells the supplier as the wire does', 'web/src/ui/a.tsx', 'item.suplierName;', 'suplierName'],
    ['a store spells an id as the wire does', 'server/src/items/items.store.ts', `const a = { _id: 1 };`, '_id'],
    ['a screen names a picture as the wire does', 'web/src/ui/a.tsx', `focus('img');`, 'img'],
    ['a form normalises what was typed', 'web/src/ui/a.tsx', `text.normalize('NFC');`, 'only domain/text.ts'],
    ['domain imports a package', 'domain/a.ts', `import { z } from 'zod';`, 'domain/a.ts → zod'],
    ['domain reads the clock', 'domain/a.ts', 'const now = Date.now();', 'domain/a.ts: no clock'],
    ['domain creates a date from the clock', 'domain/a.ts', 'const now = new Date();', 'domain/a.ts: no clock'],
    ['domain uses randomness', 'domain/a.ts', 'Math.random();', 'domain/a.ts: no clock'],
    [
      'contract imports the server',
      'contract/a.ts',
      `import '@perfume/server/app';`,
      'contract/a.ts → server/src/app.ts',
    ],
    ['contract imports fastify', 'contract/a.ts', `import type { X } from 'fastify';`, 'contract/a.ts → fastify'],
    ['a store imports fastify', 'server/src/items/items.store.ts', `import type { X } from 'fastify';`, '→ fastify'],
    [
      'a store imports a route',
      'server/src/items/items.store.ts',
      `import { a } from './items.routes.ts';`,
      'items.routes.ts',
    ],
    ['a route imports kysely', 'server/src/items/items.routes.ts', `import { sql } from 'kysely';`, '→ kysely'],
    ['db imports a slice', 'server/src/db/a.ts', `import { a } from '../items/items.store.ts';`, 'items.store.ts'],
    [
      'a server slice imports a later slice',
      'server/src/items/a.ts',
      `import { a } from '../ledger/ledger.store.ts';`,
      'ledger comes after items',
    ],
    [
      'a feature imports a later slice',
      'web/src/features/items/a.tsx',
      `import('../item-page/b.tsx');`,
      'item-page comes after items',
    ],
    [
      'a slice is missing from the list',
      'server/src/orders/a.ts',
      'export const a = 1;',
      'orders is not in the list of slices',
    ],
    ['a contract imports a later slice', 'contract/items.ts', `import './history.ts';`, 'history comes after items'],
    [
      'a shared contract imports a slice',
      'contract/fields.ts',
      `import './items.ts';`,
      'fields is used by every slice',
    ],
    ['a contract is named after no slice', 'contract/orders.ts', '', 'orders is not in the list of slices'],
    ['web imports the server', 'web/src/api/a.ts', `import '../../../server/src/app.ts';`, '→ server/src/app.ts'],
    [
      'ui imports a feature',
      'web/src/ui/a.tsx',
      `export { a } from '../features/items/b.tsx';`,
      'features/items/b.tsx',
    ],
    [
      'ui imports the contract',
      'web/src/ui/a.tsx',
      `import type { A } from '@perfume/contract/items';`,
      'contract/items.ts',
    ],
    ['a slice reads the environment', 'server/src/items/a.ts', 'process.env.PORT;', 'only config.ts reads process.env'],
    [
      'the server imports the demo statically',
      'server/src/app.ts',
      `import { seed } from './demo/seed.ts';`,
      'demo is imported lazily',
    ],
    ['a slice imports the demo', 'server/src/items/a.ts', `await import('../demo/seed.ts');`, 'demo/seed.ts'],
    ['product code imports test code', 'server/src/app.ts', `import { testApp } from './testing.ts';`, 'testing.ts'],
    ['web uses an id generator that needs https', 'web/src/api/a.ts', 'crypto.randomUUID();', 'needs https'],
    [
      'web uses the clipboard, which needs https',
      'web/src/ui/a.ts',
      'navigator.clipboard.writeText(a);',
      'needs https',
    ],
    ['a file is called index.ts', 'domain/index.ts', `export * from './stock.ts';`, 'domain/index.ts: name it after'],
    ['a folder is called utils', 'web/src/utils/a.ts', '', 'web/src/utils/a.ts: name it after'],
    ['an import path is computed', 'server/src/app.ts', 'await import(name);', 'the path of an import is computed'],
    ['an import spans several lines', 'domain/a.ts', `import {\n  one,\n  two,\n} from\n  'zod';`, 'domain/a.ts → zod'],
    ['a file belongs to no layer', 'server/stray.ts', '', 'server/stray.ts: belongs to no layer'],
    ['a test in web imports the server', 'web/src/api/a.test.ts', `import '@perfume/server/app';`, 'server/src/app.ts'],
  ];

  test.each(planted)('%s', (_, file, source, found) => {
    expect(violations(new Map([[file, source]])).join('\n')).toContain(found);
  });

  const plantedTogether: [title: string, files: Record<string, string>, found: string][] = [
    [
      'two files import each other',
      {
        'server/src/items/a.ts': `import { b } from './b.ts';`,
        'server/src/items/b.ts': `import { a } from './a.ts';`,
      },
      'server/src/items/a.ts → server/src/items/b.ts → server/src/items/a.ts: a circle',
    ],
    [
      'two files import types from each other',
      {
        'web/src/live/a.ts': `import { type B, b } from './b.ts';`,
        'web/src/live/b.ts': `import type { A } from './a.ts';`,
      },
      'web/src/live/a.ts → web/src/live/b.ts → web/src/live/a.ts: a circle',
    ],
    [
      'two rooms import types from each other',
      {
        'server/src/items/a.ts': `import type { B } from '../http/b.ts';`,
        'server/src/items/c.ts': '',
        'server/src/http/b.ts': `import type { C } from '../items/c.ts';`,
      },
      'server/src/items → server/src/http → server/src/items: a circle',
    ],
    [
      'two folders of db import each other',
      {
        'server/src/db/core/a.ts': `import { b } from '../sqlite/b.ts';`,
        'server/src/db/core/c.ts': '',
        'server/src/db/sqlite/b.ts': `import { c } from '../core/c.ts';`,
      },
      'server/src/db/core → server/src/db/sqlite → server/src/db/core: a circle',
    ],
    [
      'a folder holds more than forty files',
      Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`web/src/ui/a${i}.ts`, ''])),
      'web/src/ui: 41 files',
    ],
    [
      'a catalogue is named after no slice',
      { 'web/src/words/en/orders.ts': 'export const words = {};' },
      'web/src/words/en/orders.ts: orders is neither a slice nor listed in areasOfPages',
    ],
    [
      'a language lacks a catalogue',
      {
        'web/src/words/en/item-form.ts': 'export const words = {};',
        'web/src/words/fr/site.ts': 'export const words = {};',
      },
      'web/src/words/fr/item-form.ts: missing',
    ],
    [
      'a feature uses a message of a later slice',
      {
        'web/src/words/en/insights.ts': "export const words = {\n  'insights.heading': 'Analysetic',\n};",
        'web/src/features/items/a.tsx': "say('insights.heading');",
      },
      "web/src/features/items/a.tsx: 'insights.heading' belongs to insights, which comes after items",
    ],
    [
      'two catalogues have the same key',
      {
        'web/src/words/en/item-form.ts': "export const words = {\n  save: 'Save',\n};",
        'web/src/words/en/item-page.ts': "export const words = {\n  save: 'Save',\n};",
      },
      "web/src/words/en/item-page.ts: 'save' is also in item-form",
    ],
  ];

  test.each(plantedTogether)('%s', (_, files, found) => {
    expect(violations(new Map(Object.entries(files))).join('\n')).toContain(found);
  });

  test('a store reaches fastify through another file', () => {
    const files = new Map([
      ['server/src/items/items.store.ts', `import { a } from './shelf.ts';`],
      ['server/src/items/shelf.ts', `import type { FastifyRequest } from 'fastify';`],
    ]);
    expect(violations(files).join('\n')).toContain('shelf.ts → fastify: a store reaches fastify');
  });
});

describe('accepts', () => {
  const allowed: [title: string, file: string, source: string][] = [
    ['a forbidden name in a comment', 'domain/a.ts', `// import x from 'zod'; Date.now()\n/* Math.random() */`],
    ['a forbidden name in a string', 'domain/a.ts', `const help = 'see Date.now and process';`],
    ["a picture's element", 'web/src/ui/a.tsx', '<img alt="" />;'],
    ["the wire's spelling in the contract", 'contract/items.ts', 'const a = { _id: 1, suplierName: 2, img: 3 };'],
    ['a date created from a given time', 'domain/a.ts', 'const day = new Date(at);'],
    [
      'a slice that imports an earlier slice',
      'server/src/ledger/ledger.store.ts',
      `import { a } from '../items/items.store.ts';`,
    ],
    ['main.ts importing the demo lazily', 'server/src/main.ts', `const demo = await import('./demo/seed.ts');`],
    ['an import of a style sheet', 'web/src/ui/a.tsx', `import styles from './a.module.css';`],
    ['config.ts reading the environment', 'server/src/config.ts', 'parse(process.env);'],
    [
      'a benchmark that starts PostgreSQL',
      'bench/main.ts',
      `import { startPostgres } from '../server/testing/postgres.ts';`,
    ],
  ];

  test.each(allowed)('%s', (_, file, source) => {
    expect(violations(new Map([[file, source]]))).toEqual([]);
  });
});

function violations(files: Map<string, string>): string[] {
  return [...files]
    .flatMap(([file, source]) => [
      ...namingViolations(file),
      ...importsOf(source).flatMap((found) => importViolations(file, found)),
      ...contentViolations(file, source),
      ...(layerOf(file) === 'store' ? fastifyThroughNeighbours(file, files) : []),
    ])
    .concat(circleViolations(files), folderViolations(files), wordViolations(files));
}

/** No circle between files of the product, and none between its rooms. Type-only imports count, lazy ones do not. */
function circleViolations(files: Map<string, string>): string[] {
  const targets = new Map<string, Set<string>>();
  const roomTargets = new Map<string, Set<string>>();
  for (const [file, source] of files) {
    if (!isProduct(file)) continue;
    for (const { specifier, lazy } of importsOf(source)) {
      const target = specifier && !lazy && targetOf(file, specifier);
      if (!target) continue;
      addTo(targets, file, target);
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from && to && from !== to) addTo(roomTargets, from, to);
    }
  }
  return [...circlesIn(targets), ...circlesIn(roomTargets)].map((circle) => `${circle.join(' → ')}: a circle`);
}

function addTo(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

/** A folder of server/src, web/src, web/src/features or server/src/db. */
function roomOf(file: string): string | undefined {
  return /^(server\/src\/(db\/)?|web\/src\/(features\/)?)[^/]+(?=\/)/.exec(file)?.[0];
}

function circlesIn(graph: Map<string, Set<string>>): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  function visit(node: string, route: string[]): void {
    if (route.includes(node)) circles.push([...route.slice(route.indexOf(node)), node]);
    if (route.includes(node) || finished.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...route, node]);
    finished.add(node);
  }
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

function folderViolations(files: Map<string, string>): string[] {
  const perFolder = new Map<string, number>();
  for (const file of files.keys()) {
    const folder = path.posix.dirname(file);
    if (isProduct(file)) perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
  }
  return [...perFolder]
    .filter(([, count]) => count > MAX_FILES_IN_FOLDER)
    .map(([folder, count]) => `${folder}: ${count} files; split it, at most ${MAX_FILES_IN_FOLDER}`);
}

function wordViolations(files: Map<string, string>): string[] {
  const catalogues = [...files.keys()].flatMap((file) => {
    const [, language, area] = /^web\/src\/words\/([^/]+)\/([^/]+)\.ts$/.exec(file) ?? [];
    return language && area ? [{ file, language, area }] : [];
  });
  const found: string[] = [];
  for (const { file, language, area } of catalogues) {
    if (!slices.includes(area) && !Object.hasOwn(areasOfPages, area)) {
      found.push(`${file}: ${area} is neither a slice nor listed in areasOfPages`);
    }
    if (language !== 'en' && !files.has(`web/src/words/en/${area}.ts`)) found.push(`${file}: not in English`);
  }
  // Corrected English holds only what differs from English; the style guide exists in English alone.
  const translations = new Set(catalogues.map(({ language }) => language).filter((one) => !one.startsWith('en')));
  for (const { language, area } of catalogues) {
    if (language !== 'en' || area === 'styleguide') continue;
    for (const other of translations) {
      const wanted = `web/src/words/${other}/${area}.ts`;
      if (!files.has(wanted)) found.push(`${wanted}: missing`);
    }
  }

  const areaOf = new Map<string, string>();
  for (const { file, language, area } of catalogues) {
    if (language !== 'en') continue;
    for (const key of keysOf(files.get(file) ?? '')) {
      if (areaOf.has(key)) found.push(`${file}: '${key}' is also in ${areaOf.get(key)}`);
      areaOf.set(key, area);
    }
  }
  for (const [file, source] of files) {
    const slice = sliceOf(file);
    if (layerOf(file) !== 'features' || !slice) continue;
    for (const key of stringsIn(source)) {
      const area = areaOf.get(key);
      if (area === undefined || areasAlwaysLoaded.includes(area)) continue;
      const owner = areasOfPages[area] ?? area;
      if (slices.indexOf(owner) > slices.indexOf(slice)) {
        found.push(`${file}: '${key}' belongs to ${owner}, which comes after ${slice}`);
      }
    }
  }
  return found;
}

function keysOf(catalogue: string): string[] {
  return [...catalogue.matchAll(/^ {2}(?:'((?:\\.|[^'\\])+)'|"([^"]+)"|(\w+)):/gm)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

function stringsIn(source: string): Set<string> {
  const strings = withoutComments(source).matchAll(/'((?:\\.|[^'\\\n])*)'|"([^"\n]*)"/g);
  return new Set([...strings].map(([, single, double]) => single ?? double ?? ''));
}

/** A store must not reach fastify, not even through other files of its slice. */
function fastifyThroughNeighbours(store: string, files: Map<string, string>): string[] {
  const seen = new Set([store]);
  const routes = [[store]];
  for (const route of routes) {
    const file = route.at(-1) ?? store;
    for (const { specifier } of importsOf(files.get(file) ?? '')) {
      if (specifier === undefined) continue;
      const target = targetOf(file, specifier);
      if (target === undefined && neverPackages.store?.test(specifier) && route.length > 1) {
        return [`${[...route, specifier].join(' → ')}: a store reaches fastify`];
      }
      if (target === undefined || seen.has(target)) continue;
      seen.add(target);
      routes.push([...route, target]);
    }
  }
  return [];
}

function namingViolations(file: string): string[] {
  const found: string[] = [];
  if (unwantedNames.test(file))
    found.push(`${file}: name it after what it contains; no barrels, utils, helpers, services or types.ts`);
  if (!layerOf(file)) found.push(`${file}: belongs to no layer; see the table at the top`);
  const slice = sliceOf(file);
  if (slice && !slices.includes(slice)) found.push(`${file}: ${slice} is not in the list of slices`);
  return found;
}

type Import = { specifier: string | undefined; lazy: boolean };

function importViolations(file: string, { specifier, lazy }: Import): string[] {
  const layer = layerOf(file);
  if (!layer) return [];
  if (specifier === undefined) {
    return layer === 'tests' || layer === 'scripts' || file === computedImport
      ? []
      : [`${file}: the path of an import is computed, so it cannot be checked`];
  }
  const target = targetOf(file, specifier);
  if (target === undefined) return packageViolations(file, layer, specifier);
  const arrow = `${file} → ${target}`;
  if (layer === 'tests') return testMayUse(file, target) ? [] : [`${arrow}: not allowed in a test of this workspace`];

  const targetLayer = layerOf(target);
  if (!targetLayer) return [];
  if (targetLayer === 'tests' && layer === 'bench') return testMayUse(file, target) ? [] : [arrow];
  if (targetLayer !== layer && !mayImport[layer]?.includes(targetLayer))
    return [`${arrow}: ${layer} may not import ${targetLayer}`];
  if (targetLayer === 'demo' && layer !== 'demo' && !lazy)
    return [`${arrow}: demo is imported lazily, so production never loads it`];
  const [from, to] = [sliceOf(file), sliceOf(target)];
  const name = path.posix.basename(file, '.ts');
  if (layer === 'contract' && sharedContract.includes(name) && to)
    return [`${arrow}: ${name} is used by every slice, so it imports none`];
  const sameFloor = (layer === 'contract') === (targetLayer === 'contract');
  if (from && to && sameFloor && slices.indexOf(to) > slices.indexOf(from))
    return [`${arrow}: ${to} comes after ${from} in the list of slices`];
  return [];
}

function packageViolations(file: string, layer: string, specifier: string): string[] {
  const refused = onlyPackages[layer]?.test(specifier) === false || neverPackages[layer]?.test(specifier);
  return refused ? [`${file} → ${specifier}: ${layer} may not use it`] : [];
}

function contentViolations(file: string, source: string): string[] {
  const layer = layerOf(file);
  const code = withoutStrings(withoutComments(source));
  const found: string[] = [];
  if (layer === 'domain' && clockOrRandomness.test(code))
    found.push(`${file}: no clock, randomness or process in domain`);
  if (isProduct(file) && layer !== 'config' && readsEnvironment.test(withoutComments(source))) {
    found.push(`${file}: only config.ts reads process.env`);
  }
  if (isProduct(file) && file !== 'domain/text.ts' && /\.normalize\(/.test(code))
    found.push(`${file}: only domain/text.ts normalises text, because some texts take seconds`);
  const spelling = isProduct(file) && layer !== 'contract' && wireName.exec(withoutComments(source));
  if (spelling) found.push(`${file}: ${spelling[0]} is the wire's name; only contract/ uses it`);
  const isForBrowsers = /^(domain|contract|web\/src)\//.test(file) && !['tests', 'first paint'].includes(layer ?? '');
  if (isForBrowsers && !checksForHttps.has(file) && needsHttps.test(code)) found.push(`${file}: needs https`);
  return found;
}

function layerOf(file: string): string | undefined {
  return layers.find(([, pattern]) => pattern.test(file))?.[0];
}

function isProduct(file: string): boolean {
  return /^(domain|contract|server\/src|web\/src)\//.test(file) && layerOf(file) !== 'tests';
}

function sliceOf(file: string): string | undefined {
  const layer = layerOf(file);
  if (layer === 'contract') {
    const name = path.posix.basename(file, '.ts');
    if (name === 'wire-item') return 'items';
    if (name === 'wire-import') return 'transfer';
    return sharedContract.includes(name) || wholeContract.includes(name) ? undefined : name;
  }
  if (layer === 'features') return /^web\/src\/features\/([^/]+)/.exec(file)?.[1];
  if (layer === 'routes' || layer === 'store' || layer === 'server slice')
    return /^server\/src\/([^/]+)/.exec(file)?.[1];
  return undefined;
}

function testMayUse(file: string, target: string): boolean {
  const [workspace, targetWorkspace] = [workspaceOf(file), workspaceOf(target)];
  return workspace === targetWorkspace || workspacesForTestsOf[workspace]?.includes(targetWorkspace) === true;
}

function workspaceOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** The file of this repository that an import names; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''));
  const [, workspace, rest] = /^@perfume\/([^/]+)\/?(.*)$/.exec(specifier) ?? [];
  if (!workspace) return undefined;
  return workspace === 'server' || workspace === 'web' ? `${workspace}/src/${rest}.ts` : `${workspace}/${rest}.ts`;
}

function importsOf(source: string): Import[] {
  const code = withoutComments(source);
  const fixed = /(?:^|[;}\n])\s*(?:import|export)\s*(?:type\s)?(?:[\w$*{][^'"`;()]*?\bfrom\s*)?['"]([^'"\n]+)['"]/g;
  const lazy = /\bimport\s*\(\s*(?:(['"`])([^'"`$]+)\1|[^)])/g;
  return [
    ...[...code.matchAll(fixed)].map((match) => ({ specifier: match[1], lazy: false })),
    ...[...code.matchAll(lazy)].map((match) => ({ specifier: match[2], lazy: true })),
  ];
}

const stringOrComment = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(source: string): string {
  return source.replace(stringOrComment, (_, text: string | undefined) => text ?? ' ');
}

/** Template strings are kept, because they can contain code. */
function withoutStrings(code: string): string {
  return code.replace(stringOrComment, (whole) => (whole.startsWith('`') ? whole : "''"));
}

function sourceFiles(): Map<string, string> {
  const root = import.meta.dirname;
  const workspaces = ['domain', 'contract', 'server', 'web', 'e2e', 'bench', 'clients', 'scripts'];
  const skipped = new Set(['node_modules', 'dist', 'public', 'artefacts', 'results', 'data', '.vite']);
  const filesIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesIn(name);
      return /\.[cm]?[jt]sx?$/.test(entry.name) ? [name] : [];
    });
  return new Map(workspaces.flatMap(filesIn).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}
