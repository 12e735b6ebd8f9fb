import type { Plugin } from 'vite';

const PARSED = "div.innerHTML = '<svg/>';";
const BUILT = "div.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));";

/** Leaflet asks by parsing HTML whether SVG works. Trusted Types forbid that, so it asks by building the element. */
export function leafletWithoutHtml(): Plugin {
  return {
    name: 'leaflet-without-html',
    enforce: 'pre',
    transform: {
      filter: { id: /leaflet\/dist\/leaflet-src/ },
      handler(code) {
        if (!code.includes(PARSED))
          throw new Error('Leaflet no longer asks for SVG this way: look at this plugin again');
        return { code: code.replace(PARSED, BUILT), map: null };
      },
    },
  };
}
