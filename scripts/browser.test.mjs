import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './say.mjs';

test('tests and benchmarks take the browser the launcher found, and know no path of their own', () => {
  const files = ['bench', 'e2e'].flatMap((folder) =>
    readdirSync(path.join(repository, folder)).map((name) => path.join(folder, name)),
  );
  const naming = files.filter(
    (file) =>
      file.endsWith('.ts') && /\/usr\/bin\/|\/Applications\//.test(readFileSync(path.join(repository, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(naming).toEqual([]);
});
