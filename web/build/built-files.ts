import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Plugin } from 'vite';

const NAME = 'virtual:built-files';
/** What the first page may consist of: its layout, itself, its texts, and what leads to the dashboard's pages. */
const NEEDED_FIRST = /-(?:page|layout)\.tsx$|\/words\/|\/dashboard\.ts$/;

/**
 * Provides the module `virtual:built-files` to the server build. It lists the files of the browser build that each page
 * needs, so that the HTML can preload them. The browser build must run first.
 */
export function builtFiles(): Plugin {
  let folder = '';
  return {
    name: 'built-files',
    configResolved(config) {
      folder = join(config.root, 'dist');
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return;
      const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
      return `export const builtFiles = ${JSON.stringify(filesByPage(manifest))}`;
    },
  };
}

function filesByPage(manifest: Manifest): Record<string, { scripts: string[]; sheets: string[] }> {
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  const always = new Set(entries.flatMap((name) => [...needs(manifest, name)]));
  const pages = Object.keys(manifest).filter((name) => manifest[name]?.isDynamicEntry && NEEDED_FIRST.test(name));
  return Object.fromEntries(
    pages.map((page) => {
      const files = [...needs(manifest, page)].filter((file) => !always.has(file)).map((file) => `/${file}`);
      return [
        page,
        {
          scripts: files.filter((file) => file.endsWith('.js')),
          sheets: files.filter((file) => file.endsWith('.css')),
        },
      ];
    }),
  );
}

function needs(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const sheet of chunk.css ?? []) found.add(sheet);
  for (const imported of chunk.imports ?? []) needs(manifest, imported, found);
  return found;
}
