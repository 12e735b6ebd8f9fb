import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns one hash of the names and contents of files, independent of their order, and of the given extra values. */
export function hashOf(root, files, ...more) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  for (const text of more) hash.update(`\0${text}`);
  return hash.digest('hex');
}
