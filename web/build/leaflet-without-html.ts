import type { Plugin } from 'vite';

const PARSED = "div.innerHTML = '<svg/>';";
const BUILT = "div.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));";

/** Makes Leaflet detect SVG support by creating an element. Its own code parses HTML, which Trusted Types forbid. */
export function leafletWithoutHtml(): Plugin {
  return {
    name: 'leaflet-without-html',
    enforce: 'pre',
    transform: {
      filter: { id: /leaflet\/dist\/leaflet-src/ },
      handler(code) {
        if (!code.includes(PARSED))
          throw new Error('Leaflet no longer detects SVG support this way: review this plugin');
        return { code: code.replace(PARSED, BUILT), map: null };
      },
    },
  };
}
