import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.counts,
    source: 'src/features/counts/counts-page.tsx',
    load: async () => (await import('./counts-page.tsx')).CountsPage,
    words: ['counts', 'history'],
    title: 'title.counts',
  }),
  page({
    path: pathOf.count,
    source: 'src/features/counts/count-page.tsx',
    load: async () => (await import('./count-page.tsx')).CountPage,
    words: ['counts', 'codes', 'ledger', 'history'],
    title: 'title.counts',
  }),
];
