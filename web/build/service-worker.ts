import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Files that no page of the dashboard needs without a connection: the API reference and the map of the home page. */
const LEFT_OUT = /\/(?:api-reference|outlines|map-view)-/;
const KEPT = /^assets\/.+\.(?:js|css|woff2|wasm|svg|png)$/;

/** Writes the service worker with the names of the built files, and the neutral page that it shows offline. */
export function serviceWorker(): Plugin {
  const source = readFileSync(new URL('../src/service-worker.js', import.meta.url), 'utf8');
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        if (this.environment.name !== 'client') return;
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no index.html');
        const files = Object.keys(bundle)
          .filter((name) => KEPT.test(name) && !LEFT_OUT.test(name))
          .map((name) => `/${name}`)
          .sort();
        this.emitFile({ type: 'asset', fileName: 'offline.html', source: neutral(String(page.source)) });
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: source.replace('const FILES = [];', `const FILES = ${JSON.stringify(files)};`),
        });
      },
    },
  };
}

/** The page without what the server writes into it. The app finds no data in it and shows what the device has. */
function neutral(html: string): string {
  return html
    .replace('<!--head-->', '<title>Perfume Warehouse</title>\n    <meta name="robots" content="noindex" />')
    .replace('<!--page-->', '')
    .replace('<!--boot-->', '');
}
