import type { Plugin } from 'vite';

/** Makes the icons of lucide-react with src/ui/create-icon.ts, because the package's own function is 1 kB larger. */
export function smallIcons(): Plugin {
  return {
    name: 'small-icons',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /lucide-react\/dist\/esm\/createLucideIcon\.mjs$/ },
      handler: () => `export { createIcon as default } from '/src/ui/create-icon.ts'`,
    },
  };
}
