import type { Plugin } from 'vite';

/** Makes every dynamic `import()` of the browser build use src/lazy/import-part.ts, which can retry a download. */
export function importParts(): Plugin {
  return {
    name: 'import-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importPart as __vitePreload } from '/src/lazy/import-part.ts'`,
    },
  };
}

/** Returns all files that an `import()` needs. Vite leaves out the imported file itself if it is the only one. */
export function withOwnFile(file: string, others: string[]): string[] {
  return [...new Set([file, ...others])];
}
