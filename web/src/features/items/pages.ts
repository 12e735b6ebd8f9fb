import { pathOf } from '@perfume/contract/pages';
import { page } from '../../parts/page.tsx';

export const pages = [
  page({
    path: pathOf.addItem,
    source: 'src/features/items/add-item-page.tsx',
    load: async () => (await import('./add-item-page.tsx')).AddItemPage,
    words: 'items',
    title: 'title.addItem',
  }),
];
