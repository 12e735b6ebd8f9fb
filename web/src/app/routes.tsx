import { NotFound } from '../features/site/not-found.ts';
import { type Page, page, pageAt } from '../lazy/page.tsx';
import { isDashboardPath, paths, styleguidePath } from '../paths.ts';
import { matchPath, useLocation } from '../ui/router.tsx';
import { RequireUser } from './require-user.tsx';

/** The public pages, collected from the pages.ts files of their features. */
const features = import.meta.glob<readonly Page[]>('../features/{identity,houses,site}/pages.ts', {
  eager: true,
  import: 'pages',
});
const publicPages = Object.values(features).flat();
if (import.meta.env.DEV) {
  publicPages.push(
    page({
      path: styleguidePath,
      source: 'src/features/site/styleguide-page.tsx',
      load: async () => (await import('../features/site/styleguide-page.tsx')).StyleguidePage,
      words: ['styleguide', 'home'],
      title: 'title.styleguide',
    }),
  );
}

const Dashboard = page({
  source: 'src/app/dashboard-layout.tsx',
  load: async () => (await import('./dashboard.ts')).loadDashboardLayout(),
  words: 'shell',
});

/** Shows the page of the address. The dashboard finds its own page, because public pages do not load that code. */
export function AppRoutes() {
  const { pathname } = useLocation();
  if (matchPath(`${paths.dashboard}/*`, pathname))
    return (
      <RequireUser>
        <Dashboard />
      </RequireUser>
    );
  const Shown = pageAt(publicPages, pathname) ?? NotFound;
  return <Shown />;
}

/** The layout and page of an address, which are loaded before the first paint. */
export async function firstPages(pathname: string): Promise<Page[]> {
  const isInDashboard = isDashboardPath(pathname);
  const pages = isInDashboard ? (await import('./dashboard.ts')).dashboardPages : publicPages;
  const shown = pageAt(pages, pathname);
  if (!shown) return [NotFound];
  return isInDashboard ? [Dashboard, shown] : [shown];
}

/** Pages that search engines may list: those with a description. */
export function listedPaths(): string[] {
  return publicPages.flatMap(({ path, description }) => (path && description ? [path] : []));
}
