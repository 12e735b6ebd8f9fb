import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './terminal.mjs';

test('tests and benchmarks use the browser of the launcher and contain no browser path', () => {
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
