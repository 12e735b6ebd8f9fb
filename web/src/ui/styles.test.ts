import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

// TypeScript accepts any class name of a style module, so these tests compare declared and used classes.
const folder = join(import.meta.dirname, '..');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const components = files.filter((file) => file.endsWith('.tsx'));
const sheets = files.filter((file) => file.endsWith('.module.css'));

const used = new Map<string, Set<string>>();
const chosenAtRunTime = new Set<string>();
for (const file of components) {
  const source = readFileSync(join(folder, file), 'utf8');
  for (const [, name, path] of source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
    if (name === undefined || path === undefined) continue;
    const sheet = join(dirname(file), path);
    const classes = used.get(sheet) ?? new Set();
    for (const [, key] of source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')))
      if (key && key !== 'module') classes.add(key);
    if (new RegExp(`\\b${name}\\[`).test(source)) chosenAtRunTime.add(sheet);
    used.set(sheet, classes);
  }
}

describe.each(sheets)('%s', (sheet) => {
  const css = readFileSync(join(folder, sheet), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const declared = new Set([...css.matchAll(/\.([a-z][\w]*)(?=[^{}]*\{)/gi)].map(([, name]) => name));

  test('declares every class that is used', () => {
    expect([...(used.get(sheet) ?? [])].filter((name) => !declared.has(name))).toEqual([]);
  });

  test('declares no unused class', () => {
    if (chosenAtRunTime.has(sheet)) return;
    expect([...declared].filter((name) => name && !used.get(sheet)?.has(name))).toEqual([]);
  });
});

test('only texts of our own are in capitals, never those of the spec', () => {
  const inCapitals = sheets.filter((sheet) =>
    /text-transform|small-caps/.test(readFileSync(join(folder, sheet), 'utf8')),
  );
  expect(inCapitals.toSorted()).toEqual([
    'features/history/history-head.module.css',
    'features/identity/panels.module.css',
    'features/item-form/item-preview.module.css',
    'features/shell/shortcuts-help.module.css',
    'features/site/section.module.css',
    'ui/palette.module.css',
  ]);
});

test('every bottle drawing that a page names exists', () => {
  const bottles = components.flatMap(
    (file) => readFileSync(join(folder, file), 'utf8').match(/bottle: '([\w-]+)'/g) ?? [],
  );
  expect(bottles.length).toBeGreaterThan(3);
  for (const bottle of bottles) {
    const name = bottle.slice("bottle: '".length, -1);
    expect(existsSync(join(folder, '../public/bottles', `${name}.svg`)), name).toBe(true);
  }
});
