import type { Plugin } from 'vite';

/**
 * Orders the tags in the head by what the first paint waits for: style sheets, the first-paint script, the fonts, and
 * only then, at low priority, the scripts that hydrate the page. The server replaces <!--head--> with the tags of the
 * page, including its own style sheets.
 */
export function headOrder(): Plugin {
  return {
    name: 'head-order',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const taken: string[] = [];
        const rest = html.replace(
          / *<(?:link rel="(?:stylesheet|preload|modulepreload)"[^>]*|script [^>]*src=[^>]*><\/script)>\n*/g,
          (tag) => {
            taken.push(lowPriority(tag.trim()));
            return '';
          },
        );
        const ordered = taken.toSorted((a, b) => rank(a) - rank(b));
        const before = ordered.filter((tag) => rank(tag) < 2);
        const after = ordered.filter((tag) => rank(tag) >= 2);
        return rest.replace('<!--head-->', () => [...before, '<!--head-->', ...after].join('\n    '));
      },
    },
  };
}

/** Gives scripts a low priority, because the page is readable before they run. `app/render.tsx` finds them by it. */
function lowPriority(tag: string): string {
  return /type="module"|rel="modulepreload"/.test(tag) ? tag.replace(/^<(\w+) /, '<$1 fetchpriority="low" ') : tag;
}

function rank(tag: string): number {
  if (tag.includes('rel="stylesheet"')) return 0;
  if (tag.includes('first-paint')) return 1;
  if (tag.includes('as="font"')) return 2;
  return 3;
}
