/** Every page of the site, with `:name` where a parameter stands. Any other path is the not-found page, status 404. */
export const pagePaths = [
  '/',
  '/about',
  '/blogs',
  '/login',
  '/register',
  '/reset-password',
  '/dashboard',
  '/dashboard/admin/home',
  '/dashboard/my-item',
  '/dashboard/manage-inventory',
  '/dashboard/add-inventory-item',
  '/dashboard/anlaysetic',
  '/dashboard/inventory/:id',
  '/dashboard/inventory/:id/edit',
  '/dashboard/history',
  '/dashboard/settings',
] as const;

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
