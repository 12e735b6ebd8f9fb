/**
 * The path of every page; a parameter is written `:name`. All other code takes paths from here. The server answers any
 * other path with the not-found page and status 404.
 */
export const pathOf = {
  home: '/',
  about: '/about',
  blogs: '/blogs',
  house: '/houses/:slug',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  invitation: '/invitation',
  dashboard: '/dashboard',
  floor: '/dashboard/floor',
  adminHome: '/dashboard/admin/home',
  myItems: '/dashboard/my-item',
  manageInventory: '/dashboard/manage-inventory',
  addItem: '/dashboard/add-inventory-item',
  analysetic: '/dashboard/anlaysetic',
  item: '/dashboard/inventory/:id',
  editItem: '/dashboard/inventory/:id/edit',
  history: '/dashboard/history',
  counts: '/dashboard/counts',
  count: '/dashboard/counts/:id',
  imports: '/dashboard/import',
  importFile: '/dashboard/import/:id',
  labels: '/dashboard/labels',
  settings: '/dashboard/settings',
  webhooks: '/dashboard/settings/webhooks',
  saved: '/dashboard/saved',
  view: '/dashboard/saved/:id',
} as const;

export const pagePaths = Object.values(pathOf);

export function isPagePath(pathname: string): boolean {
  const path = pathname.replace(/([^/])\/$/, '$1');
  return pagePaths.some((pattern) => matches(pattern, path));
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}
