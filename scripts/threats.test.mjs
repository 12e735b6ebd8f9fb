import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './terminal.mjs';

const page = readFileSync(path.join(repository, 'docs/threats.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.includes('---'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const [first, second] = [rows.filter((row) => row.length === 4), rows.filter((row) => row.length === 3)];
const threats = first.filter(([number]) => /^\d+$/.test(number));
const losses = second.filter(([where]) => where !== 'Where it happened');

test('lists every threat and every stock error', () => {
  expect(threats.map(([number]) => Number(number))).toEqual(Array.from(threats, (_, at) => at + 1));
  expect(threats.length).toBeGreaterThanOrEqual(40);
  expect(losses).toHaveLength(11);
});

test('names an existing test in every row', () => {
  const missing = [];
  for (const row of [...threats, ...losses]) {
    const named = shownBy(row.at(-1));
    if (named.length === 0) missing.push(`${row[0]}: no test`);
    for (const { file, name } of named) {
      const source = existsSync(path.join(repository, file)) ? readFileSync(path.join(repository, file), 'utf8') : '';
      if (!isTestOf(source, name)) missing.push(`${row[0]}: ${file} › ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

test('notices a missing test', () => {
  expect(isTestOf("test('a delivery is refused', () => {", 'a delivery is refused')).toBe(true);
  expect(isTestOf('// a delivery is refused', 'a delivery is refused')).toBe(false);
  expect(isTestOf("test.skip('a delivery is refused', () => {", 'a delivery is refused')).toBe(false);
});

test('names existing files as defences', () => {
  const files = threats.flatMap(([, , defence]) => [...defence.matchAll(/`([^`]+\.tsx?)`/g)].map(([, file]) => file));
  expect(files.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});

/** Returns the tests in a cell, which are written as `file` › name; `file` › name. Manual checks have no name. */
function shownBy(cell) {
  return cell
    .split('; ')
    .map((part) => /^`([^`]+)` › (.+)$/.exec(part))
    .filter(Boolean)
    .map(([, file, name]) => ({ file, name }));
}

/** Whether a file has a test with this name that is neither commented out nor skipped. */
function isTestOf(source, name) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!skip|todo)\\(\\s*(['"\`])${escaped}`).test(source);
}
