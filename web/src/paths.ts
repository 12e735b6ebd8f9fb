import { pathOf } from '@perfume/contract/page-paths';

/** The path of every page. The pages of an item need its id. */
export const paths = {
  ...pathOf,
  item: (id: string) => pathOf.item.replace(':id', encodeURIComponent(id)),
  editItem: (id: string) => pathOf.editItem.replace(':id', encodeURIComponent(id)),
};

/** Only under `npm run dev`. */
export const styleguidePath = '/styleguide';

/** Served by the server, not by a page of this app. */
export const serverPaths = {
  apiReference: '/docs',
  openApi: '/openapi.json',
  licence: '/licence.txt',
  outbox: '/demo/outbox',
} as const;

/** Ignores query, hash and case, as the router does. */
export function isDashboardPath(path: string): boolean {
  return /^[^?#]*\/dashboard/i.test(path);
}

/** The login page, with the way back to the current page. */
export function loginFrom({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  const from = pathname + search + hash;
  return from === paths.home ? paths.login : `${paths.login}?from=${encodeURIComponent(from)}`;
}
