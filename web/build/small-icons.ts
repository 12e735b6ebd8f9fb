import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const DRAWING = /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;
/** What `createIcon` does not use: the keys of the lines in a drawing, and the icon's size and other names. */
const UNUSED = /, key: "\w+"|^ {2}size: 24,\n|,\n {2}aliases: \[[^\]]*\]/gm;
const ICONS = /import \{([^}]+)\} from ['"]lucide-react['"];?/g;

/**
 * Makes the icons of lucide-react with src/ui/create-icon.ts, because the package's own function is 1 kB larger. Imports
 * each icon from its own file: through the file that lists all icons, every page would seem to need each of them, and
 * those of the dashboard would be in the script of the home page.
 */
export function smallIcons(): Plugin {
  const list = new URL('../lucide-react.mjs', import.meta.resolve('lucide-react/icons/x'));
  const files = filesByIcon(readFileSync(list, 'utf8'));
  return {
    name: 'small-icons',
    apply: 'build',
    load: {
      filter: { id: /lucide-react\/dist\/esm\/createLucideIcon\.mjs$/ },
      order: 'pre',
      handler: () => `export { createIcon as default } from '/src/ui/create-icon.ts'`,
    },
    transform: {
      filter: { id: [DRAWING, /\/src\/.+\.tsx?$/], code: /['"]lucide-react['"]|__iconData/ },
      handler: (code, id) => ({
        code: DRAWING.test(id)
          ? code.replace(UNUSED, '')
          : code.replace(ICONS, (_, names: string) =>
              names
                .split(',')
                .map((one) => importOf(one, files))
                .join(' '),
            ),
        map: null,
      }),
    },
  };
}

/** Reads lines such as `export { default as Bug, default as BugIcon } from './icons/bug.mjs';`. */
function filesByIcon(list: string): Map<string, string> {
  const lines = [...list.matchAll(/export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/g)];
  return new Map(
    lines.flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [name, file] as const),
    ),
  );
}

/** `Bug` or `Menu as MenuIcon`. */
function importOf(one: string, files: Map<string, string>): string {
  const [name = '', local = name] = one.trim().split(/\s+as\s+/);
  const file = files.get(name);
  if (file === undefined) throw new Error(`lucide-react has no icon ${name}`);
  return `import ${local} from 'lucide-react/icons/${file}';`;
}
