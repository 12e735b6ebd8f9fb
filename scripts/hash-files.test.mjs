import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installStamp, isInstalled } from './dependencies.mjs';
import { isWebBuilt, webStamp } from './web.mjs';

let root;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'perfume-stamp-'));
  write('package.json', '{"workspaces":["web"]}');
  write('package-lock.json', '{"packages":{"node_modules/react":{"version":"19.3.1"}}}');
  write('web/package.json', '{}');
  write('web/src/main.tsx', 'one');
  write('web/src/main.test.tsx', 'a test');
  write('domain/stock-level.ts', 'two');
  write('contract/ledger.ts', 'three');
});

afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ['a screen', 'web/src/main.tsx'],
  ['a rule', 'domain/stock-level.ts'],
  ['the wire', 'contract/ledger.ts'],
  ['the lock file', 'package-lock.json'],
  ['a new file', 'web/src/new.css'],
])('%s that changed asks for a new build', (_, file) => {
  const before = webStamp(root);
  write(file, 'something else');
  expect(webStamp(root)).not.toBe(before);
});

test.each([
  ['a test', 'web/src/main.test.tsx'],
  ['a test of a rule', 'domain/stock-level.test.ts'],
  ['the build itself', 'web/dist/index.html'],
  ['an installed package', 'web/node_modules/vite/index.js'],
])('%s that changed does not', (_, file) => {
  const before = webStamp(root);
  write(file, 'something else');
  expect(webStamp(root)).toBe(before);
});

test('two files that swap their contents change the stamp', () => {
  const before = webStamp(root);
  write('domain/stock-level.ts', 'three');
  write('contract/ledger.ts', 'two');
  expect(webStamp(root)).not.toBe(before);
});

test('the front end counts as built once its stamp is there', () => {
  expect(isWebBuilt(root)).toBe(false);
  write('web/dist/.built', webStamp(root));
  expect(isWebBuilt(root)).toBe(true);
});

test.each(['package.json', 'package-lock.json', 'web/package.json'])(
  'an install is out of date when %s changed',
  (file) => {
    const before = installStamp(root);
    write(file, '{"workspaces":["web"],"packages":{},"changed":true}');
    expect(installStamp(root)).not.toBe(before);
  },
);

test('nothing is installed in a fresh clone', () => {
  expect(isInstalled(root)).toBe(false);
});

test('a manual install from this lock file counts', () => {
  write('node_modules/.package-lock.json', '{"packages":{"node_modules/react":{"version":"19.3.1"}}}');
  expect(isInstalled(root)).toBe(true);
});

test('a manual install from another lock file does not count', () => {
  write('node_modules/.package-lock.json', '{"packages":{"node_modules/react":{"version":"18.0.0"}}}');
  expect(isInstalled(root)).toBe(false);
});

test('an install that lacks a package does not count', () => {
  write('node_modules/.package-lock.json', '{"packages":{}}');
  expect(isInstalled(root)).toBe(false);
});

function write(file, content) {
  const place = path.join(root, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, content);
}
