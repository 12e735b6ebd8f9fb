import { endpoints } from '@perfume/contract/endpoints';
import { isPagePath } from '@perfume/contract/pages';
import type { ProxyOptions } from 'vite';

/** What the server serves beside the endpoints of the contract. */
const OTHERS = ['/api', '/assets', '/demo', '/docs', '/healthz', '/metrics', '/openapi.json', '/readyz', '/uploads'];

/** While developing, what is for the server goes on to it; everything else is Vite's. */
export function serverProxy(target: string): Record<string, ProxyOptions> {
  const firstParts = endpoints.map(({ path }) => path.replace(/^(\/[^/]+).*/, '$1'));
  const names = [...new Set([...firstParts, ...OTHERS])].map((path) => path.slice(1).replaceAll('.', '\\.'));
  return {
    [`^/(?:${names.join('|')})(?:[/?]|$)`]: {
      target,
      // A page and a call may share a path: the page stays here.
      bypass: ({ method, url = '/' }) =>
        method === 'GET' && isPagePath(url.split('?', 1)[0] ?? '/') ? '/index.html' : undefined,
    },
  };
}
