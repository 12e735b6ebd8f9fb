import type { Page } from '../lazy/page.tsx';

const features = import.meta.glob<readonly Page[]>(
  ['../features/*/pages.ts', '!../features/{identity,houses,site}/pages.ts'],
  {
    eager: true,
    import: 'pages',
  },
);

/** The pages of the dashboard, collected from the pages.ts files of their features. Public pages do not load this. */
export const dashboardPages = Object.values(features).flat();
