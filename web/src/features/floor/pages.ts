import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.floor,
    source: 'src/features/floor/floor-page.tsx',
    load: async () => (await import('./floor-page.tsx')).FloorPage,
    words: ['floor', 'codes', 'ledger', 'history'],
    title: 'title.floor',
  }),
];
