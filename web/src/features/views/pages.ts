import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.saved,
    source: 'src/features/views/saved-page.tsx',
    load: async () => (await import('./saved-page.tsx')).SavedPage,
    words: 'views',
    title: 'title.saved',
  }),
  page({
    path: pathOf.view,
    source: 'src/features/views/open-view-page.tsx',
    load: async () => (await import('./open-view-page.tsx')).OpenViewPage,
    words: 'views',
    title: 'title.saved',
  }),
];
