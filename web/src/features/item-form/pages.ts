import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.addItem,
    source: 'src/features/item-form/add-item-page.tsx',
    load: async () => (await import('./add-item-page.tsx')).AddItemPage,
    words: 'item-form',
    title: 'title.addItem',
  }),
  page({
    path: pathOf.editItem,
    source: 'src/features/item-form/edit-item-page.tsx',
    load: async () => (await import('./edit-item-page.tsx')).EditItemPage,
    words: ['item-form', 'item-page', 'history'],
    title: 'title.editItem',
  }),
];
