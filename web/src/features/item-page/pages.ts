import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.item,
    source: 'src/features/item-page/item-page.tsx',
    load: async () => (await import('./item-page.tsx')).ItemPage,
    words: ['item-page', 'ledger'],
    title: 'title.item',
  }),
];
