import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

// A slice may import the slices to its left, never those to its right. A new capability is a new word.
const slices = [
  'mail',
  'identity',
  'items',
  'pictures',
  'feed',
  'ledger',
  'history',
  'bulk',
  'time-machine',
  'inventory',
  'item',
  'settings',
  'access',
  'alerts',
  'insights',
  'shell',
  'site',
  'docs',
];

// Which part of the house a file belongs to: the first pattern that fits. `tests` may use all of their own room.
const parts: [part: string, files: RegExp][] = [
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
  ['parts', /^web\/src\/parts\//],
  ['ui', /^web\/src\/ui\//],
  ['api', /^web\/src\/api\//],
  ['words', /^web\/src\/words\//],
  ['first paint', /^web\/src\/first-paint\.js$/],
  ['web build', /^web\/(build\/|vite\.config\.ts$)/],
  ['e2e', /^e2e\//],
  ['bench', /^bench\//],
  ['clients', /^clients\//],
  ['scripts', /^scripts\//],
];

// Who may import whom. Every part may import itself.
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
  parts: ['ui', 'words'],
  live: ['parts', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  features: ['live', 'parts', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'web app': ['features', 'live', 'parts', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'web entry': ['web app', 'features', 'live', 'parts', 'ui', 'api', 'words', 'paths', 'contract', 'domain'],
  'first paint': [],
  'web build': ['contract'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'tests'],
  clients: [],
  scripts: [],
};

// Packages that a part may use; a part not named here may use what its package.json lists, which knip checks.
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
    ['ui', 'words', 'paths', 'api', 'parts', 'live', 'features', 'web app', 'web entry'].map((part) => [
      part,
      /^node:/,
    ]),
  ),
};

// What a tests file may use besides its own room.
const roomsForTestsOf: Record<string, string[]> = {
  domain: [],
  contract: ['domain'],
  server: ['contract', 'domain'],
  web: ['contract', 'domain'],
  e2e: ['contract', 'domain'],
  bench: ['contract', 'domain', 'server'],
  clients: ['contract', 'domain', 'server'],
};

// The pages drawn by the front end's build do not exist before it has run, so their name is computed.
const loadsTheBuild = 'server/src/site/built-pages.ts';

const clockOrChance =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bMath\.random\b|\bcrypto\b|\bprocess\b|\bperformance\b/;
const readsEnvironment = /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\bfrom\s*['"](node:)?process['"]/;
// What browsers withhold from a page opened over plain http, as a phone opens a shop in the same house.
const needsHttps =
  /\brandomUUID\b|\bcrypto\s*\.\s*subtle\b|\bnavigator\s*(\?\.|\.)\s*(clipboard|serviceWorker|locks|mediaDevices|storage|geolocation|wakeLock|share|credentials|permissions)\b|\bcaches\s*\.|\bcookieStore\b|\bshow(Open|Save|Directory)\w*Picker\b/;
const unwantedNames = /(^|\/)(utils?|helpers?|services?)(\/|\.[jt]sx?$)|(^|\/)types\.tsx?$|(^|\/)index\.tsx?$/;

describe('the house as built', () => {
  const files = sourceFiles();

  test('there is something to check', () => {
    expect(files.size).toBeGreaterThan(20);
  });

  test('every import follows the table', () => {
    expect(violations(files)).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  const planted: [title: string, file: string, source: string, found: string][] = [
    ['domain uses a package', 'domain/a.ts', `import { z } from 'zod';`, 'domain/a.ts → zod'],
    ['domain looks at the clock', 'domain/a.ts', 'const now = Date.now();', 'domain/a.ts: no clock'],
    ['domain makes a date of now', 'domain/a.ts', 'const now = new Date();', 'domain/a.ts: no clock'],
    ['domain throws dice', 'domain/a.ts', 'Math.random();', 'domain/a.ts: no clock'],
    ['contract uses the server', 'contract/a.ts', `import '@perfume/server/app';`, 'contract/a.ts → server/src/app.ts'],
    ['contract uses fastify', 'contract/a.ts', `import type { X } from 'fastify';`, 'contract/a.ts → fastify'],
    ['a store knows fastify', 'server/src/items/items.store.ts', `import type { X } from 'fastify';`, '→ fastify'],
    [
      'a store knows a route',
      'server/src/items/items.store.ts',
      `import { a } from './items.routes.ts';`,
      'items.routes.ts',
    ],
    ['a route knows kysely', 'server/src/items/items.routes.ts', `import { sql } from 'kysely';`, '→ kysely'],
    ['db knows a slice', 'server/src/db/a.ts', `import { a } from '../items/items.store.ts';`, 'items.store.ts'],
    [
      'a slice looks right',
      'server/src/items/a.ts',
      `import { a } from '../ledger/ledger.store.ts';`,
      'items ← ledger',
    ],
    ['a feature looks right', 'web/src/features/items/a.tsx', `import('../item/b.tsx');`, 'items ← item'],
    ['a slice nobody named', 'server/src/orders/a.ts', 'export const a = 1;', 'orders is not in the list of slices'],
    ['web knows the server', 'web/src/api/a.ts', `import '../../../server/src/app.ts';`, '→ server/src/app.ts'],
    ['ui knows a feature', 'web/src/ui/a.tsx', `export { a } from '../features/items/b.tsx';`, 'features/items/b.tsx'],
    ['ui knows the wire', 'web/src/ui/a.tsx', `import type { A } from '@perfume/contract/items';`, 'contract/items.ts'],
    ['the environment is read', 'server/src/items/a.ts', 'process.env.PORT;', 'only config.ts reads process.env'],
    ['demo is loaded always', 'server/src/app.ts', `import { seed } from './demo/seed.ts';`, 'demo is imported lazily'],
    ['demo is loaded by a slice', 'server/src/items/a.ts', `await import('../demo/seed.ts');`, 'demo/seed.ts'],
    ['product code uses test code', 'server/src/app.ts', `import { testApp } from './testing.ts';`, 'testing.ts'],
    ['a page makes ids only https has', 'web/src/api/a.ts', 'crypto.randomUUID();', 'missing over plain http'],
    ['a page needs the clipboard', 'web/src/ui/a.ts', 'navigator.clipboard.writeText(a);', 'missing over plain http'],
    ['a barrel', 'domain/index.ts', `export * from './stock.ts';`, 'domain/index.ts: say what it is'],
    ['a drawer for everything', 'web/src/utils/a.ts', '', 'web/src/utils/a.ts: say what it is'],
    ['an import nobody can follow', 'server/src/app.ts', 'await import(name);', 'an import of a computed name'],
    ['an import over lines', 'domain/a.ts', `import {\n  one,\n  two,\n} from\n  'zod';`, 'domain/a.ts → zod'],
    ['a file outside every part', 'server/stray.ts', '', 'server/stray.ts: belongs to no part'],
    ['a test of web knows the server', 'web/src/api/a.test.ts', `import '@perfume/server/app';`, 'server/src/app.ts'],
  ];

  test.each(planted)('%s', (_, file, source, found) => {
    expect(violations(new Map([[file, source]])).join('\n')).toContain(found);
  });

  test('a store reaches fastify through a neighbour', () => {
    const files = new Map([
      ['server/src/items/items.store.ts', `import { a } from './shelf.ts';`],
      ['server/src/items/shelf.ts', `import type { FastifyRequest } from 'fastify';`],
    ]);
    expect(violations(files).join('\n')).toContain('shelf.ts → fastify: a store reaches fastify');
  });
});

describe('what is allowed is let through', () => {
  const allowed: [title: string, file: string, source: string][] = [
    ['a comment that only talks of it', 'domain/a.ts', `// import x from 'zod'; Date.now()\n/* Math.random() */`],
    ['a text that only talks of it', 'domain/a.ts', `const help = 'see Date.now and process';`],
    ['a date of a given time', 'domain/a.ts', 'const day = new Date(at);'],
    ['a slice looks left', 'server/src/ledger/ledger.store.ts', `import { a } from '../items/items.store.ts';`],
    ['the entry loads the demo lazily', 'server/src/main.ts', `const demo = await import('./demo/seed.ts');`],
    ['a style sheet', 'web/src/ui/a.tsx', `import styles from './a.module.css';`],
    ['config reads the environment', 'server/src/config.ts', 'parse(process.env);'],
    ['a bench starts PostgreSQL', 'bench/main.ts', `import { startPostgres } from '../server/testing/postgres.ts';`],
  ];

  test.each(allowed)('%s', (_, file, source) => {
    expect(violations(new Map([[file, source]]))).toEqual([]);
  });
});

function violations(files: Map<string, string>): string[] {
  return [...files].flatMap(([file, source]) => [
    ...namingViolations(file),
    ...importsOf(source).flatMap((found) => importViolations(file, found)),
    ...contentViolations(file, source),
    ...(partOf(file) === 'store' ? wayToFastify(file, files) : []),
  ]);
}

/** A store never knows fastify, not through a neighbour in its slice either. */
function wayToFastify(store: string, files: Map<string, string>): string[] {
  const seen = new Set([store]);
  const ways = [[store]];
  for (const way of ways) {
    const file = way.at(-1) ?? store;
    for (const { specifier } of importsOf(files.get(file) ?? '')) {
      if (specifier === undefined) continue;
      const target = targetOf(file, specifier);
      if (target === undefined && neverPackages.store?.test(specifier) && way.length > 1) {
        return [`${[...way, specifier].join(' → ')}: a store reaches fastify`];
      }
      if (target === undefined || seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return [];
}

function namingViolations(file: string): string[] {
  const found: string[] = [];
  if (unwantedNames.test(file)) found.push(`${file}: say what it is; no barrels, utils, helpers, services or types.ts`);
  if (!partOf(file)) found.push(`${file}: belongs to no part of the house; see the table above`);
  const slice = sliceOf(file);
  if (slice && !slices.includes(slice)) found.push(`${file}: ${slice} is not in the list of slices`);
  return found;
}

type Import = { specifier: string | undefined; lazy: boolean };

function importViolations(file: string, { specifier, lazy }: Import): string[] {
  const part = partOf(file);
  if (!part) return [];
  if (specifier === undefined) {
    return part === 'tests' || part === 'scripts' || file === loadsTheBuild
      ? []
      : [`${file}: an import of a computed name cannot be checked`];
  }
  const target = targetOf(file, specifier);
  if (target === undefined) return packageViolations(file, part, specifier);
  const arrow = `${file} → ${target}`;
  if (part === 'tests') return testMayUse(file, target) ? [] : [`${arrow}: not from a test of this room`];

  const targetPart = partOf(target);
  if (!targetPart) return [];
  if (targetPart === 'tests' && part === 'bench') return testMayUse(file, target) ? [] : [arrow];
  if (targetPart !== part && !mayImport[part]?.includes(targetPart))
    return [`${arrow}: ${part} may not import ${targetPart}`];
  if (targetPart === 'demo' && part !== 'demo' && !lazy)
    return [`${arrow}: demo is imported lazily, so production never loads it`];
  const [from, to] = [sliceOf(file), sliceOf(target)];
  if (from && to && slices.indexOf(to) > slices.indexOf(from)) return [`${arrow}: the order is ${from} ← ${to}`];
  return [];
}

function packageViolations(file: string, part: string, specifier: string): string[] {
  const refused = onlyPackages[part]?.test(specifier) === false || neverPackages[part]?.test(specifier);
  return refused ? [`${file} → ${specifier}: ${part} may not use it`] : [];
}

function contentViolations(file: string, source: string): string[] {
  const part = partOf(file);
  const code = withoutTexts(withoutComments(source));
  const found: string[] = [];
  if (part === 'domain' && clockOrChance.test(code)) found.push(`${file}: no clock, randomness or process in domain`);
  const product = /^(domain|contract|server\/src|web\/src)\//.test(file);
  if (product && part !== 'tests' && part !== 'config' && readsEnvironment.test(withoutComments(source))) {
    found.push(`${file}: only config.ts reads process.env`);
  }
  if (/^(domain|contract|web\/src)\//.test(file) && part !== 'tests' && needsHttps.test(code)) {
    found.push(`${file}: missing over plain http`);
  }
  return found;
}

function partOf(file: string): string | undefined {
  return parts.find(([, pattern]) => pattern.test(file))?.[0];
}

function sliceOf(file: string): string | undefined {
  const part = partOf(file);
  if (part === 'features') return /^web\/src\/features\/([^/]+)/.exec(file)?.[1];
  if (part === 'routes' || part === 'store' || part === 'server slice') return /^server\/src\/([^/]+)/.exec(file)?.[1];
  return undefined;
}

function testMayUse(file: string, target: string): boolean {
  const [room, targetRoom] = [roomOf(file), roomOf(target)];
  return room === targetRoom || roomsForTestsOf[room]?.includes(targetRoom) === true;
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

/** The file of this repository that an import names; undefined for a package. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''));
  const [, room, rest] = /^@perfume\/([^/]+)\/?(.*)$/.exec(specifier) ?? [];
  if (!room) return undefined;
  return room === 'server' || room === 'web' ? `${room}/src/${rest}.ts` : `${room}/${rest}.ts`;
}

function importsOf(source: string): Import[] {
  const code = withoutComments(source);
  const fixed = /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*{][^'"`;()]*?\bfrom\s*)?['"]([^'"\n]+)['"]/g;
  const lazy = /\bimport\s*\(\s*(?:(['"`])([^'"`$]+)\1|[^)])/g;
  return [
    ...[...code.matchAll(fixed)].map((match) => ({ specifier: match[1], lazy: false })),
    ...[...code.matchAll(lazy)].map((match) => ({ specifier: match[2], lazy: true })),
  ];
}

const textOrComment = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function withoutComments(source: string): string {
  return source.replace(textOrComment, (_, text: string | undefined) => text ?? ' ');
}

/** A template keeps its text, for there may be code inside. */
function withoutTexts(code: string): string {
  return code.replace(textOrComment, (whole) => (whole.startsWith('`') ? whole : "''"));
}

function sourceFiles(): Map<string, string> {
  const root = import.meta.dirname;
  const rooms = ['domain', 'contract', 'server', 'web', 'e2e', 'bench', 'clients', 'scripts'];
  const left = new Set(['node_modules', 'dist', 'public', 'artefacts', 'results', 'data', '.vite']);
  const filesIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return left.has(entry.name) ? [] : filesIn(name);
      return /\.[cm]?[jt]sx?$/.test(entry.name) ? [name] : [];
    });
  return new Map(rooms.flatMap(filesIn).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}
