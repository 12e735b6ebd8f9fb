import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { installDependencies, isInstalled } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { fetchNode, findNode } from './node24.mjs';
import { repository, say } from './say.mjs';
import { buildWeb, isWebBuilt } from './web.mjs';

/** Makes ready what is not: Node 24, the dependencies and, when asked, the front end. Resolves with the Node to use. */
export async function prepare(needs) {
  const missing = () => ({
    node: !findNode(),
    dependencies: !isInstalled(),
    web: needs.includes('web') && !isWebBuilt(),
  });
  if (!Object.values(missing()).includes(true)) return findNode();

  const runtime = path.join(repository, '.runtime');
  mkdirSync(runtime, { recursive: true });
  // Two starts at once in one clone must not install over each other; the second finds everything done.
  return withLock(path.join(runtime, 'lock'), { onWait: sayWhoIsAtIt }, async () => {
    const still = missing();
    if (still.node) await fetchNode();
    const node = findNode();
    if (still.dependencies) await installDependencies(node);
    // Asked again, for a fresh install may have changed what the front end is built from.
    if (missing().web) await buildWeb(node);
    return node;
  });
}

function sayWhoIsAtIt(owner, lock) {
  say(`Waiting for another start (process ${owner.pid}) to finish installing…`);
  say(`  If there is none, remove ${path.relative(repository, lock)}`);
}
