import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './say.mjs';

const page = readFileSync(path.join(repository, 'docs/threats.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.includes('---'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const [first, second] = [rows.filter((row) => row.length === 4), rows.filter((row) => row.length === 3)];
const threats = first.filter(([number]) => /^\d+$/.test(number));
const losses = second.filter(([where]) => where !== 'Where it happened');

test('every threat and every loss has its row', () => {
  expect(threats.map(([number]) => Number(number))).toEqual(Array.from({ length: 37 }, (_, at) => at + 1));
  expect(losses).toHaveLength(11);
});

test('every row is shown by a test that is there under that name', () => {
  const missing = [];
  for (const row of [...threats, ...losses]) {
    const named = shownBy(row.at(-1));
    if (named.length === 0) missing.push(`${row[0]}: shown by nothing`);
    for (const { file, name } of named) {
      const source = existsSync(path.join(repository, file)) ? readFileSync(path.join(repository, file), 'utf8') : '';
      if (!isTestOf(source, name)) missing.push(`${row[0]}: ${file} › ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

test('a test that is not there is noticed', () => {
  expect(isTestOf("test('a delivery is refused', () => {", 'a delivery is refused')).toBe(true);
  expect(isTestOf('// a delivery is refused', 'a delivery is refused')).toBe(false);
  expect(isTestOf("test.skip('a delivery is refused', () => {", 'a delivery is refused')).toBe(false);
});

test('the files of the defences are there', () => {
  const files = threats.flatMap(([, , defence]) => [...defence.matchAll(/`([^`]+\.tsx?)`/g)].map(([, file]) => file));
  expect(files.filter((file) => !existsSync(path.join(repository, file)))).toEqual([]);
});

/** `file` › name; `file` › name; what is done by hand stands there without one. */
function shownBy(cell) {
  return cell
    .split('; ')
    .map((part) => /^`([^`]+)` › (.+)$/.exec(part))
    .filter(Boolean)
    .map(([, file, name]) => ({ file, name }));
}

/** As the name of a test, not in a comment and not skipped. */
function isTestOf(source, name) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!skip|todo)\\(\\s*(['"\`])${escaped}`).test(source);
}
