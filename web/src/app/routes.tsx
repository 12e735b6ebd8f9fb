import { matchPath, Navigate, Route, Routes } from 'react-router';
import { type Page, page } from '../lazy/page.tsx';
import { isDashboardPath, paths, styleguidePath } from '../paths.ts';
import { RequireUser } from './require-user.tsx';

/** The pages of all features, collected from their pages.ts files. */
const features = import.meta.glob<readonly Page[]>('../features/*/pages.ts', { eager: true, import: 'pages' });
const pages = Object.values(features).flat();
const isInDashboard = ({ path = '' }: Page) => isDashboardPath(path);

const Dashboard = page({
  source: 'src/app/dashboard-layout.tsx',
  load: async () => (await import('./dashboard-layout.tsx')).DashboardLayout,
  words: 'shell',
});
const NotFound = page({
  source: 'src/features/site/not-found-page.tsx',
  load: async () => (await import('../features/site/not-found-page.tsx')).NotFoundPage,
  title: 'title.notFound',
});
const Styleguide = import.meta.env.DEV
  ? page({
      source: 'src/features/site/styleguide-page.tsx',
      load: async () => (await import('../features/site/styleguide-page.tsx')).StyleguidePage,
      words: 'styleguide',
      title: 'title.styleguide',
    })
  : null;

/** The routes of the app. Sidebar links of the spec whose page is not built yet show the not-found page. */
export function AppRoutes() {
  return (
    <Routes>
      {pages.filter((One) => !isInDashboard(One)).map(routeOf)}
      <Route element={<RequireUser />}>
        <Route path={paths.dashboard} element={<Dashboard />}>
          <Route index element={<Navigate to={paths.adminHome} replace />} />
          {pages.filter(isInDashboard).map(routeOf)}
          <Route path="*" element={<NotFound />} />
        </Route>
      </Route>
      {Styleguide && <Route path={styleguidePath} element={<Styleguide />} />}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

function routeOf(One: Page) {
  return <Route key={One.path} path={One.path} element={<One />} />;
}

/** The layout and page of an address, which are loaded before the first paint. */
export function firstPages(pathname: string): Page[] {
  const shown = pages.find(({ path = '' }) => matchPath(path, pathname));
  if (!shown) return [NotFound];
  return isInDashboard(shown) ? [Dashboard, shown] : [shown];
}

/** Pages that search engines may list: those with a description. */
export function listedPaths(): string[] {
  return pages.flatMap(({ path, description }) => (path && description ? [path] : []));
}
