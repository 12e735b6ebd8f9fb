import { pathOf } from '@perfume/contract/pages';
import { page } from '../../parts/page.tsx';

export const pages = [
  page({
    path: pathOf.item,
    source: 'src/features/item/item-page.tsx',
    load: async () => (await import('./item-page.tsx')).ItemPage,
    words: 'item',
    title: 'title.item',
  }),
  page({
    path: pathOf.editItem,
    source: 'src/features/item/edit-item-page.tsx',
    load: async () => (await import('./edit-item-page.tsx')).EditItemPage,
    words: ['items', 'item', 'history'],
    title: 'title.editItem',
  }),
];
