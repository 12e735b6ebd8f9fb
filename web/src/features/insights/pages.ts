import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.analysetic,
    source: 'src/features/insights/analysetic-page.tsx',
    load: async () => (await import('./analysetic-page.tsx')).AnalyseticPage,
    words: ['insights', 'views'],
    title: 'title.analysetic',
  }),
];
