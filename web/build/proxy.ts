import { endpoints } from '@perfume/contract/endpoints';
import { isPagePath } from '@perfume/contract/page-paths';
import type { ProxyOptions } from 'vite';

/** Paths of the server that are not endpoints of the contract. */
const OTHERS = ['/api', '/assets', '/demo', '/docs', '/healthz', '/metrics', '/openapi.json', '/readyz', '/uploads'];

/** The proxy settings for development: Vite forwards requests for the server's paths and answers all others itself. */
export function serverProxy(target: string): Record<string, ProxyOptions> {
  const firstParts = endpoints.map(({ path }) => path.replace(/^(\/[^/]+).*/, '$1'));
  const names = [...new Set([...firstParts, ...OTHERS])].map((path) => path.slice(1).replaceAll('.', '\\.'));
  return {
    [`^/(?:${names.join('|')})(?:[/?]|$)`]: {
      target,
      // A page and an endpoint may share a path. Vite then serves the page.
      bypass: ({ method, url = '/' }) =>
        method === 'GET' && isPagePath(url.split('?', 1)[0] ?? '/') ? '/index.html' : undefined,
    },
  };
}
