import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.history,
    source: 'src/features/history/history-page.tsx',
    load: async () => (await import('./history-page.tsx')).HistoryPage,
    words: ['history', 'ledger', 'views'],
    title: 'title.history',
  }),
];
