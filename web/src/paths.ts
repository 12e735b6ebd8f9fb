import { pathOf } from '@perfume/contract/page-paths';

/** The path of every page. The pages of an item need its id, and that of a house its slug. */
export const paths = {
  ...pathOf,
  house: (slug: string) => pathOf.house.replace(':slug', encodeURIComponent(slug)),
  item: (id: string) => pathOf.item.replace(':id', encodeURIComponent(id)),
  /** The page of an item with the form to count it open. */
  countItem: (id: string) => `${pathOf.item.replace(':id', encodeURIComponent(id))}?count`,
  importFile: (id: string) => pathOf.importFile.replace(':id', encodeURIComponent(id)),
  count: (id: string) => pathOf.count.replace(':id', encodeURIComponent(id)),
  view: (id: string) => pathOf.view.replace(':id', encodeURIComponent(id)),
  editItem: (id: string) => pathOf.editItem.replace(':id', encodeURIComponent(id)),
};

/** The path of the styleguide, which exists only under `npm run dev`. */
export const styleguidePath = '/styleguide';

/** Paths that the server answers itself, not with a page of this app. */
export const serverPaths = {
  apiReference: '/docs',
  openApi: '/openapi.json',
  licence: '/licence.txt',
  outbox: '/demo/outbox',
  accountData: '/account/data',
} as const;

/** Whether a path belongs to the dashboard. Ignores query, hash and case, as the router does. */
export function isDashboardPath(path: string): boolean {
  return /^[^?#]*\/dashboard/i.test(path);
}

/** Returns the address of the login page, with the current page as the one to return to. */
export function loginFrom({ pathname, search, hash }: { pathname: string; search: string; hash: string }): string {
  const from = pathname + search + hash;
  return from === paths.home ? paths.login : `${paths.login}?from=${encodeURIComponent(from)}`;
}
