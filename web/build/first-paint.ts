import { readFileSync } from 'node:fs';
import { minifySync, type Plugin } from 'vite';

/**
 * Puts the first-paint script first in the head. It is a file of its own, with a hash in its name, because the
 * Content-Security-Policy allows no inline scripts.
 */
export function firstPaint(): Plugin {
  const { code, errors } = minifySync(
    'first-paint.js',
    readFileSync(new URL('../src/first-paint.js', import.meta.url), 'utf8'),
  );
  if (errors[0]) throw new Error(errors[0].message);
  let building = false;
  return {
    name: 'first-paint',
    configResolved(config) {
      building = config.command === 'build';
    },
    buildStart() {
      if (building && this.environment.name === 'client')
        this.emitFile({ type: 'asset', name: 'first-paint.js', source: code });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const file = Object.values(bundle ?? {}).find(({ fileName }) => /first-paint-[^/]+\.js$/.test(fileName));
        const src = file ? `/${file.fileName}` : '/src/first-paint.js';
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
