import type { Plugin } from 'vite';

/** Routes every dynamic `import()` of the browser build through src/lazy/import-part.ts. */
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

/** The files an `import()` needs, including its own, which Vite omits where it is the only one. */
export function withOwnFile(file: string, others: string[]): string[] {
  return [...new Set([file, ...others])];
}
