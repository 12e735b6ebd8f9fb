import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { hashOf } from './hash-files.mjs';
import { runQuietly } from './processes.mjs';
import { ExpectedError, repository, step } from './terminal.mjs';

export function isWebBuilt(root = repository) {
  const stamp = stampFile(root);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === webStamp(root);
}

export async function buildWeb(node) {
  const wanted = webStamp(repository);
  await step('Building the front end', async () => {
    const env = { ...node.environment, NODE_ENV: 'production' };
    const { code, output } = await runQuietly(node.path, [vitePath(), 'build'], {
      cwd: path.join(repository, 'web'),
      env,
    });
    if (code !== 0)
      throw new ExpectedError(`${output}\nThe front end could not be built. See the error from Vite above.`);
  });
  writeFileSync(stampFile(repository), wanted);
}

/** Returns the path of the Vite that web/ depends on. Other tools may depend on another version. */
export function vitePath() {
  const manifest = createRequire(path.join(repository, 'web/package.json')).resolve('vite/package.json');
  return path.join(path.dirname(manifest), 'bin/vite.js');
}

/** Returns a hash of everything the build reads and nothing else, so that a changed test causes no new build. */
export function webStamp(root) {
  const files = ['web', 'domain', 'contract'].flatMap((folder) => sourcesIn(root, folder));
  return hashOf(root, ['package-lock.json', ...files]);
}

function sourcesIn(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(root, file);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [file];
  });
}

function stampFile(root) {
  return path.join(root, 'web/dist/.built');
}
