import { matchPath, Route, Routes } from 'react-router';
import { NotFound } from '../features/site/not-found.ts';
import { type Page, page } from '../lazy/page.tsx';
import { isDashboardPath, paths, styleguidePath } from '../paths.ts';
import { RequireUser } from './require-user.tsx';

/** The public pages, collected from the pages.ts files of their features. */
const features = import.meta.glob<readonly Page[]>('../features/{identity,houses,site}/pages.ts', {
  eager: true,
  import: 'pages',
});
const publicPages = Object.values(features).flat();

const Dashboard = page({
  source: 'src/app/dashboard-layout.tsx',
  load: async () => (await import('./dashboard-layout.tsx')).DashboardLayout,
  words: 'shell',
});
const Styleguide = import.meta.env.DEV
  ? page({
      source: 'src/features/site/styleguide-page.tsx',
      load: async () => (await import('../features/site/styleguide-page.tsx')).StyleguidePage,
      words: 'styleguide',
      title: 'title.styleguide',
    })
  : null;

/** The routes of the app. Those of the dashboard's pages are in its layout, because public pages do not need them. */
export function AppRoutes() {
  return (
    <Routes>
      {publicPages.map((One) => (
        <Route key={One.path} path={One.path} element={<One />} />
      ))}
      <Route element={<RequireUser />}>
        <Route path={`${paths.dashboard}/*`} element={<Dashboard />} />
      </Route>
      {Styleguide && <Route path={styleguidePath} element={<Styleguide />} />}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** The layout and page of an address, which are loaded before the first paint. */
export async function firstPages(pathname: string): Promise<Page[]> {
  const isInDashboard = isDashboardPath(pathname);
  const pages = isInDashboard ? (await import('./dashboard-pages.ts')).dashboardPages : publicPages;
  const shown = pages.find(({ path = '' }) => matchPath(path, pathname));
  if (!shown) return [NotFound];
  return isInDashboard ? [Dashboard, shown] : [shown];
}

/** Pages that search engines may list: those with a description. */
export function listedPaths(): string[] {
  return publicPages.flatMap(({ path, description }) => (path && description ? [path] : []));
}
