import { expect, test } from 'vitest';
import { headOrder } from './head-order.ts';

test('style sheets come first, then the first-paint script, fonts, and scripts at low priority', () => {
  const head = `<head>
    <link rel="preload" href="/f.woff2" as="font" crossorigin="">
    <script src="/assets/first-paint-1.js"></script>
    <!--head-->
    <script type="module" crossorigin src="/assets/index.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react.js">
    <link rel="stylesheet" crossorigin href="/assets/index.css">
  </head>`;
  const { transformIndexHtml } = headOrder();
  if (typeof transformIndexHtml !== 'object' || !('handler' in transformIndexHtml)) throw new Error('no handler');
  const html = String((transformIndexHtml.handler as (html: string) => unknown)(head));
  const places = ['index.css', 'first-paint', '<!--head-->', 'f.woff2', 'index.js', 'react.js'].map((part) =>
    html.indexOf(part),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(html.match(/fetchpriority="low"/g)).toHaveLength(2);
});
