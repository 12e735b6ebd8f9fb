import type { IncomingMessage } from 'node:http';
import { endpoints } from '@perfume/contract/endpoints';
import { pagePaths } from '@perfume/contract/page-paths';
import { expect, test } from 'vitest';
import { serverProxy } from './proxy.ts';

/** Whether Vite forwards a request to the server. Keys of the proxy table that begin with ^ are patterns. */
function goesToServer(method: string, url: string): boolean {
  return Object.entries(serverProxy('http://server.example')).some(
    ([pattern, { bypass }]) =>
      new RegExp(pattern).test(url) &&
      bypass?.({ method, url } as IncomingMessage, undefined, { target: '' }) === undefined,
  );
}

test('every endpoint of the contract is reached through the development server', () => {
  for (const { method, path } of endpoints) {
    const url = `${path.replace(':id', '0198')}?limit=1`;
    expect([method, url, goesToServer(method, url)]).toEqual([method, url, true]);
  }
});

test.each([
  ...pagePaths,
  '/login?from=%2Falerts',
  '/src/main.tsx',
  '/@vite/client',
  '/alerts-page.tsx',
  '/bottles/a.svg',
])('what the development server serves itself stays there: %s', (url) => {
  expect(goesToServer('GET', url)).toBe(false);
});

test.each(['/docs', '/openapi.json', '/uploads/a.webp', '/demo/outbox', '/api/auth/get-session'])(
  'what the server serves besides goes to it: %s',
  (url) => {
    expect(goesToServer('GET', url)).toBe(true);
  },
);
