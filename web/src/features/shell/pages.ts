import { pathOf } from '@perfume/contract/pages';
import { page } from '../../parts/page.tsx';

export const pages = [
  page({
    path: pathOf.adminHome,
    source: 'src/features/shell/admin-home-page.tsx',
    load: async () => (await import('./admin-home-page.tsx')).AdminHomePage,
    title: 'title.adminHome',
  }),
];
