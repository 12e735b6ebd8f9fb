/** Every page of the site, once. `contract/pages.ts` lists the same for the server; a test keeps them equal. */
export const paths = {
  home: '/',
  about: '/about',
  blogs: '/blogs',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  dashboard: '/dashboard',
  adminHome: '/dashboard/admin/home',
  myItems: '/dashboard/my-item',
  manageInventory: '/dashboard/manage-inventory',
  addItem: '/dashboard/add-inventory-item',
  analysetic: '/dashboard/anlaysetic',
  item: (id: string) => `/dashboard/inventory/${encodeURIComponent(id)}`,
  itemPattern: '/dashboard/inventory/:id',
  editItem: (id: string) => `/dashboard/inventory/${encodeURIComponent(id)}/edit`,
  editItemPattern: '/dashboard/inventory/:id/edit',
  history: '/dashboard/history',
  settings: '/dashboard/settings',
} as const;

/** Only under `npm run dev`. */
export const styleguidePath = '/styleguide';

/** Answered by the server, not by a page of ours. */
export const serverPaths = {
  apiReference: '/docs',
  openApi: '/openapi.json',
  licence: '/licence.txt',
  demoSignIn: '/demo/sign-in',
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
