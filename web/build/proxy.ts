import { endpoints } from '@perfume/contract/endpoints';
import { isPagePath } from '@perfume/contract/page-paths';
import type { ProxyOptions } from 'vite';

/** What the server serves besides the endpoints of the contract. */
const OTHERS = ['/api', '/assets', '/demo', '/docs', '/healthz', '/metrics', '/openapi.json', '/readyz', '/uploads'];

/** In development, forwards the server's paths to it; Vite serves the rest. */
export function serverProxy(target: string): Record<string, ProxyOptions> {
  const firstParts = endpoints.map(({ path }) => path.replace(/^(\/[^/]+).*/, '$1'));
  const names = [...new Set([...firstParts, ...OTHERS])].map((path) => path.slice(1).replaceAll('.', '\\.'));
  return {
    [`^/(?:${names.join('|')})(?:[/?]|$)`]: {
      target,
      // A page and an endpoint may share a path: Vite serves the page.
      bypass: ({ method, url = '/' }) =>
        method === 'GET' && isPagePath(url.split('?', 1)[0] ?? '/') ? '/index.html' : undefined,
    },
  };
}
