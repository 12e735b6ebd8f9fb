import { pathOf } from '@perfume/contract/pages';

/** Where every page is. An item's pages need its id. */
export const paths = {
  ...pathOf,
  item: (id: string) => pathOf.item.replace(':id', encodeURIComponent(id)),
  editItem: (id: string) => pathOf.editItem.replace(':id', encodeURIComponent(id)),
};

/** Only under `npm run dev`. */
export const styleguidePath = '/styleguide';

/** Answered by the server, not by a page of ours. */
export const serverPaths = {
  apiReference: '/docs',
  openApi: '/openapi.json',
  licence: '/licence.txt',
  outbox: '/demo/outbox',
} as const;

/** With or without query and hash, and in whatever case, as the routes match. */
export function isDashboardPath(path: string): boolean {
  return /^[^?#]*\/dashboard/i.test(path);
}

/** The login page, remembering the exact page one came from. */
export function loginFrom({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  const from = pathname + search + hash;
  return from === paths.home ? paths.login : `${paths.login}?from=${encodeURIComponent(from)}`;
}
