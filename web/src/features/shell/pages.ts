import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.adminHome,
    source: 'src/features/shell/admin-home-page.tsx',
    load: async () => (await import('./admin-home-page.tsx')).AdminHomePage,
    title: 'title.adminHome',
  }),
];
