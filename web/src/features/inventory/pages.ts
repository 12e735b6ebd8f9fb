import { pathOf } from '@perfume/contract/page-paths';
import { page } from '../../lazy/page.tsx';

export const pages = [
  page({
    path: pathOf.manageInventory,
    source: 'src/features/inventory/manage-page.tsx',
    load: async () => (await import('./manage-page.tsx')).ManagePage,
    words: ['inventory', 'ledger', 'time-machine', 'views'],
    title: 'title.manageInventory',
  }),
  page({
    path: pathOf.myItems,
    source: 'src/features/inventory/my-items-page.tsx',
    load: async () => (await import('./my-items-page.tsx')).MyItemsPage,
    words: ['inventory', 'ledger', 'time-machine', 'views'],
    title: 'title.myItems',
  }),
];
