import type { Plugin } from 'vite';

/** Makes every dynamic `import()` of the browser's build go through src/parts/import-part.ts. */
export function importParts(): Plugin {
  return {
    name: 'import-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { importPart as __vitePreload } from '/src/parts/import-part.ts'`,
    },
  };
}

/** The files an `import()` needs, its own among them: Vite leaves that one out where it needs no other. */
export function withOwnFile(file: string, others: string[]): string[] {
  return [...new Set([file, ...others])];
}
