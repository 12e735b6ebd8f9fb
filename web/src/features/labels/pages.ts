import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.labels,
    source: 'src/features/labels/labels-page.tsx',
    load: async () => (await import('./labels-page.tsx')).LabelsPage,
    words: ['labels', 'inventory', 'ledger', 'history'],
    title: 'title.labels',
  }),
];
