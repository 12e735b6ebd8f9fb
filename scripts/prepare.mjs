import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { installDependencies, isInstalled } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { fetchNode, findNode } from './node24.mjs';
import { print, repository } from './terminal.mjs';
import { buildWeb, isWebBuilt } from './web.mjs';

/** Installs Node 24 and the dependencies and builds the front end, as far as needed. Resolves with the Node to use. */
export async function prepare(needs) {
  const missing = () => ({
    node: !findNode(),
    dependencies: !isInstalled(),
    web: needs.includes('web') && !isWebBuilt(),
  });
  if (!Object.values(missing()).includes(true)) return findNode();

  const runtime = path.join(repository, '.runtime');
  mkdirSync(runtime, { recursive: true });
  // Two commands in one clone must not install at the same time. The second waits, and then finds everything done.
  return withLock(path.join(runtime, 'lock'), { onWait: announceWait }, async () => {
    const still = missing();
    if (still.node) await fetchNode();
    const node = findNode();
    if (still.dependencies) await installDependencies(node);
    // Checked again, because the install may have changed the inputs of the build.
    if (missing().web) await buildWeb(node);
    return node;
  });
}

function announceWait(owner, lock) {
  print(`Another command (process ${owner.pid}) is installing in this folder. Waiting for it to finish…`);
  print(`  If that process is no longer running, delete ${path.relative(repository, lock)}`);
}
