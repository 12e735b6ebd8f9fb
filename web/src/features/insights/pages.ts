import { pathOf } from '@perfume/contract/pages';
import { page } from '../../parts/page.tsx';

export const pages = [
  page({
    path: pathOf.analysetic,
    source: 'src/features/insights/analysetic-page.tsx',
    load: async () => (await import('./analysetic-page.tsx')).AnalyseticPage,
    words: 'insights',
    title: 'title.analysetic',
  }),
];
