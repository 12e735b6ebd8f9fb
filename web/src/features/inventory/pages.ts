import { pathOf } from '@perfume/contract/page-paths';
import { prefetch } from '../../api/prefetch.ts';
import { page } from '../../lazy/page.tsx';

/** The query of the first rows without a search or a filter, as `live/item-cache.ts` asks for them. */
const firstRows = { limit: '100' };

export const pages = [
  page({
    path: pathOf.manageInventory,
    source: 'src/features/inventory/manage-page.tsx',
    load: async () => {
      if (globalThis.location?.search === '') prefetch('GET /all-inventory-items', { query: firstRows });
      return (await import('./manage-page.tsx')).loadManagePage();
    },
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
